// Coordinates of tensor copies that depend on memory: which values they may have.
#ifndef PTXLITMUS_PROGRAM_CHOSEN_H
#define PTXLITMUS_PROGRAM_CHOSEN_H

#include "program/builder.h"
#include "program/expr/value_set.h"

// By thread, in the order in which they are met.
struct chosen_number {
    int thread;
    const struct expr *bits;
    struct value_set values;
};

struct chosen_numbers {
    struct arena *arena;
    struct chosen_number *items;
    size_t count;
    bool sought; // they are being looked for
};

// Finds the values of all such coordinates of a test, by running its threads. Returns NULL where it
// has no tensor copies; the result is in the arena of the setup.
struct chosen_numbers *chosen_find(const struct build_plan *plan, struct arena *arena);

#endif
