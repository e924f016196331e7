// Random tests of proxies: accesses through several proxies and virtual addresses of one array, and
// the fences between them.
#include "tests/oracle/sample.h"

#include <string.h>

// V and U write and read `x` through some proxy, P is a proxy fence; other letters as in
// sample.c and sample_barriers.c.
static const char *const shapes[] = {
    "Vx P Ly|Qy P Ux",
    "Vx P Ly|Qy P Vx",
    "Vx P Ly|Qy P Lz|Qz P Ux",
    "Vx P Ux|Vx",
    "Vx P Vx|Ux P Ux",
    "Vx|Ux P Ux",
    "Vx P F wy|ry F P Ux",
    "Vx P wy|ry P Ux",
    "Vx F P wy|ry P F Ux",
    "Ux P Ly|Qy P Vx",
    "Vx P F Ry|Wy F P Ux",
    "Vx|Ux P Ly|Qy P Ux",
    "Vx P Vx P Ly|Qy P Ux",
    "Vx|Ux P F Ry|Wy F P Ux",
    "Vx P Ux P Ux",
    "Vx P Ly|Ay|Qy P Ux",
    "Vx P F Wy|Wy F P Vx",
    "Vx P Ly|Qy P Ux P Ux",
    "Ux P Vx|Vx",
    "Vx P Ly|P Qy Lz|Qz P Ux",
    "Vx P Ly|Qy P Ux Vx P Lz|Qz P Ux",
    "Vx P B|B P Ux",
    "Vx P B|B P Ux",
    "Vx P B P Ux|B P Ux",
    "Vx P B Ly|B|Qy P Ux",
    "Vx P C G|C G P Ux",
    "Vx P N|B P Ux",
    "Vx B P Ux|Vx P B P Ux",
    "Ux P B|B P Vx",
};

// The names of `x`: at its address and at that of its alias `xg`, through every proxy.
static const struct {
    const char *name, *proxy, *of;
    enum { GENERIC, ALIAS, SURFACE, TEXTURE, CONSTANT, ASYNC, TENSORMAP } kind; // ALIAS: of fences
} aliases[] = {
    {"x", NULL, NULL, GENERIC},          {"xg", "generic", "x", GENERIC},
    {"xs", "surface", "x", SURFACE},     {"gs", "surface", "xg", SURFACE},
    {"xt", "texture", "x", TEXTURE},     {"gt", "texture", "xg", TEXTURE},
    {"xc", "constant", "x", CONSTANT},   {"gc", "constant", "xg", CONSTANT},
    {"xa", "async", "x", ASYNC},         {"ga", "async", "xg", ASYNC},
    {"xm", "tensormap", "x", TENSORMAP}, {"gm", "tensormap", "xg", TENSORMAP},
};

enum { ALIAS_COUNT = sizeof aliases / sizeof aliases[0], SECOND_ADDRESS = 1 };

static bool is_written(unsigned alias) {
    return aliases[alias].kind == GENERIC || aliases[alias].kind == SURFACE ||
           aliases[alias].kind == ASYNC;
}

static unsigned random_alias(const struct sample *sample, bool written,
                             const struct sample_mood *mood, struct random *random) {
    for (;;) {
        unsigned alias = random_chance(random, 30) ? 0 : random_below(random, ALIAS_COUNT);
        bool is_late = aliases[alias].kind == ASYNC || aliases[alias].kind == TENSORMAP;
        if (aliases[alias].of && strcmp(aliases[alias].of, "xg") == 0 && random_chance(random, 60))
            continue;
        if ((!written || is_written(alias)) && !(is_late && mood->before_9_1) &&
            !(aliases[alias].kind == TENSORMAP && sample->proxies.shared))
            return alias;
    }
}

static void proxied_access(struct sample *sample, struct sample_thread *thread, bool is_write,
                           const struct sample_mood *mood, struct random *random) {
    unsigned usual = is_write ? sample->proxies.source : sample->proxies.destination;
    unsigned alias =
        random_chance(random, 88) ? usual : random_alias(sample, is_write, mood, random);
    if (is_write && !is_written(alias))
        alias = 0;
    struct sample_mood weak = *mood;
    weak.strong = random_chance(random, 70) ? 0 : mood->strong;
    char order[24], address[16];
    const char *space = sample->proxies.shared ? "shared" : "global";
    snprintf(address, sizeof address, "%s%s", aliases[alias].name,
             random_chance(random, 6) ? "+128" : "");
    sample->proxies.used |= 1u << alias;
    sample_order(order, sizeof order, is_write ? "release" : "acquire", &weak, random);
    if (is_write && alias == 0 && random_chance(random, 10)) {
        sample_line(thread, "red.relaxed.%s.%s.add.u32 [%s], %u", sample_scope(mood, random), space,
                    address, 1 + random_below(random, 2));
        sample->reads[0]++;
        sample->writes[0]++;
    } else if (is_write) {
        sample_line(thread, "st%s.%s.u32 [%s], %u", order, space, address, ++sample->writes[0]);
    } else {
        char *name = thread->loaded[thread->loaded_count++];
        snprintf(name, sizeof thread->loaded[0], "%%r%u", thread->next_register++);
        sample_line(thread, "ld%s.%s.u32 %s, [%s]", order, space, name, address);
        sample->reads[0]++;
    }
}

// --- Fences --------------------------------------------------------------------------------------

static void add_fence(struct sample *sample, const char *text, unsigned slot) {
    struct sample_proxies *proxies = &sample->proxies;
    if (proxies->fence_count == SAMPLE_FENCES)
        return;
    struct sample_fence *fence = &proxies->fence[proxies->fence_count++];
    snprintf(fence->text, sizeof fence->text, "%s", text);
    fence->slot = slot;
}

// A fence that works both ways. tensormap has none.
static void both_ways(const struct sample *sample, unsigned kind, char *text, size_t size,
                      struct random *random) {
    static const char *const names[] = {[ALIAS] = "alias",
                                        [SURFACE] = "surface",
                                        [TEXTURE] = "texture",
                                        [CONSTANT] = "constant",
                                        [ASYNC] = "async"};
    static const char *const spaces[] = {".global", ".shared::cta", ".shared::cluster"};
    const char *space = "";
    if (kind == ASYNC && random_chance(random, 60))
        space = spaces[random_chance(random, 30) ? random_below(random, 3)
                                                 : sample->proxies.shared + 0u];
    bool is_membar = (kind == ALIAS || kind == ASYNC) && random_chance(random, 15);
    snprintf(text, size, "%s.proxy.%s%s", is_membar ? "membar" : "fence", names[kind], space);
}

static void one_way(unsigned kind, bool is_release, char *text, size_t size,
                    const struct sample_mood *mood, struct random *random) {
    if (kind == ASYNC)
        snprintf(text, size, "fence.proxy.async::generic.%s",
                 is_release ? "release.sync_restrict::shared::cta.cluster"
                            : "acquire.sync_restrict::shared::cluster.cluster");
    else if (is_release)
        snprintf(text, size, "fence.proxy.tensormap::generic.release.%s",
                 sample_scope(mood, random));
    else
        snprintf(text, size, "fence.proxy.tensormap::generic.acquire.%s [x%s], 128",
                 sample_scope(mood, random), random_chance(random, 12) ? "+128" : "");
}

// Puts a fence where it belongs, or elsewhere, or nowhere.
static void place_fence(struct sample *sample, const char *text, unsigned slot,
                        struct random *random) {
    unsigned luck = random_below(random, 100);
    if (luck < 8)
        return;
    add_fence(sample, text, luck < 32 ? random_below(random, sample->proxies.slots) : slot);
}

// From the proxy of the source to the generic one, and perhaps the release of a pair.
static void plan_source(struct sample *sample, bool is_one_way, const struct sample_mood *mood,
                        struct random *random) {
    unsigned from = aliases[sample->proxies.source].kind;
    unsigned to = aliases[sample->proxies.destination].kind;
    char text[80];
    if (from != GENERIC) {
        both_ways(sample, from, text, sizeof text, random);
        place_fence(sample, text, 0, random);
    }
    if (is_one_way) {
        one_way(to, true, text, sizeof text, mood, random);
        place_fence(sample, text, 0, random);
    }
}

static bool is_second_address(unsigned alias) {
    return strchr(aliases[alias].name, 'g') != NULL;
}

static void plan_alias(struct sample *sample, struct random *random) {
    char text[80];
    bool needed =
        is_second_address(sample->proxies.source) != is_second_address(sample->proxies.destination);
    if (!needed && !random_chance(random, 5))
        return;
    both_ways(sample, ALIAS, text, sizeof text, random);
    place_fence(sample, text, random_below(random, sample->proxies.slots), random);
}

static void plan_destination(struct sample *sample, bool is_one_way, const struct sample_mood *mood,
                             struct random *random) {
    unsigned to = aliases[sample->proxies.destination].kind;
    char text[80];
    if (to == GENERIC)
        return;
    if (is_one_way)
        one_way(to, false, text, sizeof text, mood, random);
    else
        both_ways(sample, to, text, sizeof text, random);
    place_fence(sample, text, sample->proxies.slots - 1, random);
}

// What leads an effect from the one proxy to the other, and now and then something else.
static void plan_fences(struct sample *sample, const struct sample_mood *mood,
                        struct random *random) {
    unsigned to = aliases[sample->proxies.destination].kind;
    char text[80];
    if (sample->proxies.slots == 0)
        return;
    bool is_one_way = to == TENSORMAP || (to == ASYNC && random_chance(random, 40) &&
                                          (sample->proxies.shared || random_chance(random, 20)));
    plan_source(sample, is_one_way, mood, random);
    plan_alias(sample, random);
    plan_destination(sample, is_one_way, mood, random);
    if (random_chance(random, 20)) {
        both_ways(sample, mood->before_9_1 ? ALIAS : ASYNC, text, sizeof text, random);
        add_fence(sample, text, random_below(random, sample->proxies.slots));
    }
}

// The fences of the next place, in the order in which they were planned or in the other.
static void make_fences(struct sample *sample, struct sample_thread *thread,
                        struct random *random) {
    struct sample_proxies *proxies = &sample->proxies;
    bool backwards = random_chance(random, 15);
    for (unsigned i = 0; i < proxies->fence_count; i++) {
        const struct sample_fence *fence =
            &proxies->fence[backwards ? proxies->fence_count - 1 - i : i];
        if (fence->slot == proxies->slot)
            sample_line(thread, "%s", fence->text);
    }
    proxies->slot++;
}

static void make_special(struct sample *sample, struct sample_thread *thread, char letter,
                         int location, const struct sample_mood *mood, struct random *random) {
    if (letter == 'P')
        make_fences(sample, thread, random);
    else if (letter == 'V' || letter == 'U')
        proxied_access(sample, thread, letter == 'V', mood, random);
    else
        sample_barrier(sample, thread, letter, location, mood, random);
}

// --- Tests ---------------------------------------------------------------------------------------

// Two or three threads of anything.
static void random_shape(char *shape, struct random *random) {
    static const char *const parts[] = {"Vx", "Vx", "Ux", "Ux", "Ux", "P",  "P", "P",
                                        "P",  "Ly", "Qy", "F",  "wy", "ry", "Ay"};
    unsigned threads = 2 + random_below(random, 2);
    shape[0] = '\0';
    for (unsigned t = 0; t < threads; t++) {
        unsigned count = 2 + random_below(random, 5 - threads);
        strcat(shape, t ? "|Vx" : "Ux");
        for (unsigned i = 0; i < count; i++)
            strcat(shape, parts[random_below(random, sizeof parts / sizeof parts[0])]);
    }
}

static void declare(struct sample *sample, const char *format, const char *a, const char *b,
                    const char *c) {
    snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0],
             format, a, b, c);
}

static void declare_all(struct sample *sample) {
    if (sample->proxies.shared)
        declare(sample, ".shared .align 128 .%s%s%s x[64] = {0, 0}", "b32", "", "");
    else
        declare(sample, ".global .align 128 .%s%s%s x[64]", "b32", "", "");
    for (unsigned i = 0; i < ALIAS_COUNT; i++)
        if (aliases[i].of && strcmp(aliases[i].of, "xg") == 0 && (sample->proxies.used & 1u << i))
            sample->proxies.used |= 1u << SECOND_ADDRESS;
    for (unsigned i = 0; i < ALIAS_COUNT; i++)
        if (aliases[i].of && (sample->proxies.used & 1u << i))
            declare(sample, "%s @ %s aliases %s", aliases[i].name, aliases[i].proxy, aliases[i].of);
    if (!sample->proxies.shared)
        snprintf(sample->shown[sample->shown_count++], sizeof sample->shown[0], "x[0]");
}

void sample_proxies(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    char shape[80];
    sample->location_count = 1;
    sample->proxies.shared = random_chance(random, 20);
    sample->proxies.source = random_alias(sample, true, mood, random);
    do
        sample->proxies.destination = random_alias(sample, false, mood, random);
    while (sample->proxies.destination == sample->proxies.source && random_chance(random, 80));
    sample->aliased[1] = random_chance(random, 20);
    if (random_chance(random, 15))
        random_shape(shape, random);
    else if (aliases[sample->proxies.destination].kind == TENSORMAP && random_chance(random, 40))
        snprintf(shape, sizeof shape, "Vx P wy|ry P Ux"); // its fences synchronise alone
    else if (random_chance(random, 40))
        snprintf(shape, sizeof shape, "%s", shapes[random_below(random, 3)]);
    else
        snprintf(shape, sizeof shape, "%s",
                 shapes[random_below(random, sizeof shapes / sizeof shapes[0])]);
    for (const char *at = shape; *at; at++)
        sample->proxies.slots += *at == 'P';
    plan_fences(sample, mood, random);
    sample_shape(sample, shape, mood, make_special, random);
    declare_all(sample);
}
