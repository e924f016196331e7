// Short names for operations on conditions, which are expressions of one bit.
#ifndef PTXLITMUS_LITMUS_PROGRAM_EXPR_BOOLEAN_H
#define PTXLITMUS_LITMUS_PROGRAM_EXPR_BOOLEAN_H

#include "litmus/program/expr/expr.h"

static inline const struct expr *expr_and(struct expr_pool *pool, const struct expr *a,
                                          const struct expr *b) {
    return expr_binary(pool, EXPR_AND, a, b);
}

static inline const struct expr *expr_or(struct expr_pool *pool, const struct expr *a,
                                         const struct expr *b) {
    return expr_binary(pool, EXPR_OR, a, b);
}

static inline const struct expr *expr_not(struct expr_pool *pool, const struct expr *a) {
    return expr_unary(pool, EXPR_NOT, a);
}

static inline const struct expr *expr_eq(struct expr_pool *pool, const struct expr *a,
                                         const struct expr *b) {
    return expr_binary(pool, EXPR_EQ, a, b);
}

#endif
