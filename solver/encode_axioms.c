// Axioms: what a model requires, flags or presupposes.
//
// Acyclicity is encoded by vertex elimination (Rankooh and Rintanen, "Propositional Encodings of
// Acyclicity and Reachability by Using Vertex Elimination", AAAI 2022), on the strongly connected
// components of what may be in the relation: an event is taken out of the graph, and each path
// through it becomes an edge, until a cycle would be two edges between two events.

#include "solver/encode_internal.h"

#include "litmus/source/allocate.h"

#include <stdlib.h>
#include <string.h>

// --- Vertex elimination ------------------------------------------------------------------------

// The graph that is left. Edges are literals, 0 where there is none.
struct graph {
    unsigned count;
    unsigned *events;   // of the vertices
    literal *edges;     // count * count
    bool *own;          // edges whose variable is this graph's: they may get more implications
    unsigned *in, *out; // degrees
    bool *gone;
};

static literal *edge(const struct graph *graph, unsigned a, unsigned b) {
    return &graph->edges[(size_t)a * graph->count + b];
}

static void add_edge(struct graph *graph, unsigned a, unsigned b, literal l) {
    if (*edge(graph, a, b) == 0) {
        graph->out[a]++;
        graph->in[b]++;
    }
    *edge(graph, a, b) = l;
}

// An edge for the path over `middle`; `first` and `second` are its two steps.
static void add_shortcut(struct encoder *encoder, struct graph *graph, unsigned a, unsigned b,
                         literal first, literal second) {
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

static void eliminate(struct encoder *encoder, struct graph *graph, unsigned v, literal guard) {
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
static unsigned cheapest(const struct graph *graph) {
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

static struct graph graph_new(unsigned count) {
    struct graph graph = {.count = count};
    graph.events = allocate(count, sizeof *graph.events);
    graph.edges = allocate((size_t)count * count, sizeof *graph.edges);
    graph.own = allocate((size_t)count * count, sizeof *graph.own);
    graph.in = allocate(count, sizeof *graph.in);
    graph.out = allocate(count, sizeof *graph.out);
    graph.gone = allocate(count, sizeof *graph.gone);
    return graph;
}

static void graph_free(struct graph *graph) {
    free(graph->events);
    free(graph->edges);
    free(graph->own);
    free(graph->in);
    free(graph->out);
    free(graph->gone);
}

// --- Acyclicity --------------------------------------------------------------------------------

// The component of `first` in the graph of all that may be related.
static struct graph component(struct encoder *encoder, unsigned node, const struct relation *paths,
                              unsigned first) {
    unsigned count = 0;
    for (unsigned a = 0; a < encoder->n; a++)
        count += relation_has(paths, first, a) && relation_has(paths, a, first);
    struct graph graph = graph_new(count);
    count = 0;
    for (unsigned a = 0; a < encoder->n; a++)
        if (relation_has(paths, first, a) && relation_has(paths, a, first))
            graph.events[count++] = a;
    for (unsigned a = 0; a < graph.count; a++)
        for (unsigned b = 0; b < graph.count; b++) {
            literal l = a == b ? LITERAL_FALSE
                               : node_pair(encoder, node, graph.events[a], graph.events[b], COVERS);
            if (l != LITERAL_FALSE)
                add_edge(&graph, a, b, l);
        }
    return graph;
}

static bool is_first_of_component(const struct relation *paths, unsigned event) {
    if (!relation_has(paths, event, event))
        return false;
    for (unsigned a = 0; a < event; a++)
        if (relation_has(paths, a, event) && relation_has(paths, event, a))
            return false;
    return true;
}

static void require_irreflexive(struct encoder *encoder, unsigned node, literal guard) {
    for (unsigned a = 0; a < encoder->n; a++)
        if (relation_has(&encoder->bounds->nodes[node].may, a, a))
            clause2(encoder, -node_pair(encoder, node, a, a, COVERS), -guard);
}

static void require_acyclic(struct encoder *encoder, unsigned node, literal guard) {
    struct relation paths = relation_new(encoder->arena, encoder->n);
    relation_copy(&paths, &encoder->bounds->nodes[node].may);
    relation_close(&paths);
    require_irreflexive(encoder, node, guard);
    for (unsigned first = 0; first < encoder->n; first++) {
        if (!is_first_of_component(&paths, first))
            continue;
        struct graph graph = component(encoder, node, &paths, first);
        for (unsigned i = 0; i < graph.count && !backend_failed(encoder->backend); i++)
            eliminate(encoder, &graph, cheapest(&graph), guard);
        graph_free(&graph);
    }
}

void axiom_require_acyclic_edges(struct encoder *encoder, const unsigned *events, size_t count,
                                 const literal *edges) {
    struct graph graph = graph_new((unsigned)count);
    memcpy(graph.events, events, count * sizeof *events);
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = 0; b < count; b++)
            if (edges[a * count + b] != 0)
                add_edge(&graph, a, b, edges[a * count + b]);
    for (size_t i = 0; i < count && !backend_failed(encoder->backend); i++)
        eliminate(encoder, &graph, cheapest(&graph), LITERAL_TRUE);
    graph_free(&graph);
}

// --- Emptiness ---------------------------------------------------------------------------------

static void require_empty(struct encoder *encoder, unsigned node, literal guard) {
    const struct bound *bound = &encoder->bounds->nodes[node];
    bool is_set = encoder->model->nodes[node].is_set;
    for (unsigned a = 0; a < encoder->n; a++) {
        if (is_set && event_set_has(&bound->may_set, a))
            clause2(encoder, -node_event(encoder, node, a, COVERS), -guard);
        for (unsigned b = 0; !is_set && b < encoder->n; b++)
            if (relation_has(&bound->may, a, b))
                clause2(encoder, -node_pair(encoder, node, a, b, COVERS), -guard);
    }
}

void axiom_require(struct encoder *encoder, const struct model_axiom *axiom, literal guard) {
    switch (axiom->kind) {
    case AXIOM_EMPTY: require_empty(encoder, axiom->node, guard); break;
    case AXIOM_IRREFLEXIVE: require_irreflexive(encoder, axiom->node, guard); break;
    case AXIOM_ACYCLIC: require_acyclic(encoder, axiom->node, guard); break;
    }
}

// --- Presence ----------------------------------------------------------------------------------

static literal within(struct encoder *encoder, unsigned node, unsigned a, unsigned b) {
    return encoder->model->nodes[node].is_set ? node_event(encoder, node, a, WITHIN)
                                              : node_pair(encoder, node, a, b, WITHIN);
}

// A literal that implies that the axiom's relation is not empty, irreflexive or acyclic.
static literal present(struct encoder *encoder, const struct model_axiom *axiom) {
    bool is_set = encoder->model->nodes[axiom->node].is_set;
    struct disjunction d = {0};
    if (axiom->kind == AXIOM_ACYCLIC) {
        closure_within_diagonal(encoder, axiom->node, &d);
        return disjunction_close(encoder, &d, WITHIN, "broken", axiom->node, 0);
    }
    for (unsigned a = 0; a < encoder->n && !d.holds; a++)
        for (unsigned b = 0; b < (is_set ? 1 : encoder->n) && !d.holds; b++)
            if (axiom->kind == AXIOM_EMPTY || a == b)
                disjunction_add1(&d, within(encoder, axiom->node, a, b));
    return disjunction_close(encoder, &d, WITHIN, "broken", axiom->node, 0);
}

literal encode_axiom(struct encoder *encoder, const struct model_axiom *axiom, bool holds) {
    if (holds == axiom->negated)
        return present(encoder, axiom);
    literal guard = backend_variable(encoder->backend, "holds", axiom->node, 0);
    axiom_require(encoder, axiom, guard);
    return guard;
}

literal encode_axiom_pair(struct encoder *encoder, const struct model_axiom *axiom, unsigned a,
                          unsigned b) {
    return node_pair(encoder, axiom->node, a, b, WITHIN);
}

bool encode_find_pair(struct encoder *encoder, const struct model_axiom *axiom, unsigned *a,
                      unsigned *b) {
    bool is_set = encoder->model->nodes[axiom->node].is_set;
    for (*a = 0; *a < encoder->n; ++*a)
        for (*b = 0; *b < (is_set ? 1 : encoder->n); ++*b)
            if (backend_literal_value(encoder->backend, within(encoder, axiom->node, *a, *b)))
                return true;
    return false;
}
