// What the files that implement expressions share with each other and with no other file. Ownership
// and failure are as in expr.h.
#ifndef PTXLITMUS_PROGRAM_EXPR_INTERNAL_H
#define PTXLITMUS_PROGRAM_EXPR_INTERNAL_H

#include "litmus/source/bits.h"
#include "program/expr/expr.h"

// An operation before it is simplified: what expr_apply computes and expr_intern stores. Unused
// operands are NULL.
struct expr_operation {
    enum expr_op op;
    unsigned width;
    unsigned index;
    const struct expr *args[3];
};

// Returns how many operands an operator has: 0 for constants and leaves, else 1 to 3 (operation.c).
unsigned expr_arity(enum expr_op op);

// Whether an expression is a leaf other than a constant.
static inline bool expr_is_leaf(const struct expr *expr) {
    return expr->op != EXPR_CONST && expr_arity(expr->op) == 0;
}

// Returns what an expression computes, as an operation.
static inline struct expr_operation expr_operation_of(const struct expr *expr) {
    return (struct expr_operation){
        expr->op, expr->width, expr->index, {expr->args[0], expr->args[1], expr->args[2]}};
}

// Whether the order of an operator's two operands does not matter (operation.c).
bool expr_is_commutative(enum expr_op op);

// Returns the result of an operation on concrete operands, as many as its arity (operation.c).
// Division is SMT-LIB's: by zero it gives all ones (unsigned), 1 or -1 by the dividend's sign
// (signed), and the dividend as remainder.
uint128 expr_apply(const struct expr_operation *operation, const uint128 *values);

// Returns the one expression of the pool with this content, added when it is new, not simplified
// (expr.c).
const struct expr *expr_intern(struct expr_pool *pool, const struct expr_operation *operation);

// Returns the expression with this id, which is below expr_pool_count (expr.c).
const struct expr *expr_at(const struct expr_pool *pool, unsigned id);

// Returns the simplest expression known for an operation whose operands are in the pool (expr.c).
const struct expr *expr_make(struct expr_pool *pool, struct expr_operation operation);

// Returns a simpler expression equal to an operation, or NULL when no rule applies (simplify.c).
// The caller has put the constants of commutative operations on the right, and has folded
// operations on constants alone.
const struct expr *expr_simplify(struct expr_pool *pool, const struct expr_operation *operation);

// As expr_simplify, for EXPR_AND (simplify_boolean.c).
const struct expr *expr_simplify_and(struct expr_pool *pool, const struct expr *a,
                                     const struct expr *b);

// As expr_simplify, for EXPR_OR (simplify_boolean.c).
const struct expr *expr_simplify_or(struct expr_pool *pool, const struct expr *a,
                                    const struct expr *b);

// Whether one of the two is EXPR_NOT of the other.
static inline bool expr_are_opposite(const struct expr *a, const struct expr *b) {
    return (a->op == EXPR_NOT && a->args[0] == b) || (b->op == EXPR_NOT && b->args[0] == a);
}

// Whether an expression is the constant 0, of any width.
static inline bool expr_is_zero(const struct expr *expr) {
    return expr->op == EXPR_CONST && bits_is_zero(expr->value);
}

// Whether an expression is a constant all of whose bits are set.
static inline bool expr_is_ones(const struct expr *expr) {
    return expr->op == EXPR_CONST && bits_to_wide(expr->value) == bits_mask(expr->width);
}

#endif
