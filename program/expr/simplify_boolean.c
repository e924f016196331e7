// Conjunction and disjunction. Conditions (one bit) are kept as ANDs and NOTs only: a | b becomes
// !(!a & !b), so that rules for AND alone, which look two levels deep, reduce path conditions where
// branches meet again. The rules are those of Brummayer and Biere, "Local Two-Level And-Inverter
// Graph Minimization without Blowup" (2006), with the same names.

#include "program/expr/boolean.h"
#include "program/expr/internal.h"

static bool has_operand(const struct expr *expr, const struct expr *operand) {
    return expr->args[0] == operand || expr->args[1] == operand;
}

static bool has_opposite_operand(const struct expr *expr, const struct expr *operand) {
    return expr_are_opposite(expr->args[0], operand) || expr_are_opposite(expr->args[1], operand);
}

static const struct expr *other_operand(const struct expr *expr, const struct expr *operand) {
    return expr->args[expr->args[0] == operand];
}

// --- Any width ---------------------------------------------------------------------------------

// The rules that AND and OR share with their roles exchanged; `bottom` is x op !x.
static const struct expr *simplify_lattice(struct expr_pool *pool, enum expr_op op,
                                           const struct expr *a, const struct expr *b) {
    enum expr_op dual = op == EXPR_AND ? EXPR_OR : EXPR_AND;
    uint128 bottom = op == EXPR_AND ? 0 : bits_mask(a->width);
    if (expr_are_opposite(a, b))
        return expr_const(pool, a->width, bits_from_wide(bottom));
    if (a == b || (b->op == dual && has_operand(b, a)) || (a->op == op && has_operand(a, b)))
        return a;
    if ((a->op == dual && has_operand(a, b)) || (b->op == op && has_operand(b, a)))
        return b;
    if (expr_is_const(b) && a->op == op && expr_is_const(a->args[1]))
        return expr_binary(pool, op, a->args[0], expr_binary(pool, op, a->args[1], b));
    return NULL;
}

// --- Conditions --------------------------------------------------------------------------------

// x & y of !(x & y); NULL for everything else.
static const struct expr *negated_and(const struct expr *expr) {
    return expr->op == EXPR_NOT && expr->args[0]->op == EXPR_AND ? expr->args[0] : NULL;
}

// (x & y) & b
static const struct expr *and_with(struct expr_pool *pool, const struct expr *and_,
                                   const struct expr *b) {
    if (has_opposite_operand(and_, b))
        return expr_bool(pool, false); // contradiction
    if (has_operand(and_, b))
        return and_; // idempotence
    if (b->op != EXPR_AND)
        return NULL;
    for (unsigned i = 0; i < 2; i++)
        if (has_opposite_operand(and_, b->args[i]))
            return expr_bool(pool, false); // contradiction
    for (unsigned i = 0; i < 2; i++)
        if (has_operand(and_, b->args[i]))
            return expr_and(pool, and_, b->args[1 - i]); // idempotence
    return NULL;
}

// !(x & y) & b, where b is x or a conjunction with x: !y & b. Where b has !x: b alone.
static const struct expr *nand_with(struct expr_pool *pool, const struct expr *nand,
                                    const struct expr *b) {
    unsigned count = b->op == EXPR_AND ? 2 : 1;
    const struct expr *const *parts = b->op == EXPR_AND ? b->args : &b;
    for (unsigned i = 0; i < count; i++) {
        if (has_opposite_operand(nand, parts[i]))
            return b;                    // subsumption
        if (has_operand(nand, parts[i])) // substitution
            return expr_and(pool, expr_not(pool, other_operand(nand, parts[i])), b);
    }
    if (has_opposite_operand(nand, b))
        return b;
    if (has_operand(nand, b))
        return expr_and(pool, expr_not(pool, other_operand(nand, b)), b);
    return NULL;
}

// !(x & y) & !(x & v) is !(x & (y | v)), which is !x where v is !y (resolution).
static const struct expr *nand_with_nand(struct expr_pool *pool, const struct expr *a,
                                         const struct expr *b) {
    for (unsigned i = 0; i < 2; i++) {
        const struct expr *x = a->args[i];
        if (!has_operand(b, x))
            continue;
        const struct expr *either = expr_or(pool, a->args[1 - i], other_operand(b, x));
        return expr_not(pool, expr_and(pool, x, either));
    }
    return NULL;
}

static const struct expr *simplify_condition(struct expr_pool *pool, const struct expr *a,
                                             const struct expr *b) {
    const struct expr *nand_a = negated_and(a), *nand_b = negated_and(b), *simpler = NULL;
    if (a == b)
        return a;
    if (expr_are_opposite(a, b))
        return expr_bool(pool, false);
    if (a->op == EXPR_AND)
        simpler = and_with(pool, a, b);
    if (simpler == NULL && b->op == EXPR_AND)
        simpler = and_with(pool, b, a);
    if (simpler == NULL && nand_a != NULL && nand_b != NULL)
        return nand_with_nand(pool, nand_a, nand_b);
    if (simpler == NULL && nand_a != NULL)
        simpler = nand_with(pool, nand_a, b);
    if (simpler == NULL && nand_b != NULL)
        simpler = nand_with(pool, nand_b, a);
    return simpler;
}

// --- Both --------------------------------------------------------------------------------------

const struct expr *expr_simplify_and(struct expr_pool *pool, const struct expr *a,
                                     const struct expr *b) {
    if (expr_is_zero(b))
        return b;
    if (expr_is_ones(b))
        return a;
    return a->width == 1 ? simplify_condition(pool, a, b) : simplify_lattice(pool, EXPR_AND, a, b);
}

const struct expr *expr_simplify_or(struct expr_pool *pool, const struct expr *a,
                                    const struct expr *b) {
    if (expr_is_zero(b))
        return a;
    if (expr_is_ones(b))
        return b;
    if (a->width == 1)
        return expr_not(pool, expr_and(pool, expr_not(pool, a), expr_not(pool, b)));
    return simplify_lattice(pool, EXPR_OR, a, b);
}
