// Conjunction and disjunction: the rules that keep path conditions small when branches meet again.
// All but the factoring and the complement hold for every width.

#include "litmus/program/expr_bool.h"
#include "litmus/program/expr_internal.h"

static bool has_operand(const struct expr *expr, enum expr_op op, const struct expr *operand) {
    return expr->op == op && (expr->args[0] == operand || expr->args[1] == operand);
}

static const struct expr *other_operand(const struct expr *expr, const struct expr *operand) {
    return expr->args[expr->args[0] == operand];
}

static bool has_opposite_operand(const struct expr *expr, enum expr_op op,
                                 const struct expr *operand) {
    return expr->op == op &&
           (expr_are_opposite(expr->args[0], operand) || expr_are_opposite(expr->args[1], operand));
}

// x op (~x dual y) is x op y.
static const struct expr *drop_opposite(struct expr_pool *pool, enum expr_op op,
                                        const struct expr *x, const struct expr *mixed) {
    const struct expr *y = mixed->args[expr_are_opposite(mixed->args[0], x)];
    return expr_binary(pool, op, x, y);
}

// The rules that AND and OR share with their roles exchanged. `zero_result` says what x op ~x is:
// 0 for AND, all ones for OR.
static const struct expr *simplify_lattice(struct expr_pool *pool, enum expr_op op,
                                           const struct expr *a, const struct expr *b) {
    enum expr_op dual = op == EXPR_AND ? EXPR_OR : EXPR_AND;
    wide bottom = op == EXPR_AND ? 0 : bits_mask(a->width);
    if (expr_are_opposite(a, b) || has_opposite_operand(a, op, b) || has_opposite_operand(b, op, a))
        return expr_const(pool, a->width, bits_from_wide(bottom));
    if (a == b || has_operand(b, dual, a) || has_operand(a, op, b))
        return a;
    if (has_operand(a, dual, b) || has_operand(b, op, a))
        return b;
    if (has_opposite_operand(b, dual, a))
        return drop_opposite(pool, op, a, b);
    if (has_opposite_operand(a, dual, b))
        return drop_opposite(pool, op, b, a);
    if (expr_is_const(b) && a->op == op && expr_is_const(a->args[1]))
        return expr_binary(pool, op, a->args[0], expr_binary(pool, op, a->args[1], b));
    return NULL;
}

const struct expr *expr_simplify_and(struct expr_pool *pool, const struct expr *a,
                                     const struct expr *b) {
    if (expr_is_zero(b))
        return b;
    if (expr_is_ones(b))
        return a;
    const struct expr *simpler = simplify_lattice(pool, EXPR_AND, a, b);
    if (simpler != NULL || a->op != EXPR_AND || b->op != EXPR_AND)
        return simpler;
    for (unsigned i = 0; i < 2; i++)
        if (has_opposite_operand(a, EXPR_AND, b->args[i]))
            return expr_const_u64(pool, a->width, 0);
    return NULL;
}

const struct expr *expr_simplify_or(struct expr_pool *pool, const struct expr *a,
                                    const struct expr *b) {
    if (expr_is_zero(b))
        return a;
    if (expr_is_ones(b))
        return b;
    const struct expr *simpler = simplify_lattice(pool, EXPR_OR, a, b);
    if (simpler != NULL || a->op != EXPR_AND || b->op != EXPR_AND)
        return simpler;
    // (p & x) | (p & y) is p & (x | y): two branches that meet again.
    for (unsigned i = 0; i < 2; i++)
        if (has_operand(b, EXPR_AND, a->args[i]))
            return expr_and(pool, a->args[i],
                            expr_or(pool, a->args[1 - i], other_operand(b, a->args[i])));
    return NULL;
}
