// Whether a dependency that is left out could have ruled out an execution: only on a cycle of
// reads-from and dependencies (memory-model section 4, no thin air). Exits that reads decide on
// (exits and thin air) may close a cycle over base causality, which is not known here: any may.

#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/memory/memory.h"

#include <assert.h>
#include <string.h>

enum { EDGES_MAX = 1 << 20 };

struct cycle_edge {
    unsigned from, to;
};

// What may be on a cycle: at first all events, then those that have an edge in and one out.
struct dependency_graph {
    struct arena *scratch;
    struct cycle_edge *edges;
    size_t count; // EDGES_MAX: too many
    bool *stays;  // by event
};

static void add_edge(struct dependency_graph *graph, unsigned from, unsigned to) {
    if (graph->count == EDGES_MAX)
        return;
    graph->edges = arena_grow(graph->scratch, graph->edges, graph->count, sizeof *graph->edges);
    graph->edges[graph->count++] = (struct cycle_edge){from, to};
}

static void add_list(struct dependency_graph *graph, const struct dependency_list *list,
                     unsigned event) {
    for (size_t i = 0; i < list->count; i++)
        add_edge(graph, list->items[i].event, event);
}

static void add_reads_from(struct dependency_graph *graph, const struct program *program,
                           const struct event *read) {
    assert(read->kind == EVENT_READ);
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].kind == EVENT_WRITE && cells_may_overlap(read, &program->events[i]))
            add_edge(graph, (unsigned)i, read->id);
}

static void add_edges(struct dependency_graph *graph, const struct builder *builder) {
    const struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        add_list(graph, &event->addr, event->id);
        add_list(graph, &event->data, event->id);
        add_list(graph, &event->ctrl, event->id);
        add_list(graph, &event->passed, event->id);
        if (event->kind == EVENT_READ)
            add_reads_from(graph, program, event);
    }
    for (const struct left_out *left = builder->left_out; left != NULL; left = left->next)
        add_edge(graph, left->read, left->event);
}

// Takes away events with no edge in or none out. Returns whether there was one.
static bool trim(struct dependency_graph *graph, bool *in, bool *out, size_t n) {
    bool changed = false;
    memset(in, 0, n * sizeof *in);
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < graph->count; i++) {
        const struct cycle_edge *edge = &graph->edges[i];
        if (graph->stays[edge->from] && graph->stays[edge->to])
            out[edge->from] = in[edge->to] = true;
    }
    for (size_t i = 0; i < n; i++) {
        bool stays = graph->stays[i] && in[i] && out[i];
        changed |= stays != graph->stays[i];
        graph->stays[i] = stays;
    }
    return changed;
}

static bool has_decided_exits(const struct program *program) {
    for (size_t i = 0; i < program->barriers.exit_count; i++)
        if (program->barriers.exits[i].read_count > 0)
            return true;
    return false;
}

bool dependencies_may_matter(const struct builder *builder) {
    enum { ROUNDS_MAX = 256 };
    size_t n = builder->program->event_count;
    if (builder->left_out == NULL)
        return false;
    if (has_decided_exits(builder->program))
        return true;
    struct arena *scratch = arena_new();
    struct dependency_graph graph = {.scratch = scratch, .stays = ARENA_ARRAY(scratch, bool, n)};
    bool *in = ARENA_ARRAY(scratch, bool, n), *out = ARENA_ARRAY(scratch, bool, n);
    memset(graph.stays, true, n * sizeof *graph.stays);
    add_edges(&graph, builder);
    for (unsigned i = 0; i < ROUNDS_MAX && graph.count < EDGES_MAX; i++)
        if (!trim(&graph, in, out, n))
            break;
    bool matters = graph.count == EDGES_MAX;
    for (const struct left_out *left = builder->left_out; left != NULL; left = left->next)
        matters |= graph.stays[left->read] && graph.stays[left->event];
    arena_free(scratch);
    return matters;
}
