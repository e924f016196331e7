// Lists of literals that grow.
#ifndef PTXLITMUS_SOLVER_BACKEND_LITERALS_H
#define PTXLITMUS_SOLVER_BACKEND_LITERALS_H

#include "solver/backend/backend.h"

#include "litmus/source/allocate.h"

// Starts as {0}; the owner frees `at`. In logs, clauses have a 0 after each, and no constants.
struct literals {
    literal *at;
    size_t count, capacity;
};

// Appends a literal.
static inline void literals_add(struct literals *list, literal l) {
    list->at = reallocate_for(list->at, &list->capacity, list->count + 1, sizeof *list->at);
    list->at[list->count++] = l;
}

#endif
