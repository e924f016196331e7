// Cycles by trying one edge after the other. Of the turns of a cycle the first one is taken, in the
// order in which edges and marks are tried.
#include "generate/enumerate.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct cycle_walk {
    const struct enumeration *enumeration;
    struct edge *edges; // whose ends and nearness are definite
    size_t edge_count;
    size_t picked[CYCLE_EDGES_MAX]; // edges
    size_t marks[CYCLE_EDGES_MAX];
    size_t size;
    bool (*take)(void *context, const struct cycle *cycle);
    void *context;
};

// --- Edges -------------------------------------------------------------------------------------

static bool same_edge(const struct edge *a, const struct edge *b) {
    const char *x = a->between == NULL ? "" : a->between, *y = b->between == NULL ? "" : b->between;
    return a->kind == b->kind && a->is_external == b->is_external && a->is_same == b->is_same &&
           a->from == b->from && a->to == b->to && a->nearness == b->nearness && strcmp(x, y) == 0;
}

static void add_edge(struct cycle_walk *walk, const struct edge *edge) {
    for (size_t i = 0; i < walk->edge_count; i++)
        if (same_edge(&walk->edges[i], edge))
            return;
    walk->edges = reallocate(walk->edges, walk->edge_count + 1, sizeof *walk->edges);
    walk->edges[walk->edge_count++] = *edge;
}

static void add_ends(struct cycle_walk *walk, struct edge edge) {
    static const enum access_kind both[] = {ACCESS_WRITE, ACCESS_READ};
    const struct edge whole = edge;
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < 2; k++) {
            edge.from = whole.from == ACCESS_ANY ? both[i] : whole.from;
            edge.to = whole.to == ACCESS_ANY ? both[k] : whole.to;
            add_edge(walk, &edge);
        }
    }
}

static void add_all(struct cycle_walk *walk) {
    const struct enumeration *enumeration = walk->enumeration;
    for (size_t i = 0; i < enumeration->edge_count; i++) {
        struct edge edge = enumeration->edges[i];
        bool open = edge.is_external && edge.nearness == NEAR_UNSAID;
        for (size_t k = 0; k < (open ? enumeration->nearness_count : 1); k++) {
            edge.nearness = open ? enumeration->nearness[k] : enumeration->edges[i].nearness;
            add_ends(walk, edge);
        }
    }
}

// --- Which edges go together -------------------------------------------------------------------

static bool communicates(const struct edge *edge) {
    return edge->kind == EDGE_RF || edge->kind == EDGE_FR || edge->kind == EDGE_CO;
}

// Whether one edge after the other says more than one edge would.
static bool go_together(const struct edge *a, const struct edge *b) {
    if (a->to != b->from)
        return false;
    if (communicates(a) && communicates(b))
        return a->kind != EDGE_RF && b->kind == EDGE_RF;
    if (a->kind == EDGE_RMW && b->kind == EDGE_CO)
        return false; // what the atom reads is overwritten by that, too
    return communicates(a) || communicates(b) || a->kind == EDGE_RMW || b->kind == EDGE_RMW;
}

// Whether the walk, begun at edge `turn`, comes before the walk as it is.
static bool turn_is_earlier(const struct cycle_walk *walk, size_t turn) {
    for (size_t i = 0; i < walk->size; i++) {
        size_t k = (i + turn) % walk->size;
        if (walk->picked[k] != walk->picked[i])
            return walk->picked[k] < walk->picked[i];
        if (walk->marks[k] != walk->marks[i])
            return walk->marks[k] < walk->marks[i];
    }
    return false;
}

static bool is_first_turn(const struct cycle_walk *walk) {
    for (size_t turn = 1; turn < walk->size; turn++)
        if (turn_is_earlier(walk, turn))
            return false;
    return true;
}

// --- The walk ----------------------------------------------------------------------------------

static bool take_cycle(struct cycle_walk *walk) {
    struct cycle cycle = {.count = walk->size};
    if (!is_first_turn(walk))
        return true;
    for (size_t i = 0; i < walk->size; i++) {
        cycle.edges[i] = walk->edges[walk->picked[i]];
        cycle.marks[i] = walk->enumeration->marks[walk->marks[i]];
    }
    return !cycle_resolve(&cycle, NEAR_GPU, NULL) || walk->take(walk->context, &cycle);
}

static bool fits(const struct mark *mark, enum access_kind kind) {
    const char *order = mark->order == NULL ? "" : mark->order;
    return strncmp(order, kind == ACCESS_READ ? "release" : "acquire", strlen("release")) != 0;
}

// Marks the accesses from the `at`-th on.
static bool walk_marks(struct cycle_walk *walk, size_t at) {
    if (at == walk->size)
        return take_cycle(walk);
    for (size_t i = 0; i < walk->enumeration->mark_count; i++) {
        walk->marks[at] = i;
        if (fits(&walk->enumeration->marks[i], walk->edges[walk->picked[at]].from) &&
            !walk_marks(walk, at + 1))
            return false;
    }
    return true;
}

// Picks the edges after the first `at` ones, of which `before` is the last.
static bool walk_edges(struct cycle_walk *walk, size_t at, const struct edge *before) {
    const struct edge *first = &walk->edges[walk->picked[0]];
    if (at == walk->size)
        return !go_together(before, first) || walk_marks(walk, 0);
    for (size_t i = walk->picked[0]; i < walk->edge_count; i++) { // the least edge is the first
        walk->picked[at] = i;
        if (go_together(before, &walk->edges[i]) && !walk_edges(walk, at + 1, &walk->edges[i]))
            return false;
    }
    return true;
}

static bool walk_all(struct cycle_walk *walk) {
    for (size_t i = 0; i < walk->edge_count; i++) {
        walk->picked[0] = i;
        if (!walk_edges(walk, 1, &walk->edges[i]))
            return false;
    }
    return true;
}

bool enumerate_cycles(const struct enumeration *enumeration,
                      bool (*take)(void *context, const struct cycle *cycle), void *context) {
    struct cycle_walk walk = {.enumeration = enumeration, .take = take, .context = context};
    assert(enumeration->mark_count > 0 && enumeration->nearness_count > 0);
    assert(enumeration->size_max <= CYCLE_EDGES_MAX);
    add_all(&walk);
    bool all = true;
    for (walk.size = enumeration->size_min; all && walk.size <= enumeration->size_max; walk.size++)
        all = walk_all(&walk);
    free(walk.edges);
    return all;
}
