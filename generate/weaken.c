// Steps down from a cycle.
#include "generate/weaken.h"

#include "litmus/source/arena.h"

#include <string.h>

struct weakening {
    struct arena *arena;
    const struct cycle *from;
    const char *order; // of accesses without marks
    struct cycle *cycles;
    size_t count;
};

static void add(struct weakening *weakening, const struct cycle *cycle) {
    struct cycle resolved = *cycle;
    if (!cycle_resolve(&resolved, NEAR_GPU, NULL))
        return;
    ARENA_APPEND(weakening->arena, weakening->cycles, weakening->count, resolved);
}

// Returns the text with the next smaller scope at its end, or NULL: "release.cta" of "release.gpu".
static const char *smaller_scope(const struct weakening *weakening, const char *text) {
    const char *dot = strrchr(text, '.');
    enum nearness scope = dot == NULL ? NEAR_UNSAID : nearness_read(dot + 1, strlen(dot + 1));
    if (scope == NEAR_UNSAID || scope == NEAR_CTA)
        return NULL;
    scope--;
    if (scope == NEAR_CLUSTER && !weakening->from->has_clusters)
        scope = NEAR_CTA;
    return arena_format(weakening->arena, "%.*s.%s", (int)(dot - text), text, nearness_word(scope));
}

static void weaken_access(struct weakening *weakening, size_t i) {
    struct cycle cycle = *weakening->from;
    const char *marked = cycle.marks[i].order, *order = marked == NULL ? weakening->order : marked;
    const char *dot = strchr(order, '.');
    const char *smaller = smaller_scope(weakening, order);
    if (smaller != NULL) {
        cycle.marks[i].order = smaller;
        add(weakening, &cycle);
    }
    if (dot == NULL)
        return;
    bool is_relaxed = strncmp(order, "relaxed", 7) == 0;
    cycle.marks[i].order = is_relaxed ? "weak" : arena_format(weakening->arena, "relaxed%s", dot);
    size_t previous = (i + cycle.count - 1) % cycle.count;
    bool is_atom = cycle.edges[i].kind == EDGE_RMW || cycle.edges[previous].kind == EDGE_RMW;
    if (!is_relaxed || !is_atom)
        add(weakening, &cycle);
}

// Nothing is left between two accesses.
static void leave_out(struct weakening *weakening, size_t i) {
    struct cycle cycle = *weakening->from;
    cycle.edges[i].kind = EDGE_PO;
    cycle.edges[i].between = NULL;
    add(weakening, &cycle);
}

static void weaken_fence(struct weakening *weakening, size_t i) {
    struct cycle cycle = *weakening->from;
    const char *fence = cycle.edges[i].between;
    const char *smaller = smaller_scope(weakening, fence);
    if (smaller != NULL) {
        cycle.edges[i].between = smaller;
        add(weakening, &cycle);
    }
    if (strncmp(fence, "fence.sc.", 9) == 0) {
        cycle.edges[i].between = arena_format(weakening->arena, "fence.acq_rel.%s", fence + 9);
        add(weakening, &cycle);
    } else {
        leave_out(weakening, i);
    }
}

const struct cycle *cycle_weaken(struct arena *arena, const struct cycle *cycle, const char *order,
                                 size_t *count) {
    struct weakening weakening = {.arena = arena, .from = cycle, .order = order};
    for (size_t i = 0; i < cycle->count; i++) {
        enum edge_kind kind = cycle->edges[i].kind;
        weaken_access(&weakening, i);
        if (kind == EDGE_FENCE)
            weaken_fence(&weakening, i);
        if (kind == EDGE_ADDR || kind == EDGE_DATA || kind == EDGE_CTRL)
            leave_out(&weakening, i);
    }
    *count = weakening.count;
    return weakening.cycles;
}
