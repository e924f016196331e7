// Random tests of multimem addresses: accesses through one and through the variables to which it
// points, flags of both kinds, alias fences between; asynchronous stores, reductions and bulk
// copies to one.
#include "tests/oracle/sample.h"

#include <string.h>

// s, l and d store to, load from and reduce at m, which points to x and v; v stores to v, u loads
// it, f is an alias fence; a and t are multimem.st.async and multimem.red.async. c and e are a bulk
// copy of o to w, which points to g and h, and a bulk reduction there, i waits for their groups; k,
// g and p store to, load from and reduce at w; h loads h, q stores to o, n is a proxy fence. Other
// letters as in sample.c.
static const char *const shapes[] = {
    "s|l",
    "s l",
    "d|d",
    "d|d l",
    "d Dx|l",
    "Wx l",
    "s Rx",
    "s f Rx",
    "Wx f l",
    "Wy d|l Ry",
    "Wy d|Rx Ry",
    "Wy d|u Ry",
    "s Ly|Qy l",
    "s Ly|Qy Rx",
    "s f Ly|Qy Rx",
    "s Ly|Qy f Rx",
    "s f Ly|Qy f u",
    "Wx Ly|Qy l",
    "Wx f Ly|Qy l",
    "Wx Ly|Qy f l",
    "Wx d|v d|l l",
    "s l|s l",
    "d l|d l",
    "s s|l l",
    "s|l l|d",
    "l Wy|Qy s",
    "l Ly|Ry s",
    "v s|l u",
    "Wy a|l Ry",
    "Wy a|l Ry",
    "Wy t|l Ry",
    "Wy a|u Ry",
    "Wy a f|Rx Ry",
    "t|t l",
    "t|d l",
    "a|d|l",
    "a Ly|Qy l",
    "Wy t a|l Ry",
    "Wy F a|l F Ry",
    "c|h",
    "c i h",
    "c i f h",
    "c i g",
    "q n c i f h",
    "q c i g",
    "c i Ly|Qy g",
    "c i f Ly|Qy h",
    "c i Ly|Qy f h",
    "c i n Ly|Qy g",
    "c|c",
    "c|k",
    "c|e",
    "e|e",
    "e|p",
    "e i p|g",
    "e e|h",
    "e i Ly|Qy g",
    "e i Ly|Qy e",
    "e i f Ly|Qy h",
    "k n Ly|Qy e",
    "k Ly|Qy n e",
    "k Ly|Qy c",
    "g Ly|Qy n c",
    "c i q|h",
    "c q",
    "d F Wy|Qy F l",
    "s F Ly|Qy F f u",
    "Wy F d|l F Ry",
    "s Wy|Ry f v l",
    "Wy s|l F Ry",
    "l d|Rx Wy|u Ry",
};

static void address_text(struct sample_thread *thread, char *text, size_t size,
                         struct random *random) {
    snprintf(text, size, "m");
    if (!random_chance(random, 20))
        return;
    unsigned number = thread->next_register++;
    sample_line(thread, "mov.u64 %%a%u, m", number);
    snprintf(text, size, "%%a%u", number);
}

static void value_text(struct sample_thread *thread, char *text, size_t size,
                       struct random *random) {
    snprintf(text, size, "%u", 1 + random_below(random, 3));
    if (thread->loaded_count > 0 && random_chance(random, 25))
        snprintf(text, size, "%s", sample_loaded(thread, random));
}

static const char *operation(struct random *random) {
    static const char *const operations[] = {"add.u32", "add.s32", "add.u32", "min.u32", "max.s32",
                                             "and.b32", "or.b32",  "xor.b32", "max.u32", "min.s32"};
    return operations[random_below(random, sizeof operations / sizeof operations[0])];
}

static void access_all(struct sample *sample, struct sample_thread *thread, char letter,
                       const struct sample_mood *mood, struct random *random) {
    char address[16], value[16], order[24];
    if (letter == 'l' && thread->loaded_count == SAMPLE_LOADS)
        return;
    address_text(thread, address, sizeof address, random);
    value_text(thread, value, sizeof value, random);
    sample_order(order, sizeof order, letter == 'l' ? "acquire" : "release", mood, random);
    if (letter == 'd' && (order[0] == '\0' || strcmp(order, ".weak") == 0))
        snprintf(order, sizeof order, "%s", random_chance(random, 50) ? "" : ".relaxed.gpu");
    const char *space = random_chance(random, 80) ? ".global" : "";
    sample->reads[0] += letter == 's' ? 0 : 2 * sample->repeats;
    sample->writes[0] += letter == 'l' ? 0 : 2 * sample->repeats;
    if (letter == 's') {
        sample_line(thread, "multimem.st%s%s.b32 [%s], %s", order, space, address, value);
    } else if (letter == 'd') {
        sample_line(thread, "multimem.red%s%s.%s [%s], %s", order, space, operation(random),
                    address, value);
    } else {
        char *name = thread->loaded[thread->loaded_count++];
        snprintf(name, sizeof thread->loaded[0], "%%r%u", thread->next_register++);
        sample_line(thread, "multimem.ld_reduce%s%s.%s %s, [%s]", order, space, operation(random),
                    name, address);
        sample_first_line(thread, "mov.b32 %s, 7", name);
    }
}

// multimem.st.async and multimem.red.async.
static void access_later(struct sample *sample, struct sample_thread *thread, bool reduces,
                         struct random *random) {
    char address[16], value[16];
    const char *scope = random_chance(random, 50) ? "gpu" : "sys";
    address_text(thread, address, sizeof address, random);
    value_text(thread, value, sizeof value, random);
    const char *space = random_chance(random, 80) ? ".global" : "";
    sample->reads[0] += reduces ? 2 * sample->repeats : 0;
    sample->writes[0] += 2 * sample->repeats;
    if (reduces)
        sample_line(thread, "multimem.red.async.release.%s%s.add.%c32 [%s], %s", scope, space,
                    random_chance(random, 50) ? 'u' : 's', address, value);
    else
        sample_line(thread, "multimem.st.async.release.%s%s.b32 [%s], %s", scope, space, address,
                    value);
}

static void bulk(struct sample_thread *thread, bool reduces, struct random *random) {
    static const char *const operations[] = {"add.u64", "max.s64", "xor.b64", "min.u64"};
    static const char *const scopes[] = {".relaxed.gpu", ".relaxed.sys", ".relaxed.cta"};
    const char *order = random_chance(random, 40) ? scopes[random_below(random, 3)] : "";
    bool masked = !reduces && order[0] == '\0' && random_chance(random, 20);
    if (reduces)
        sample_line(thread,
                    "multimem.cp.reduce.async.bulk%s.global.shared::cta.bulk_group.%s [w], [o], 16",
                    order, operations[random_below(random, 4)]);
    else
        sample_line(
            thread, "multimem.cp.async.bulk%s.global.shared::cta.bulk_group%s%s [w], [o], 16%s",
            order, masked ? ".cp_mask" : "", order[0] ? ".b128" : "", masked ? ", 255" : "");
}

static void wait_for_groups(struct sample_thread *thread, struct random *random) {
    if (random_chance(random, 92))
        sample_line(thread, "cp.async.bulk.commit_group");
    sample_line(thread, "cp.async.bulk.wait_group%s 0", random_chance(random, 15) ? ".read" : "");
}

// A load of 64 bits, of which the lower half is shown.
static void load_wide(struct sample_thread *thread, bool copy, const struct sample_mood *mood,
                      struct random *random) {
    char order[24];
    if (thread->loaded_count == SAMPLE_LOADS)
        return;
    sample_order(order, sizeof order, "acquire", mood, random);
    char *name = thread->loaded[thread->loaded_count++];
    unsigned number = thread->next_register++;
    snprintf(name, sizeof thread->loaded[0], "%%r%u", number);
    if (copy)
        sample_line(thread, "ld%s.global.b64 %%l%u, [h]", order, number);
    else
        sample_line(thread, "multimem.ld_reduce%s.global.add.u64 %%l%u, [w]", order, number);
    sample_line(thread, "cvt.u32.u64 %s, %%l%u", name, number);
    sample_first_line(thread, "mov.b32 %s, 7", name);
}

static void write_wide(struct sample_thread *thread, bool reduces, const struct sample_mood *mood,
                       struct random *random) {
    char order[24];
    sample_order(order, sizeof order, "release", mood, random);
    if (reduces && (order[0] == '\0' || strcmp(order, ".weak") == 0))
        snprintf(order, sizeof order, "%s", random_chance(random, 50) ? "" : ".relaxed.gpu");
    sample_line(thread, "multimem.%s%s.global%s [w], %u", reduces ? "red" : "st", order,
                reduces ? ".add.u64" : ".b64", 4 + random_below(random, 2));
}

static void access_copy(struct sample *sample, struct sample_thread *thread, bool loads,
                        const struct sample_mood *mood, struct random *random) {
    char order[24];
    if (loads && thread->loaded_count == SAMPLE_LOADS)
        return;
    sample_order(order, sizeof order, loads ? "acquire" : "release", mood, random);
    if (!loads) {
        sample->writes[0] += sample->repeats;
        sample_line(thread, "st%s.b32 [v], %u", order, 4 + random_below(random, 2));
        return;
    }
    sample->reads[0] += sample->repeats;
    char *name = thread->loaded[thread->loaded_count++];
    snprintf(name, sizeof thread->loaded[0], "%%r%u", thread->next_register++);
    sample_line(thread, "ld%s.b32 %s, [v]", order, name);
    sample_first_line(thread, "mov.b32 %s, 7", name);
}

static void special(struct sample *sample, struct sample_thread *thread, char letter, int location,
                    const struct sample_mood *mood, struct random *random) {
    switch (letter) {
    case 's':
    case 'l':
    case 'd': access_all(sample, thread, letter, mood, random); break;
    case 'u':
    case 'v': access_copy(sample, thread, letter == 'u', mood, random); break;
    case 'a':
    case 't': access_later(sample, thread, letter == 't', random); break;
    case 'c':
    case 'e': bulk(thread, letter == 'e', random); break;
    case 'i': wait_for_groups(thread, random); break;
    case 'g':
    case 'h': load_wide(thread, letter == 'h', mood, random); break;
    case 'k':
    case 'p': write_wide(thread, letter == 'p', mood, random); break;
    case 'q':
        if (thread->cta == 0)
            sample_line(thread, "st.weak.shared.b64 [o], 3");
        break;
    case 'n':
        if (random_chance(random, 85))
            sample_line(thread, "fence.proxy.async");
        break;
    case 'f':
        if (random_chance(random, 85))
            sample_line(thread, "fence.proxy.alias");
        break;
    default: sample_barrier(sample, thread, letter, location, mood, random); break;
    }
}

void sample_multimem(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    static const char *const declared[] = {
        ".global .b32 x = 0",
        ".global .b32 v = 0",
        "multimem m = x, v",
        ".global .align 16 .b64 g[2] = {0, 0}",
        ".global .align 16 .b64 h[2] = {0, 0}",
        "multimem w = g, h",
        ".shared .align 16 .b64 o[2] = {1, 1}",
    };
    const char *shape = shapes[random_below(random, sizeof shapes / sizeof shapes[0])];
    sample->initialised = true;
    sample->location_count = 2;
    sample->type[0] = "b32";
    bool bulks = strpbrk(shape, "ce") != NULL;
    for (size_t i = 0; i < (bulks ? sizeof declared / sizeof declared[0] : 3); i++)
        snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0],
                 "%s", declared[i]);
    snprintf(sample->shown[sample->shown_count++], sizeof sample->shown[0], bulks ? "g[0]" : "x");
    snprintf(sample->shown[sample->shown_count++], sizeof sample->shown[0], bulks ? "h[1]" : "v");
    sample->thread_count = sample_shape_threads(shape);
    sample_shape(sample, shape, mood, special, random);
}
