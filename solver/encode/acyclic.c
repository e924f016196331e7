// Graphs without a cycle.
//
// Acyclicity is encoded by vertex elimination (Rankooh and Rintanen, "Propositional Encodings of
// Acyclicity and Reachability by Using Vertex Elimination", AAAI 2022), on the strongly connected
// components of what may be in the relation: an event is taken out of the graph, and each path
// through it becomes an edge, until a cycle would be two edges between two events.

#include "solver/encode/gates.h"
#include "solver/encode/nodes.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// The graph that is left. Edges are literals, 0 where there is none.
struct axiom_graph {
    unsigned count;
    unsigned *events;   // of the vertices
    literal *edges;     // count * count
    bool *own;          // edges whose variable is this graph's: they may get more implications
    unsigned *in, *out; // degrees
    bool *gone;
};

static literal *edge(const struct axiom_graph *graph, unsigned a, unsigned b) {
    return &graph->edges[(size_t)a * graph->count + b];
}

static void add_edge(struct axiom_graph *graph, unsigned a, unsigned b, literal l) {
    if (*edge(graph, a, b) == 0) {
        graph->out[a]++;
        graph->in[b]++;
    }
    *edge(graph, a, b) = l;
}

// An edge for the path over `middle`; `first` and `second` are its two steps.
static void add_shortcut(struct encoder *encoder, struct axiom_graph *graph, unsigned a, unsigned b,
                         literal first, literal second) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    literal old = *edge(graph, a, b);
    bool *own = &graph->own[(size_t)a * graph->count + b];
    if (old == LITERAL_TRUE)
        return;
    if (old == 0 && (first == LITERAL_TRUE || second == LITERAL_TRUE || first == second)) {
        add_edge(graph, a, b, first == LITERAL_TRUE ? second : first);
        return;
    }
    if (!*own) {
        literal variable =
            backend_variable(encoder->backend, "path", graph->events[a], graph->events[b]);
        if (old != 0)
            clause2(encoder, -old, variable);
        add_edge(graph, a, b, variable);
        *own = true;
    }
    clause3(encoder, -first, -second, *edge(graph, a, b));
}

static void eliminate(struct encoder *encoder, struct axiom_graph *graph, unsigned v,
                      literal guard) {
    for (unsigned a = 0; a < graph->count && !backend_failed(encoder->backend); a++) {
        literal first = graph->gone[a] || a == v ? 0 : *edge(graph, a, v);
        for (unsigned b = 0; first != 0 && b < graph->count; b++) {
            literal second = graph->gone[b] || b == v ? 0 : *edge(graph, v, b);
            if (second != 0 && a == b)
                clause3(encoder, -first, -second, -guard);
            else if (second != 0)
                add_shortcut(encoder, graph, a, b, first, second);
        }
    }
    graph->gone[v] = true;
    for (unsigned a = 0; a < graph->count; a++) {
        graph->out[a] -= *edge(graph, a, v) != 0;
        graph->in[a] -= *edge(graph, v, a) != 0;
    }
}

// The vertex whose elimination makes the fewest edges.
static unsigned cheapest(const struct axiom_graph *graph) {
    unsigned best = graph->count;
    size_t best_cost = SIZE_MAX;
    for (unsigned v = 0; v < graph->count; v++) {
        size_t cost = (size_t)graph->in[v] * graph->out[v];
        if (!graph->gone[v] && cost < best_cost) {
            best = v;
            best_cost = cost;
        }
    }
    return best;
}

static struct axiom_graph graph_new(unsigned count) {
    struct axiom_graph graph = {.count = count};
    graph.events = allocate(count, sizeof *graph.events);
    graph.edges = allocate((size_t)count * count, sizeof *graph.edges);
    graph.own = allocate((size_t)count * count, sizeof *graph.own);
    graph.in = allocate(count, sizeof *graph.in);
    graph.out = allocate(count, sizeof *graph.out);
    graph.gone = allocate(count, sizeof *graph.gone);
    return graph;
}

static void graph_free(struct axiom_graph *graph) {
    free(graph->events);
    free(graph->edges);
    free(graph->own);
    free(graph->in);
    free(graph->out);
    free(graph->gone);
}

void acyclic_require(struct encoder *encoder, const unsigned *events, size_t count,
                     const literal *edges, literal guard) {
    assert(edges != NULL || count == 0);
    struct axiom_graph graph = graph_new((unsigned)count);
    memcpy(graph.events, events, count * sizeof *events);
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = 0; b < count; b++)
            if (edges[a * count + b] != 0)
                add_edge(&graph, a, b, edges[a * count + b]);
    for (size_t i = 0; i < count && !backend_failed(encoder->backend); i++)
        eliminate(encoder, &graph, cheapest(&graph), guard);
    graph_free(&graph);
}
