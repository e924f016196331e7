// Values of a program's expressions in a candidate that is only partly chosen: known, or not yet.
#ifndef PTXLITMUS_ORACLE_EVALUATE_H
#define PTXLITMUS_ORACLE_EVALUATE_H

#include "litmus/program/expr.h"

#include "tests/oracle/wide.h"

#include <stdbool.h>

struct value {
    bool known;
    u128 bits; // above the expression's width: zero
};

// Evaluates with a memory of what it has seen. `leaf` gives the value of an EXPR_READ, READ_UNDEF,
// FINAL, FINAL_UNDEF, UNKNOWN, PASSES, MEETS, REDUCED or REDUCED_UNDEF, and may evaluate further
// expressions to find it.
struct evaluation {
    struct value (*leaf)(void *context, const struct expr *leaf);
    void *context;
    struct remembered *memory; // by expr->id; NULL until evaluation_init
    unsigned stamp;
    // Whether some value since evaluation_forget is beyond evaluation: an initial value that nobody
    // knows, or one of too many bits.
    bool met_unknown;
};

// Prepares for expressions whose ids are below `count`. The caller releases it with
// evaluation_free.
void evaluation_init(struct evaluation *evaluation, unsigned count);
void evaluation_free(struct evaluation *evaluation);

// Forgets every value: to be called when what `leaf` answers has changed.
void evaluation_forget(struct evaluation *evaluation);

// The value of `expr`. An expression that depends on its own value (through the leaves) is not
// known, nor is one of more than 128 bits.
struct value evaluate(struct evaluation *evaluation, const struct expr *expr);

#endif
