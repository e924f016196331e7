// Cells that operations take turns at.
#ifndef PTXLITMUS_SOLVER_ENCODE_TURNS_H
#define PTXLITMUS_SOLVER_ENCODE_TURNS_H

#include "solver/encode/values.h"

// --- Cells that operations take turns at (encode/turns.c) --------------------------------------

// Two writes of one such cell in co.
struct co_pair {
    unsigned a, b;
};

struct turns {
    bool *has_cell;              // by cell: the operations there are found to take turns
    const struct event **starts; // by cell: a write before all of them, or NULL: the initial one
    unsigned *cell_of;      // by event of an operation: 1 more than its cell, 0 of other events
    unsigned *write_of;     // by event of an operation: its write
    struct domain *domains; // by read: its values, given how many operations come before it for
                            // sure and after it; none where they depend on which ones these are
    bool *by_place;         // by read: its value is a function of co (encode/reads.c)
    struct co_pair *pairs;  // by variable, from `first_variable` on; of other variables 0 and 0
    literal first_variable;
    size_t pair_count;
    signed char *
        *closures; // by cell, node and polarity: whether follows_rf (encode/nodes.c), or -1
};

// Finds the cells that only atomic operations write, `least` of them or more (0: as many as pay),
// of which the axioms say that they are a single chain. Comes after memory_prepare, before all that
// follows.
void turns_find(struct encoder *encoder, unsigned least);

// Asserts that each operation reads from its predecessor.
void turns_constrain(struct encoder *encoder);

// Whether all edges of a graph (as of acyclic_require) lead from operations to later ones, so that
// it has no cycle.
bool turns_order(struct encoder *encoder, const unsigned *events, size_t count,
                 const literal *edges);

// Whether two events are of operations at one cell at which operations take turns.
static inline bool turns_share(const struct encoder *encoder, unsigned a, unsigned b) {
    const unsigned *cell_of = encoder->turns->cell_of;
    return cell_of[a] != 0 && cell_of[a] == cell_of[b];
}

// Returns the write of an event's operation.
static inline unsigned turns_write(const struct encoder *encoder, unsigned event) {
    return encoder->turns->write_of[event];
}

// Whether the event is a read.
static inline bool turns_is_read(const struct encoder *encoder, unsigned event) {
    return encoder->program->events[event].kind == EVENT_READ;
}

#endif
