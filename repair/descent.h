// A result that need not be the cheapest: from a strong choice down.
#ifndef PTXLITMUS_REPAIR_DESCENT_H
#define PTXLITMUS_REPAIR_DESCENT_H

#include "repair/changes.h"
#include "solver/solver.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;

// What a descent asks.
struct descent_question {
    struct arena *arena;
    const struct changes *changes;
    const size_t *first; // the choice below which it does not go
    // Whether what has to go is there with a choice, in `context`.
    enum truth (*allows)(void *context, const size_t *choice);
    void *context;
};

// Makes a choice with which what has to go is not there weaker, until no place can be. New barriers
// and other waits stay. Returns false where some answer was unknown.
bool descent_find(const struct descent_question *question, size_t *choice);

#endif
