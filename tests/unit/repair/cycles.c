#include "cycles.h"

#include "litmus/source/arena.h"

#include <stddef.h>

enum { THREADS_MAX = 3 };

struct cycle_thread {
    bool writes[2]; // its two accesses
    unsigned cta, gpu;
};

struct cycle {
    struct arena *arena;
    uint64_t seed;
    bool strong;
    struct cycle_thread threads[THREADS_MAX];
    unsigned count;
};

uint32_t cycle_random(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static unsigned below(struct cycle *cycle, unsigned bound) {
    return cycle_random(&cycle->seed) % bound;
}

static const char *scope(struct cycle *cycle) {
    static const char *const scopes[] = {".cta", ".gpu", ".sys"};
    return scopes[cycle->strong ? 1 + below(cycle, 2) : below(cycle, 3)];
}

// ".relaxed.gpu"; of weak accesses ".weak".
static const char *order(struct cycle *cycle, bool writes) {
    unsigned kind = below(cycle, 8) + (cycle->strong ? 3 : 0);
    if (kind < 3)
        return ".weak";
    return arena_format(cycle->arena, "%s%s",
                        kind < 7 ? ".relaxed" : (writes ? ".release" : ".acquire"), scope(cycle));
}

static const char *fence(struct cycle *cycle) {
    static const char *const orders[] = {".acq_rel", ".sc", ".acquire", ".release"};
    if (below(cycle, 4) < (cycle->strong ? 1 : 3))
        return "";
    const char *strength = orders[below(cycle, cycle->strong ? 2 : 4)];
    return arena_format(cycle->arena, "fence%s%s", strength, scope(cycle));
}

// Thread t's second access and the next thread's first one are of variable t, and not both reads.
// Where both write, the next thread's value is 2.
static void choose(struct cycle *cycle) {
    cycle->count = 2 + (below(cycle, 3) == 0);
    bool spread = below(cycle, 3) != 0;
    for (unsigned t = 0; t < cycle->count; t++) {
        struct cycle_thread *next = &cycle->threads[(t + 1) % cycle->count];
        unsigned kind = below(cycle, 5);
        cycle->threads[t].writes[1] = kind != 0 && kind != 1;
        next->writes[0] = kind != 2 && kind != 3;
        cycle->threads[t].cta = spread ? t : below(cycle, 2);
        cycle->threads[t].gpu = spread && below(cycle, 6) == 0 ? t : 0;
    }
}

static const char *access(struct cycle *cycle, unsigned thread, unsigned i) {
    unsigned variable = (thread + (i == 0 ? cycle->count - 1 : 0)) % cycle->count;
    const char *strength = order(cycle, cycle->threads[thread].writes[i]);
    bool second = i == 0 && cycle->threads[(thread + cycle->count - 1) % cycle->count].writes[1];
    return cycle->threads[thread].writes[i]
               ? arena_format(cycle->arena, "st%s.global.u32 [x%u], %u", strength, variable,
                              second ? 2 : 1)
               : arena_format(cycle->arena, "ld%s.global.u32 %%r%u, [x%u]", strength, i, variable);
}

// What the condition says of variable t: the second access of thread t comes before the first one
// of the next thread.
static const char *link(struct cycle *cycle, unsigned t) {
    unsigned next = (t + 1) % cycle->count;
    bool before = cycle->threads[t].writes[1], after = cycle->threads[next].writes[0];
    if (before && after)
        return arena_format(cycle->arena, "x%u == 2", t);
    return before ? arena_format(cycle->arena, "P%u:%%r0 == 1", next)
                  : arena_format(cycle->arena, "P%u:%%r1 == 0", t);
}

static const char *row(struct cycle *cycle, const char *(*cell)(struct cycle *, unsigned)) {
    const char *text = "";
    for (unsigned t = 0; t < cycle->count; t++)
        text = arena_format(cycle->arena, "%s%s %s ", text, t > 0 ? "|" : "", cell(cycle, t));
    return arena_format(cycle->arena, "%s;\n", text);
}

static const char *name_cell(struct cycle *cycle, unsigned t) {
    return arena_format(cycle->arena, "P%u@cta %u,gpu %u", t, cycle->threads[t].cta,
                        cycle->threads[t].gpu);
}

static const char *first_cell(struct cycle *cycle, unsigned t) {
    return access(cycle, t, 0);
}

static const char *fence_cell(struct cycle *cycle, unsigned t) {
    (void)t;
    return fence(cycle);
}

static const char *last_cell(struct cycle *cycle, unsigned t) {
    return access(cycle, t, 1);
}

const char *cycle_text(struct arena *arena, uint64_t seed, bool strong) {
    struct cycle cycle = {.arena = arena, .seed = seed, .strong = strong};
    const char *condition = "", *variables = "";
    for (unsigned i = 0; i < 4; i++)
        cycle_random(&cycle.seed); // seeds next to each other begin alike
    choose(&cycle);
    for (unsigned t = 0; t < cycle.count; t++) {
        variables = arena_format(arena, "%s .global .u32 x%u = 0;", variables, t);
        condition = arena_format(arena, "%s%s%s", condition, t > 0 ? " /\\ " : "", link(&cycle, t));
    }
    const char *names = row(&cycle, name_cell), *first = row(&cycle, first_cell);
    const char *fences = row(&cycle, fence_cell), *last = row(&cycle, last_cell);
    return arena_format(arena, "PTX cycle\n{%s }\n%s%s%s%sexists (%s)\n", variables, names, first,
                        fences, last, condition);
}
