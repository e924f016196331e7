// Short names for operations on conditions, which are expressions of one bit. As with all functions
// that make expressions (expr.h), the result belongs to the pool.
#ifndef PTXLITMUS_PROGRAM_EXPR_BOOLEAN_H
#define PTXLITMUS_PROGRAM_EXPR_BOOLEAN_H

#include "program/expr/expr.h"

// Returns the condition that both hold.
static inline const struct expr *expr_and(struct expr_pool *pool, const struct expr *a,
                                          const struct expr *b) {
    return expr_binary(pool, EXPR_AND, a, b);
}

// Returns the condition that at least one of the two holds.
static inline const struct expr *expr_or(struct expr_pool *pool, const struct expr *a,
                                         const struct expr *b) {
    return expr_binary(pool, EXPR_OR, a, b);
}

// Returns the condition that `a` does not hold.
static inline const struct expr *expr_not(struct expr_pool *pool, const struct expr *a) {
    return expr_unary(pool, EXPR_NOT, a);
}

// Returns the condition that two expressions of one width, which may be more than one bit, are
// equal.
static inline const struct expr *expr_eq(struct expr_pool *pool, const struct expr *a,
                                         const struct expr *b) {
    return expr_binary(pool, EXPR_EQ, a, b);
}

// Whether `b` is certain to hold wherever `a` does (implies.c). False where that is not obvious.
bool expr_implies(struct expr_pool *pool, const struct expr *a, const struct expr *b);

#endif
