// The graph of a model while it is being built: each expression once, operands before their users.
#ifndef PTXLITMUS_CAT_GRAPH_H
#define PTXLITMUS_CAT_GRAPH_H

#include "model/cat/model.h"

struct arena;
struct graph_entry;

struct graph {
    struct arena *arena;
    struct model_node *nodes;
    size_t count;
    struct graph_entry *entries; // the hash table
    bool group_open;             // the equations of a `let rec` are being built
    unsigned group_first;        // its first NODE_RECURSION
};

// Starts an empty graph, which the caller ends with graph_free.
void graph_init(struct graph *graph, struct arena *arena);

// Frees what the graph has outside its arena; the nodes stay in the arena.
void graph_free(struct graph *graph);

// Returns the index of the node with this operator and operands, which is made when it is new; of
// what is left of it where an operand is `{}`.
// Operands that the operator does not have are 0. `span` is kept when the node is new.
unsigned graph_node(struct graph *graph, enum node_op op, bool is_set, unsigned left,
                    unsigned right, struct span span);

// Returns the index of the node of a base set or relation: `base` is its enum base_set or enum
// base_relation, and `name` (borrowed) its name in cat.
unsigned graph_base(struct graph *graph, enum node_op op, unsigned base, const char *name);

// Starts the equations of a `let rec`: its `count` recursion nodes are to be made next, by
// graph_recursion, and then their bodies. Until graph_close_group, nodes that depend on one are
// marked recursive.
void graph_open_group(struct graph *graph);

// Returns the index of a new recursion node of the open group; `name` is borrowed.
unsigned graph_recursion(struct graph *graph, bool is_set, const char *name, struct span span);

// Gives the recursion node its body. Least fixed points are computed upwards from it, so a body
// that is an older node gets a node of its own after the recursion.
void graph_set_body(struct graph *graph, unsigned recursion, unsigned body);

// Ends the equations of a `let rec`, all of whose recursion nodes have bodies.
void graph_close_group(struct graph *graph);

// Whether the node depends on a recursion of the open group.
bool graph_is_open(const struct graph *graph, unsigned node);

// Drops the nodes that no axiom depends on, and renumbers the others, in their order, in the graph
// and in the axioms.
void graph_prune(struct graph *graph, struct model_axiom *axioms, size_t axiom_count);

#endif
