// Names of cycles. Families are those of diy7, and of the papers before it.
#include "generate/text.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

// A family by its edges, where "dWR" is any edge of a thread from a write to a read of another
// location.
static const struct {
    const char *name, *shape;
} families[] = {
    {"MP", "dWW Rfe dRR Fre"},
    {"SB", "dWR Fre dWR Fre"},
    {"LB", "dRW Rfe dRW Rfe"},
    {"R", "dWW Coe dWR Fre"},
    {"S", "dWW Rfe dRW Coe"},
    {"2+2W", "dWW Coe dWW Coe"},
    {"WRC", "Rfe dRW Rfe dRR Fre"},
    {"ISA2", "dWW Rfe dRW Rfe dRR Fre"},
    {"RWC", "Rfe dRR Fre dWR Fre"},
    {"W+RWC", "dWW Rfe dRR Fre dWR Fre"},
    {"WWC", "Rfe dRW Rfe dRW Coe"},
    {"WRW+WR", "Rfe dRW Coe dWR Fre"},
    {"WRR+2W", "Rfe dRR Fre dWW Coe"},
    {"WRW+2W", "Rfe dRW Coe dWW Coe"},
    {"3.SB", "dWR Fre dWR Fre dWR Fre"},
    {"3.LB", "dRW Rfe dRW Rfe dRW Rfe"},
    {"3.2W", "dWW Coe dWW Coe dWW Coe"},
    {"Z6.0", "dWW Rfe dRW Coe dWR Fre"},
    {"Z6.1", "dWW Coe dWW Rfe dRW Coe"},
    {"Z6.2", "dWW Rfe dRW Rfe dRW Coe"},
    {"Z6.3", "dWW Coe dWW Rfe dRR Fre"},
    {"Z6.4", "dWW Coe dWR Fre dWR Fre"},
    {"Z6.5", "dWW Coe dWW Coe dWR Fre"},
    {"IRIW", "Rfe dRR Fre Rfe dRR Fre"},
    {"IRRWIW", "Rfe dRR Fre Rfe dRW Coe"},
    {"IRWIW", "Rfe dRW Coe Rfe dRW Coe"},
    {"CoRR", "Rfe sRR Fre"},
    {"CoRW", "Rfe sRW Coe"},
};

// Edges of a thread are left open, communications are not.
static const char *shape_of(struct arena *arena, const struct cycle *cycle) {
    const char *shape = "";
    for (size_t i = 0; i < cycle->count; i++) {
        struct edge edge = cycle->edges[i];
        bool communicates = edge.kind == EDGE_RF || edge.kind == EDGE_FR || edge.kind == EDGE_CO;
        bool orders = !communicates && edge.kind != EDGE_BAR && edge.kind != EDGE_RMW;
        edge.nearness = NEAR_UNSAID;
        edge.kind = orders ? EDGE_PO : edge.kind;
        const char *word = edge_word(arena, &edge);
        shape = arena_format(arena, "%s%s%s", shape, i > 0 ? " " : "",
                             word + (orders ? strlen("Po") : 0));
    }
    return shape;
}

// Turns the cycle to its next beginning of a thread.
static void next_thread(struct cycle *cycle) {
    do {
        cycle_turn(cycle);
    } while (!cycle->edges[cycle->count - 1].is_external);
}

static const char *family_of(struct arena *arena, const struct cycle *cycle) {
    const char *shape = shape_of(arena, cycle);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strcmp(families[i].shape, shape) == 0)
            return families[i].name;
    return NULL;
}

// Turns the cycle to a beginning of its family, whose name is returned, or to any when it has none,
// and NULL is: of several to the one whose words come first, so that equal cycles have one name.
static const char *find_family(struct arena *arena, struct cycle *cycle) {
    const char *family = NULL, *words = NULL;
    struct cycle best = *cycle;
    for (unsigned turn = 0; turn < cycle->thread_count; turn++) {
        const char *here = family_of(arena, cycle), *text = cycle_words(arena, cycle);
        bool is_named = here != NULL && family == NULL;
        bool is_other = here == NULL && family != NULL;
        if (!is_other && (is_named || words == NULL || strcmp(text, words) < 0)) {
            family = here;
            words = text;
            best = *cycle;
        }
        next_thread(cycle);
    }
    *cycle = best;
    return family;
}

// What the name says of an edge of a thread.
static const char *edge_part(struct arena *arena, const struct edge *edge) {
    switch (edge->kind) {
    case EDGE_PO: return edge->is_same ? "pos" : "po";
    case EDGE_ADDR: return edge->is_same ? "addrs" : "addr";
    case EDGE_DATA: return edge->is_same ? "datas" : "data";
    case EDGE_CTRL: return edge->is_same ? "ctrls" : "ctrl";
    case EDGE_FENCE: return arena_format(arena, "%s%s", edge->between, edge->is_same ? "-s" : "");
    case EDGE_RMW: return "rmw";
    case EDGE_RF: return "rfi";
    case EDGE_FR: return "fri";
    case EDGE_CO: return "coi";
    case EDGE_BAR: break;
    }
    return "";
}

static const char *joined(struct arena *arena, const char *parts, const char *part) {
    return *part == '\0' ? parts : arena_format(arena, "%s%s%s", parts, *parts ? "-" : "", part);
}

static const char *mark_part(struct arena *arena, const struct mark *mark, const char *usual) {
    const char *order = mark->order != NULL && strcmp(mark->order, usual) != 0 ? mark->order : "";
    return mark->view == NULL ? order
                              : arena_format(arena, "%s%s%s", order, *order ? "." : "", mark->view);
}

// What the name says of the thread that begins at an event: "" of one access without a mark.
static const char *thread_part(struct arena *arena, const struct cycle *cycle, size_t first,
                               const char *usual) {
    const char *parts = "";
    for (size_t i = first;; i++) {
        parts = joined(arena, parts, mark_part(arena, &cycle->marks[i], usual));
        if (!cycle_is_internal(cycle, i))
            return parts;
        parts = joined(arena, parts, edge_part(arena, &cycle->edges[i]));
    }
}

// "+fence.sc.gpu+addr" or, where all threads with several accesses are alike, "+fence.sc.gpus".
static const char *threads_part(struct arena *arena, const struct cycle *cycle, const char *usual) {
    const char *all = "", *first = NULL;
    bool alike = true, plain = true;
    unsigned count = 0;
    for (size_t i = 0; i < cycle->count; i++) {
        if (i > 0 && cycle_is_internal(cycle, i - 1))
            continue;
        const char *part = thread_part(arena, cycle, i, usual);
        if (*part == '\0')
            continue;
        first = first == NULL ? part : first;
        alike = alike && strcmp(first, part) == 0;
        plain = plain && strcmp(part, "po") == 0;
        all = arena_format(arena, "%s+%s", all, part);
        count++;
    }
    if (plain)
        return "";
    return alike && count > 1 ? arena_format(arena, "+%ss", first) : all;
}

// "+cta", or "+cta-gpu" of edges in their order; "" when all are on one GPU.
static const char *places_part(struct arena *arena, const struct cycle *cycle) {
    const char *all = "", *first = NULL;
    bool alike = true;
    for (size_t i = 0; i < cycle->count; i++) {
        if (cycle_is_internal(cycle, i))
            continue;
        const char *word = nearness_word(cycle->edges[i].nearness);
        first = first == NULL ? word : first;
        alike = alike && strcmp(first, word) == 0;
        all = joined(arena, all, word);
    }
    assert(first != NULL);
    if (alike)
        return strcmp(first, "gpu") == 0 ? "" : arena_format(arena, "+%s", first);
    return arena_format(arena, "+%s", all);
}

// Without a family: the accesses of each thread and how it goes on, "WW-Rfe-RR-Fre".
static const char *family_of_shape(struct arena *arena, const struct cycle *cycle) {
    const char *name = "";
    for (size_t i = 0; i < cycle->count; i++) {
        const char *access = cycle->events[i].kind == ACCESS_READ ? "R" : "W";
        struct edge edge = cycle->edges[i];
        edge.nearness = NEAR_UNSAID;
        name = arena_format(arena, "%s%s", name, access);
        if (edge.is_external)
            name = arena_format(arena, "%s-%s-", name,
                                edge.kind == EDGE_BAR ? "bar" : edge_word(arena, &edge));
        else if (edge.is_same)
            name = arena_format(arena, "%ss", name);
    }
    return arena_strndup(arena, name, strlen(name) - 1);
}

const char *cycle_name(struct arena *arena, struct cycle *cycle, const struct text_style *style) {
    const char *family = find_family(arena, cycle);
    if (!cycle_resolve(cycle, NEAR_GPU, NULL))
        assert(!"a cycle that was resolved is not, once it is turned");
    if (family == NULL)
        family = family_of_shape(arena, cycle);
    return arena_format(arena, "%s%s%s", family, threads_part(arena, cycle, style->order),
                        places_part(arena, cycle));
}
