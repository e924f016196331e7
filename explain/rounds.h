// Values of the nodes of a model's graph that follow from those of their operands: one after the
// other, and, where names are recursive, round by round until nothing changes.
#ifndef PTXLITMUS_EXPLAIN_ROUNDS_H
#define PTXLITMUS_EXPLAIN_ROUNDS_H

#include "model/cat/model.h"

struct arena;

struct node_rounds {
    const struct model *model;
    void *context;
    bool positive; // what a complement or a difference takes away does not matter
    bool (*is_known)(void *context, unsigned node);
    void (*start)(void *context, unsigned node);   // gives a node the value from which it changes
    bool (*compute)(void *context, unsigned node); // from its operands; whether it has changed
};

// Computes a node and all that it depends on, but for what is known. `arena` is for the time of the
// call.
void rounds_compute(struct arena *arena, const struct node_rounds *rounds, unsigned node);

#endif
