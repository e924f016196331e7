// The graph of a model while it is being built: each expression once, operands before their users.
#ifndef PTXLITMUS_CAT_GRAPH_H
#define PTXLITMUS_CAT_GRAPH_H

#include "model/cat/model.h"

struct arena;
struct graph_entry;

struct graph {
    struct arena *arena;
    struct model_node *nodes;
    size_t count, capacity;
    struct graph_entry *entries; // the hash table
    bool group_open;             // the equations of a `let rec` are being built
    unsigned group_first;        // its first NODE_RECURSION
};

// The caller ends a graph with graph_free; the nodes stay, in the arena.
void graph_init(struct graph *graph, struct arena *arena);
void graph_free(struct graph *graph);

// Returns the index of the node with this operator and operands, made at need. `base` and operands
// that the operator does not have are 0. `span` is kept when the node is new.
unsigned graph_node(struct graph *graph, enum node_op op, bool is_set, unsigned left,
                    unsigned right, struct span span);
unsigned graph_base(struct graph *graph, enum node_op op, unsigned base, const char *name);

// Starts the equations of a `let rec`: its `count` recursion nodes are to be made next, by
// graph_recursion, and then their bodies. Until graph_close_group, nodes that depend on one are
// marked recursive.
void graph_open_group(struct graph *graph);
unsigned graph_recursion(struct graph *graph, bool is_set, const char *name, struct span span);
// Gives the recursion node its body. Least fixed points are computed upwards from it, so a body
// that is an older node gets a node of its own after the recursion.
void graph_set_body(struct graph *graph, unsigned recursion, unsigned body);
void graph_close_group(struct graph *graph);
// Whether the node depends on a recursion of the open group.
bool graph_is_open(const struct graph *graph, unsigned node);

// Keeps what the axioms need, in its order, and renumbers nodes and axioms.
void graph_prune(struct graph *graph, struct model_axiom *axioms, size_t axiom_count);

#endif
