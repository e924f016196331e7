// What the files that implement expressions share, and nobody else sees.
#ifndef PTXLITMUS_LITMUS_PROGRAM_EXPR_INTERNAL_H
#define PTXLITMUS_LITMUS_PROGRAM_EXPR_INTERNAL_H

#include "litmus/source/bits.h"
#include "litmus/program/expr/expr.h"

// An operation before it is simplified: what expr_apply computes and expr_intern stores. Unused
// operands are NULL.
struct expr_operation {
    enum expr_op op;
    unsigned width;
    unsigned index;
    const struct expr *args[3];
};

// How many operands an operator has; 0 for constants and leaves.
unsigned expr_arity(enum expr_op op);

bool expr_is_commutative(enum expr_op op);

// The result of an operation on concrete operands. Division is SMT-LIB's: by zero it gives all ones
// (unsigned), 1 or -1 by the dividend's sign (signed), and the dividend as remainder.
uint128 expr_apply(const struct expr_operation *operation, const uint128 *values);

// The one expression of the pool with this content, added when it is new. No simplification.
const struct expr *expr_intern(struct expr_pool *pool, const struct expr_operation *operation);

// The expression with this id.
const struct expr *expr_at(const struct expr_pool *pool, unsigned id);

// The simplest expression known for an operation whose operands are in the pool.
const struct expr *expr_make(struct expr_pool *pool, struct expr_operation operation);

// A simpler expression equal to an operation, or NULL when no rule applies. Constants of
// commutative operations stand on the right, and not every operand is a constant.
const struct expr *expr_simplify(struct expr_pool *pool, const struct expr_operation *operation);

// The part of expr_simplify for AND and OR.
const struct expr *expr_simplify_and(struct expr_pool *pool, const struct expr *a,
                                     const struct expr *b);
const struct expr *expr_simplify_or(struct expr_pool *pool, const struct expr *a,
                                    const struct expr *b);

// Whether one of two is EXPR_NOT of the other.
static inline bool expr_are_opposite(const struct expr *a, const struct expr *b) {
    return (a->op == EXPR_NOT && a->args[0] == b) || (b->op == EXPR_NOT && b->args[0] == a);
}

static inline bool expr_is_zero(const struct expr *expr) {
    return expr->op == EXPR_CONST && bits_is_zero(expr->value);
}

static inline bool expr_is_ones(const struct expr *expr) {
    return expr->op == EXPR_CONST && bits_to_wide(expr->value) == bits_mask(expr->width);
}

#endif
