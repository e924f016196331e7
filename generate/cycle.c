// What a cycle stands for: directions by the edges on both sides, a new thread after each external
// edge, a new location after each edge between different ones, and values in coherence order.
#include "generate/cycle.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

bool cycle_is_internal(const struct cycle *cycle, size_t i) {
    assert(i < cycle->count);
    return !cycle->edges[i].is_external;
}

void cycle_turn(struct cycle *cycle) {
    struct edge edge = cycle->edges[0];
    struct mark mark = cycle->marks[0];
    assert(cycle->count > 0);
    memmove(cycle->edges, cycle->edges + 1, (cycle->count - 1) * sizeof *cycle->edges);
    memmove(cycle->marks, cycle->marks + 1, (cycle->count - 1) * sizeof *cycle->marks);
    cycle->edges[cycle->count - 1] = edge;
    cycle->marks[cycle->count - 1] = mark;
}

// --- Words -------------------------------------------------------------------------------------

static bool has_word(const char *const *words, size_t count, const char *text, size_t length) {
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && strncmp(words[i], text, length) == 0)
            return true;
    return false;
}

// order ["." scope]
static bool is_order(const char *text, size_t length) {
    static const char *const alone[] = {"weak", "volatile"};
    static const char *const scoped[] = {"relaxed", "acquire", "release"};
    const char *dot = memchr(text, '.', length);
    size_t order = dot == NULL ? length : (size_t)(dot - text);
    if (dot == NULL)
        return has_word(alone, 2, text, length);
    return has_word(scoped, 3, text, order) &&
           nearness_read(dot + 1, length - order - 1) != NEAR_UNSAID;
}

bool mark_read(struct arena *arena, struct span span, struct mark *mark,
               struct diagnostics *diagnostics) {
    static const char *const views[] = {"alias", "async", "texture", "surface", "constant"};
    const char *text = span.source->text + span.begin;
    size_t length = span.end - span.begin;
    const char *at = memchr(text, '@', length);
    size_t order = at == NULL ? length : (size_t)(at - text);
    const char *view = at == NULL ? NULL : arena_strndup(arena, at + 1, length - order - 1);
    if (order > 0 && !is_order(text, order)) {
        diag_error(diagnostics, span, "'%s' is not an order", arena_strndup(arena, text, order));
        diag_hint(diagnostics, "orders are weak, volatile, and relaxed, acquire and release with a "
                               "scope: 'release.gpu'");
        return false;
    }
    if (view != NULL && !has_word(views, sizeof views / sizeof *views, view, strlen(view))) {
        diag_error(diagnostics, span, "'%s' is not a proxy", view);
        diag_hint(diagnostics, "proxies are alias, async, texture, surface and constant");
        return false;
    }
    *mark = (struct mark){
        .order = order > 0 ? arena_strndup(arena, text, order) : NULL, .view = view, .span = span};
    return true;
}

// Marks begin with a small letter or '@', edges with a capital one.
static bool read_word(struct arena *arena, struct span span, struct cycle *cycle,
                      struct mark *first, struct diagnostics *diagnostics) {
    char begin = span.source->text[span.begin];
    struct mark *mark = cycle->count == 0 ? first : &cycle->marks[cycle->count];
    if (begin == '@' || islower((unsigned char)begin)) {
        if (mark->span.source != NULL)
            return diag_error(diagnostics, span, "the access before this has a mark already");
        return mark_read(arena, span, mark, diagnostics);
    }
    if (cycle->count == CYCLE_EDGES_MAX)
        return diag_error(diagnostics, span, "a cycle has at most %d edges", CYCLE_EDGES_MAX);
    if (!edge_read(arena, span, &cycle->edges[cycle->count], diagnostics))
        return false;
    cycle->count++;
    return true;
}

bool cycle_read(struct arena *arena, struct span span, struct cycle *cycle,
                struct diagnostics *diagnostics) {
    const char *text = span.source->text;
    struct mark first = {0}; // before the first edge, or after the last one
    memset(cycle, 0, sizeof *cycle);
    for (uint32_t at = span.begin; at < span.end;) {
        uint32_t end = at;
        while (end < span.end && !isspace((unsigned char)text[end]))
            end++;
        struct span word = {span.source, at, end};
        if (end > at && !read_word(arena, word, cycle, &first, diagnostics))
            return false;
        at = end + 1;
    }
    if (cycle->count == 0)
        return diag_error(diagnostics, span, "a cycle has edges: 'PodWW Rfe PodRR Fre'");
    struct mark *last = &cycle->marks[cycle->count]; // of the access where the cycle begins
    if (first.span.source != NULL && last->span.source != NULL)
        return diag_error(diagnostics, last->span,
                          "the access where the cycle begins has a mark already");
    cycle->marks[0] = first.span.source != NULL ? first : *last;
    return true;
}

// --- What follows ------------------------------------------------------------------------------

__attribute__((format(printf, 3, 4))) static bool
refuse(struct diagnostics *diagnostics, const struct edge *edge, const char *format, ...) {
    if (diagnostics == NULL)
        return false;
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vformat(diagnostics->arena, format, arguments);
    va_end(arguments);
    return diag_error(diagnostics, edge->span, "%s", message);
}

static const char *does(enum access_kind kind) {
    return kind == ACCESS_READ ? "reads" : "writes";
}

// The access between two edges does what both say.
static bool find_kinds(struct cycle *cycle, struct diagnostics *diagnostics) {
    for (size_t i = 0; i < cycle->count; i++) {
        struct edge *before = &cycle->edges[(i + cycle->count - 1) % cycle->count];
        struct edge *after = &cycle->edges[i];
        enum access_kind kind = after->from == ACCESS_ANY ? before->to : after->from;
        if (before->to != ACCESS_ANY && before->to != kind)
            return refuse(
                diagnostics, after,
                "'%s' begins with an access that %s, but '%s' before it ends with one that "
                "%s",
                after->word, does(kind), before->word, does(before->to));
        if (kind == ACCESS_ANY)
            return refuse(diagnostics, after,
                          "nothing says whether the access between '%s' and '%s' reads or writes",
                          before->word, after->word);
        before->to = after->from = kind;
        cycle->events[i] = (struct cycle_event){.kind = kind};
    }
    return true;
}

// A mark fits its access.
static bool check_marks(const struct cycle *cycle, struct diagnostics *diagnostics) {
    for (size_t i = 0; i < cycle->count; i++) {
        const struct mark *mark = &cycle->marks[i];
        enum access_kind kind = cycle->events[i].kind;
        bool acquires = mark->order != NULL && strncmp(mark->order, "acquire", 7) == 0;
        bool releases = mark->order != NULL && strncmp(mark->order, "release", 7) == 0;
        const struct edge place = {.span = mark->span};
        if ((acquires && kind == ACCESS_WRITE) || (releases && kind == ACCESS_READ))
            return refuse(diagnostics, &place, "'%s' is for a %s, and this access %s", mark->order,
                          acquires ? "read" : "write", does(kind));
    }
    return true;
}

// Turns the cycle until its last edge leads to another thread, and numbers threads and locations.
static bool find_threads(struct cycle *cycle, struct diagnostics *diagnostics) {
    unsigned external = 0, changes = 0;
    const struct edge *only = &cycle->edges[0];
    for (size_t i = 0; i < cycle->count; i++) {
        external += cycle->edges[i].is_external;
        changes += !cycle->edges[i].is_same;
        only = cycle->edges[i].is_same ? only : &cycle->edges[i];
    }
    if (external < 2)
        return refuse(diagnostics, &cycle->edges[0],
                      "a cycle leads through two threads at least: it needs two edges of Rfe, Fre, "
                      "Coe and BarSync");
    if (changes == 1)
        return refuse(diagnostics, only,
                      "'%s' leads to another location, and no other edge leads back", only->word);
    while (!cycle->edges[cycle->count - 1].is_external)
        cycle_turn(cycle);
    unsigned thread = 0, location = 0;
    for (size_t i = 0; i < cycle->count; i++) {
        cycle->events[i].thread = thread;
        cycle->events[i].location = changes == 0 ? 0 : location % changes;
        thread += cycle->edges[i].is_external;
        location += !cycle->edges[i].is_same;
    }
    cycle->thread_count = external;
    cycle->location_count = changes == 0 ? 1 : changes;
    return true;
}

// Where the accesses to one location begin: after an edge to another location or, if there is one
// alone, after program order, which is what such a cycle contradicts.
static size_t first_of_location(const struct cycle *cycle) {
    size_t first = 0;
    bool found = false;
    for (size_t i = 0; i < cycle->count && !found; i++) {
        const struct edge *edge = &cycle->edges[i];
        bool orders = !edge->is_external && edge->kind != EDGE_RF && edge->kind != EDGE_FR &&
                      edge->kind != EDGE_CO && edge->kind != EDGE_RMW;
        if (!edge->is_same || (cycle->location_count == 1 && (orders || edge->kind == EDGE_BAR))) {
            first = (i + 1) % cycle->count;
            found = true;
        }
    }
    return first;
}

// Values of a location are 0 and then, in coherence order, 1 and 2: the order of the cycle.
static bool find_values(struct cycle *cycle, struct diagnostics *diagnostics) {
    size_t first = first_of_location(cycle);
    memset(cycle->writes, 0, sizeof cycle->writes);
    memset(cycle->is_ordered, 0, sizeof cycle->is_ordered);
    for (size_t i = 0; i < cycle->count; i++)
        if (cycle->edges[i].kind == EDGE_CO || cycle->edges[i].kind == EDGE_FR)
            cycle->is_ordered[cycle->events[i].location] = true;
    for (size_t k = 0; k < cycle->count; k++) {
        size_t i = (first + k) % cycle->count, previous = (i + cycle->count - 1) % cycle->count;
        struct cycle_event *event = &cycle->events[i];
        unsigned *writes = &cycle->writes[event->location];
        event->value = event->kind == ACCESS_WRITE ? ++*writes : *writes;
        event->is_checked = event->kind == ACCESS_READ &&
                            (cycle->edges[previous].kind == EDGE_RF ||
                             cycle->edges[i].kind == EDGE_FR || cycle->edges[i].kind == EDGE_RMW);
        if (*writes > 2)
            return refuse(
                diagnostics, &cycle->edges[i],
                "one location would have three writes, of which an outcome shows only the "
                "last");
    }
    for (size_t i = 0; i < cycle->count; i++) // where atoms alone close the cycle, it began in it
        if (cycle->edges[i].kind == EDGE_RF)
            cycle->events[(i + 1) % cycle->count].value = cycle->events[i].value;
    return true;
}

// --- Places ------------------------------------------------------------------------------------

// Numbers the threads that edges of at most this nearness join.
static void join(const struct cycle *cycle, enum nearness nearness, unsigned *numbers) {
    unsigned count = 0, root[CYCLE_EDGES_MAX];
    for (unsigned t = 0; t < cycle->thread_count; t++)
        root[t] = t;
    for (size_t i = 0; i < cycle->count; i++) {
        const struct edge *edge = &cycle->edges[i];
        unsigned a = root[cycle->events[i].thread];
        unsigned b = root[cycle->events[(i + 1) % cycle->count].thread];
        for (unsigned t = 0;
             edge->is_external && edge->nearness <= nearness && t < cycle->thread_count; t++)
            root[t] = root[t] == a || root[t] == b ? (a < b ? a : b) : root[t];
    }
    for (unsigned t = 0; t < cycle->thread_count; t++)
        numbers[t] = root[t] == t ? count++ : numbers[root[t]];
}

static enum nearness nearness_of(const struct cycle *cycle, unsigned a, unsigned b) {
    return cycle->ctas[a] == cycle->ctas[b]           ? NEAR_CTA
           : cycle->clusters[a] == cycle->clusters[b] ? NEAR_CLUSTER
           : cycle->gpus[a] == cycle->gpus[b]         ? NEAR_GPU
                                                      : NEAR_SYSTEM;
}

static bool find_places(struct cycle *cycle, struct diagnostics *diagnostics) {
    join(cycle, NEAR_CTA, cycle->ctas);
    join(cycle, NEAR_CLUSTER, cycle->clusters);
    join(cycle, NEAR_GPU, cycle->gpus);
    cycle->has_clusters = false;
    for (size_t i = 0; i < cycle->count; i++) {
        const struct edge *edge = &cycle->edges[i];
        if (!edge->is_external)
            continue;
        unsigned a = cycle->events[i].thread;
        unsigned b = cycle->events[(i + 1) % cycle->count].thread;
        cycle->has_clusters = cycle->has_clusters || edge->nearness == NEAR_CLUSTER;
        if (nearness_of(cycle, a, b) != edge->nearness)
            return refuse(diagnostics, edge,
                          "'%s' joins P%u and P%u by .%s, but by the other edges they are nearer",
                          edge->word, a, b, nearness_word(edge->nearness));
    }
    return true;
}

// All threads of a CTA wait at its barriers, so it may have no others; and two threads that wait
// for each other at two barriers, in different orders, would hang.
static bool check_barriers(const struct cycle *cycle, struct diagnostics *diagnostics) {
    for (size_t i = 0; i < cycle->count; i++) {
        const struct edge *edge = &cycle->edges[i];
        unsigned near = 0, a = cycle->events[i].thread;
        if (edge->kind != EDGE_BAR)
            continue;
        for (unsigned t = 0; t < cycle->thread_count; t++)
            near += cycle->ctas[t] == cycle->ctas[a];
        if (near > 2)
            return refuse(
                diagnostics, edge,
                "all threads of a CTA wait at its barriers: '%s' needs a CTA of two threads",
                edge->word);
        for (size_t k = i + 1; k < cycle->count; k++)
            if (cycle->edges[k].kind == EDGE_BAR && cycle->thread_count == 2)
                return refuse(diagnostics, &cycle->edges[k],
                              "two threads with two barriers would wait for each other");
    }
    return true;
}

bool cycle_resolve(struct cycle *cycle, enum nearness nearness, struct diagnostics *diagnostics) {
    for (size_t i = 0; i < cycle->count; i++)
        if (cycle->edges[i].is_external && cycle->edges[i].nearness == NEAR_UNSAID)
            cycle->edges[i].nearness = nearness;
    if (!find_kinds(cycle, diagnostics) || !find_threads(cycle, diagnostics))
        return false;
    for (size_t i = 0; i < cycle->count; i++)
        cycle->events[i].kind = cycle->edges[i].from; // it may have been turned
    return check_marks(cycle, diagnostics) && find_values(cycle, diagnostics) &&
           find_places(cycle, diagnostics) && check_barriers(cycle, diagnostics);
}
