// Bit-vectors as lists of literals, the lowest bit first, and operations on them as circuits of
// clauses. Bits that are constant cost nothing.
#ifndef PTXLITMUS_SOLVER_BACKEND_CIRCUITS_H
#define PTXLITMUS_SOLVER_BACKEND_CIRCUITS_H

#include "solver/backend/backend.h"

// The widest bit-vector.
enum { WIDTH_MAX = 256 };

// A bit-vector: `width` literals, at most WIDTH_MAX.
struct bits {
    unsigned width;
    literal *at;
};

// What circuits are made with: new variables and clauses of a problem.
struct gates {
    void *context;
    literal (*variable)(void *context, const char *kind); // LITERAL_NONE after a failure
    void (*clause)(void *context, const literal *literals, size_t count);
};

// Writes the bits of an operation's result (not a leaf or constant) to `result`, which has its
// width; `args` has the bits of each operand. They mean what SMT-LIB says.
void circuit_apply(const struct gates *gates, const struct expr *operation, const struct bits *args,
                   literal *result);

// Writes a ? b : c for `width` bits.
void circuit_choose(const struct gates *gates, literal condition, const literal *b,
                    const literal *c, literal *result, unsigned width);

// Returns whether two bit-vectors of `width` bits are equal.
literal circuit_equal(const struct gates *gates, const literal *a, const literal *b,
                      unsigned width);

#endif
