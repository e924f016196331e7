// The encoder, and what the files of this folder share with each other and with no other folder:
// gates.h, values.h, memory.h, turns.h, barriers.h and nodes.h. Each part of these headers names
// the file that implements it.
//
// Literals that are returned hold exactly when what the comment says does ("whether"), or as their
// `polarity` says. Values live in the encoder's arena. Events, cells, nodes and phase pairs are
// indices into the program and the model. No function fails: after the backend has, they return
// LITERAL_NONE or some value (backend.h).
#ifndef PTXLITMUS_SOLVER_ENCODE_ENCODER_H
#define PTXLITMUS_SOLVER_ENCODE_ENCODER_H

#include "solver/encode/encode.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

struct barriers;      // barriers.h
struct closure_steps; // nodes.h
struct event_state;   // memory.h
struct final_state;   // memory.h
struct pair_table;    // gates.h
struct turns;         // turns.h
struct pending;       // a deferred definition (encode/nodes.c)
struct node_slot;     // tables of unrolled nodes (encode/nodes.c)
struct domains;       // encode/domains.c

struct encoder {
    struct arena *arena;
    struct backend *backend;
    const struct program *program;
    const struct model *model;
    const struct facts *facts;
    struct bounds *bounds;
    struct diagnostics *diagnostics;
    bool failed;
    unsigned n;

    struct expr_pool *folder;
    const struct encoded_value **values; // by expression
    size_t value_capacity;
    struct event_state *events;
    struct final_state *finals; // by cell
    struct domains *domains;

    struct barriers *barriers; // NULL without any

    struct turns *turns;
    struct pair_table *co;
    struct pair_table *sc;
    bool sc_open; // pairs were asked for since the last orders_finish
    struct pair_table *both;
    struct pair_table *base[BASE_REL_COUNT][2]; // by polarity: OVER, UNDER

    struct pair_table **nodes[2]; // by polarity and node
    struct node_slot *slots;      // unrolled nodes
    struct pending *pending;
    size_t pending_count, pending_capacity;
    struct closure_steps **steps; // by node: NULL when not known yet
    size_t *group_pairs;          // by node: pairs of its recursive definition, 0 when not counted
    signed char *must_closed;     // by node: see encode/nodes.c; -1 when not known yet
};

#endif
