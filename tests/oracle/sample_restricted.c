// Random tests of restricted fences: data and flags in the shared memory of the CTAs of a cluster,
// or in .global, and fences with .sync_restrict and without between their accesses.
#include "tests/oracle/sample.h"

#include <string.h>

// V and U are any write and read, K and J strong ones, M an atom; O stands for a fence that
// releases, I for one that acquires; other letters as in sample.c and sample_barriers.c.
static const char *const shapes[] = {
    "Vx O Ky|Jy I Ux",           "Vx O Ky|Jy I Vx",         "Vx O Ky|Jy I O Kz|Jz I Ux",
    "Vx O Ky|Jy I Kz|Jz I Ux",   "Vx O Ky|Jy O Kz|Jz I Ux", "Vx Ky|Jy I O Kz|Jz I Ux",
    "Vx O Ky|Jy O I Kz|Jz I Vx", "Vx O My|My I Ux",         "Vx O Ky|My|Jy I Ux",
    "Vx O My|Vx O My|Jy I Ux",   "Kx|Jx O Ky|Jy I Ux",      "Vx O Ky|Jy I Vx|Ux",
    "Ux O Ky|Jy I Vx",           "Vx O I Uy|Vy O I Ux",     "Vx O Ky Kz|Jz I Ux",
    "Vx Vz O Ky|Jy I Uz Ux",     "Vx O Ky|Jy F Kz|Jz I Ux", "Vx O C G|C G I Ux",
    "Vx O Ky|Jy I C G|C G Ux",   "Vx O Ky|Jy I B|B Ux",
};

// `.cluster` mostly, where the others are; `.gpu` where they are in several clusters.
static const char *scope_of(const struct sample *sample, struct random *random) {
    static const char *const scopes[] = {"cta", "cluster", "gpu", "sys"};
    if (random_chance(random, 85))
        return scopes[sample->restricted.is_apart ? 2 : 1];
    return scopes[random_below(random, 4)];
}

// --- Accesses ------------------------------------------------------------------------------------

// Makes the address depend on what was read: the location's own CTA, or that of some thread.
static void choose_place(const struct sample *sample, struct sample_thread *thread, char name,
                         char *address, size_t size, struct random *random) {
    unsigned next = thread->next_register++;
    unsigned other = sample->thread[random_below(random, sample->thread_count)].cta;
    sample_line(thread, "mapa.shared::cluster.u32 %%n%u, %c, %u", next, name, other);
    sample_line(thread, "setp.eq.u32 %%p%u, %s, 1", next, sample_loaded(thread, random));
    sample_line(thread, "selp.b32 %%n%u, %s, %%n%u, %%p%u", next, address, next, next);
    snprintf(address, size, "%%n%u", next);
}

// The state space and the address of a location: that of its CTA in the thread's cluster, by way of
// mapa, or by its name where it is the thread's own.
static void place_of(struct sample *sample, struct sample_thread *thread, unsigned location,
                     const char **space, char *address, size_t size, struct random *random) {
    struct sample_restricted *restricted = &sample->restricted;
    unsigned index = (unsigned)(thread - sample->thread), bit = 1u << location;
    char name = "xyz"[location];
    *space = restricted->is_global[location] ? "global" : "shared";
    snprintf(address, size, "%c", name);
    bool is_own = restricted->home[location] == thread->cta;
    if (restricted->is_global[location] || (is_own && random_chance(random, 60)))
        return;
    if (!(restricted->mapped[index] & bit))
        sample_first_line(thread, "mapa.shared::cluster.u32 %%m%c, %c, %u", name, name,
                          restricted->home[location]);
    restricted->mapped[index] |= bit;
    *space = "shared::cluster";
    snprintf(address, size, "%%m%c", name);
    if (thread->loaded_count > 0 && random_chance(random, 12))
        choose_place(sample, thread, name, address, size, random);
}

// ".relaxed.cluster" and the like; `weak` and `stronger`: percent of accesses that are so.
static void order_of(const struct sample *sample, char *text, size_t size, unsigned weak,
                     unsigned stronger, const char *one_way, struct random *random) {
    const char *order = random_chance(random, stronger) ? one_way : "relaxed";
    if (random_chance(random, weak))
        snprintf(text, size, "%s", random_chance(random, 50) ? "" : ".weak");
    else
        snprintf(text, size, ".%s.%s", order, scope_of(sample, random));
}

static char *new_register(struct sample_thread *thread) {
    char *name = thread->loaded[thread->loaded_count++];
    snprintf(name, sizeof thread->loaded[0], "%%r%u", thread->next_register++);
    return name;
}

static void make_access(struct sample *sample, struct sample_thread *thread, char letter,
                        unsigned location, struct random *random) {
    const char *space;
    char address[8], order[24];
    bool is_strong = letter == 'K' || letter == 'J';
    place_of(sample, thread, location, &space, address, sizeof address, random);
    if (letter == 'M') {
        bool is_red = random_chance(random, 30);
        order_of(sample, order, sizeof order, 0, 20, is_red ? "release" : "acq_rel", random);
        if (is_red)
            sample_line(thread, "red%s.%s.add.u32 [%s], 1", order, space, address);
        else
            sample_line(thread, "atom%s.%s.add.u32 %s, [%s], 1", order, space, new_register(thread),
                        address);
    } else if (letter == 'V' || letter == 'K') {
        order_of(sample, order, sizeof order, is_strong ? 3 : 75, 15, "release", random);
        sample_line(thread, "st%s.%s.u32 [%s], %u", order, space, address,
                    sample->writes[location] + 1);
    } else {
        order_of(sample, order, sizeof order, is_strong ? 3 : 75, 15, "acquire", random);
        sample_line(thread, "ld%s.%s.u32 %s, [%s]", order, space, new_register(thread), address);
    }
    sample->writes[location] += strchr("VKM", letter) != NULL;
    sample->reads[location] += strchr("UJM", letter) != NULL;
}

// --- Fences --------------------------------------------------------------------------------------

static void make_fence(const struct sample *sample, struct sample_thread *thread, bool is_release,
                       struct random *random) {
    unsigned luck = random_below(random, 100);
    const char *one_way = is_release ? "release" : "acquire";
    if (luck < 62)
        sample_line(thread, "fence.%s.sync_restrict::shared::%s.cluster", one_way,
                    is_release ? "cta" : "cluster");
    else if (luck < 76)
        sample_line(thread, "fence.%s.%s", one_way, scope_of(sample, random));
    else if (luck < 95)
        sample_line(thread, "fence.acq_rel.%s", scope_of(sample, random));
}

static void make_special(struct sample *sample, struct sample_thread *thread, char letter,
                         int location, const struct sample_mood *mood, struct random *random) {
    if (letter == 'O' || letter == 'I')
        make_fence(sample, thread, letter == 'O', random);
    else if (location >= 0)
        make_access(sample, thread, letter, (unsigned)location, random);
    else
        sample_barrier(sample, thread, letter, location, mood, random);
}

// --- Tests ---------------------------------------------------------------------------------------

// In two CTAs of a cluster, in three, or in the first CTA of two clusters.
static void place_threads(struct sample *sample, struct random *random) {
    unsigned luck = random_below(random, 100);
    sample->restricted.is_apart = luck < 15;
    for (unsigned t = 0; t < sample->thread_count; t++) {
        struct sample_thread *thread = &sample->thread[t];
        bool is_last = t + 1 == sample->thread_count;
        thread->has_cluster = true;
        if (sample->restricted.is_apart)
            thread->cluster = random_below(random, 2);
        else if (luck < 30)
            thread->cta = t < 3 ? t : 2;
        else
            thread->cta = is_last ? random_chance(random, 85) : t > 0 && random_chance(random, 50);
    }
}

// Where `x`, `y` and `z` are. `x` is the data, so it is often where the first thread is.
static void place_locations(struct sample *sample, struct random *random) {
    struct sample_restricted *restricted = &sample->restricted;
    for (unsigned l = 0; l < SAMPLE_LOCATIONS; l++) {
        unsigned thread =
            l == 0 && random_chance(random, 55) ? 0 : random_below(random, sample->thread_count);
        restricted->home[l] = sample->thread[thread].cta;
        restricted->is_global[l] = random_chance(random, l > 0 && restricted->is_apart ? 60 : 12);
        char *text = sample->declaration[sample->declaration_count++];
        snprintf(text, sizeof sample->declaration[0], ".%s .u32 %c = 0",
                 restricted->is_global[l] ? "global" : "shared", "xyz"[l]);
        if (restricted->is_global[l])
            snprintf(sample->shown[sample->shown_count++], sizeof sample->shown[0], "%c", "xyz"[l]);
    }
}

// Two or three threads of anything.
static void random_shape(char *shape, struct random *random) {
    static const char *const parts[] = {"Vx", "Ux", "Ux", "Vy", "Uy", "Ky", "Ky", "Jy", "Jy",
                                        "Kz", "Jz", "My", "O",  "O",  "O",  "I",  "I",  "I"};
    unsigned threads = 2 + random_below(random, 2);
    shape[0] = '\0';
    for (unsigned t = 0; t < threads; t++) {
        unsigned count = 3 + random_below(random, 6 - threads);
        strcat(shape, t ? "|Ux" : "Vx");
        for (unsigned i = 0; i < count; i++)
            strcat(shape, parts[random_below(random, sizeof parts / sizeof parts[0])]);
    }
}

void sample_restricted(struct sample *sample, const struct sample_mood *mood,
                       struct random *random) {
    char shape[80];
    if (random_chance(random, 20))
        random_shape(shape, random);
    else
        snprintf(shape, sizeof shape, "%s",
                 shapes[random_below(random, sizeof shapes / sizeof shapes[0])]);
    sample->thread_count = sample_shape_threads(shape);
    sample->location_count = SAMPLE_LOCATIONS;
    place_threads(sample, random);
    place_locations(sample, random);
    sample_shape(sample, shape, mood, make_special, random);
}
