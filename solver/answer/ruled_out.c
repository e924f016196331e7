// Sets of states ruled out with few clauses.
//
// A set is a graph: from its first node on, each edge is what one observed value is, and each path
// to the end a state. Nodes from which the same paths begin are one node, so that states whose
// values do not depend on each other take a node for each value, however many they are. Each node
// has a literal, which says: no path from here is what the rest of the state is.

#include "solver/answer/listing.h"

#include "litmus/source/allocate.h"

#include <stdlib.h>
#include <string.h>

// What one value is, and the literal of the node that comes then: LITERAL_FALSE at the end.
struct graph_edge {
    struct state_value value;
    literal to;
};

struct graph_node {
    size_t depth, begin, count; // which value its edges are about, and which edges it has
    literal here;
    size_t next; // in its bucket: a number from 1, or 0
};

struct state_graph {
    struct listing *listing;
    struct graph_edge *edges;
    size_t edge_count, edge_capacity;
    struct graph_node *nodes;
    size_t node_count, node_capacity;
    size_t *buckets, bucket_count;
};

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static size_t bucket_of(const struct state_graph *graph, size_t depth, size_t begin) {
    uint64_t hash = depth;
    for (size_t i = begin; i < graph->edge_count; i++) {
        const struct graph_edge *edge = &graph->edges[i];
        hash = mix(hash, (uint64_t)edge->to);
        hash = mix(hash, edge->value.undef);
        if (!edge->value.undef)
            hash = mix(mix(hash, edge->value.value.low), edge->value.value.high);
    }
    return (size_t)(hash % graph->bucket_count);
}

static bool same_value(const struct state_value *a, const struct state_value *b) {
    return a->undef == b->undef &&
           (a->undef || (a->value.low == b->value.low && a->value.high == b->value.high));
}

// Whether a node has the edges from `begin` on.
static bool has_edges(const struct state_graph *graph, const struct graph_node *node, size_t depth,
                      size_t begin) {
    if (node->depth != depth || node->count != graph->edge_count - begin)
        return false;
    for (size_t i = 0; i < node->count; i++) {
        const struct graph_edge *a = &graph->edges[node->begin + i], *b = &graph->edges[begin + i];
        if (a->to != b->to || !same_value(&a->value, &b->value))
            return false;
    }
    return true;
}

size_t listing_pin(struct listing *listing, size_t i, const struct state_value *value,
                   literal *literals) {
    literals[0] = value->undef ? listing->undefs[i] : -listing->undefs[i];
    if (value->undef)
        return 1;
    literals[1] = encode_value_is(listing->run->encoder, listing->values[i], value->value);
    return 2;
}

// Asserts of a new node what it says: where a value is that of an edge, so does the node there.
static void define(struct state_graph *graph, const struct graph_node *node) {
    struct listing *listing = graph->listing;
    for (size_t i = 0; i < node->count; i++) {
        const struct graph_edge *edge = &graph->edges[node->begin + i];
        literal clause[4];
        size_t count = listing_pin(listing, node->depth, &edge->value, clause);
        for (size_t k = 0; k < count; k++)
            clause[k] = -clause[k];
        clause[count++] = edge->to;
        clause[count++] = -node->here;
        backend_clause(listing->run->backend, clause, count);
    }
}

// Returns the literal of the node that has the last edges, from `begin` on.
static literal node_of(struct state_graph *graph, size_t depth, size_t begin) {
    size_t *bucket = &graph->buckets[bucket_of(graph, depth, begin)];
    for (size_t i = *bucket; i != 0; i = graph->nodes[i - 1].next)
        if (has_edges(graph, &graph->nodes[i - 1], depth, begin)) {
            graph->edge_count = begin;
            return graph->nodes[i - 1].here;
        }
    struct graph_node node = {depth, begin, graph->edge_count - begin, LITERAL_NONE, *bucket};
    node.here = backend_variable(graph->listing->run->backend, "ruled_out", (unsigned)depth,
                                 (unsigned)graph->node_count);
    graph->nodes = reallocate_for(graph->nodes, &graph->node_capacity, graph->node_count + 1,
                                  sizeof *graph->nodes);
    graph->nodes[graph->node_count++] = node;
    *bucket = graph->node_count;
    define(graph, &node);
    return node.here;
}

// Returns the literal of the node for states, which agree in all that comes before `depth`.
static literal add_states(struct state_graph *graph, const struct state *states, size_t count,
                          size_t depth) {
    struct graph_edge few[8], *edges = few;
    size_t edge_count = 0, capacity = sizeof few / sizeof *few;
    if (depth == graph->listing->width)
        return LITERAL_FALSE;
    for (size_t begin = 0, end; begin < count; begin = end) {
        const struct state_value *value = &states[begin].values[depth];
        for (end = begin + 1; end < count && same_value(value, &states[end].values[depth]);)
            end++;
        if (edge_count == capacity) {
            struct graph_edge *more = allocate(2 * capacity, sizeof *more);
            memcpy(more, edges, edge_count * sizeof *more);
            if (edges != few)
                free(edges);
            edges = more;
            capacity *= 2;
        }
        literal to = add_states(graph, states + begin, end - begin, depth + 1);
        edges[edge_count++] = (struct graph_edge){*value, to};
    }
    size_t first = graph->edge_count;
    graph->edges = reallocate_for(graph->edges, &graph->edge_capacity, first + edge_count,
                                  sizeof *graph->edges);
    memcpy(graph->edges + first, edges, edge_count * sizeof *edges);
    graph->edge_count += edge_count;
    if (edges != few)
        free(edges);
    return node_of(graph, depth, first);
}

void listing_rule_out(struct listing *listing, size_t begin, literal guard) {
    size_t count = listing->count - begin;
    if (count == 0)
        return;
    struct state_graph graph = {.listing = listing, .bucket_count = 2 * count + 1};
    graph.buckets = allocate(graph.bucket_count, sizeof *graph.buckets);
    literal first = add_states(&graph, listing->states + begin, count, 0);
    backend_clause(listing->run->backend, LITERALS(-guard, first));
    free(graph.buckets);
    free(graph.nodes);
    free(graph.edges);
}
