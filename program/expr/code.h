// Expressions as lists of operations on numbers, for those that are evaluated again and again:
// without a pool, and without a memory of what was computed before.
#ifndef PTXLITMUS_PROGRAM_EXPR_CODE_H
#define PTXLITMUS_PROGRAM_EXPR_CODE_H

#include "program/expr/expr.h"

struct expr_code;

// Returns the code of an expression whose leaves are constants and EXPR_UNKNOWN with an index below
// `inputs`. NULL where it has another leaf, or where it is too large to be worth it. The code lives
// in `arena`, and does not need the pool of the expression any more.
const struct expr_code *expr_code_new(struct arena *arena, const struct expr *expr,
                                      unsigned inputs);

// Returns the value of the expression where the leaf `i` is `inputs[i]`, of which no bits above its
// width are set.
struct bits128 expr_code_value(const struct expr_code *code, const struct bits128 *inputs);

#endif
