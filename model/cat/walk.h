// The one walk over a model's graph: operands before their users, and the equations of a `let rec`
// until they are closed. What is computed of a node is for the caller to say: its value in an
// execution, bounds of it, what its pairs cost, how it grows.
#ifndef PTXLITMUS_MODEL_WALK_H
#define PTXLITMUS_MODEL_WALK_H

#include "model/cat/model.h"

#include <stdbool.h>

struct model_algebra {
    const struct model *model;
    void *context;
    // Computes what is wanted of a node from that of its operands, of a recursive name from its
    // body. Returns whether that has changed, which matters for recursive names alone: they start
    // with what the caller gives them.
    bool (*compute)(void *context, unsigned node);
    bool (*is_over)(void *context); // whether to give up; NULL: never
};

// Walks over all nodes.
void model_walk(const struct model_algebra *algebra);

// Returns how many operands an operator has: 0 for base sets and relations.
unsigned model_operand_count(enum node_op op);

// Returns the last node of the equations whose recursive names begin at `first`.
unsigned model_group_end(const struct model *model, unsigned first);

#endif
