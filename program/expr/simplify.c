// The rules of algebra that keep expressions small. Each rule looks at the operation and at most
// two levels below it; results have the value of the operation in every environment.

#include "program/expr/boolean.h"
#include "program/expr/internal.h"

// --- Helpers -----------------------------------------------------------------------------------

static const struct expr *zero(struct expr_pool *pool, unsigned width) {
    return expr_const_u64(pool, width, 0);
}

static uint128 constant(const struct expr *expr) {
    return bits_to_wide(expr->value);
}

static const struct expr *make_const(struct expr_pool *pool, unsigned width, uint128 value) {
    return expr_const(pool, width, bits_from_wide(value));
}

static const struct expr *make_eq_const(struct expr_pool *pool, const struct expr *a,
                                        uint128 value) {
    return expr_eq(pool, a, make_const(pool, a->width, value));
}

static bool has_constant_right(const struct expr *expr, enum expr_op op) {
    return expr->op == op && expr_is_const(expr->args[1]);
}

static bool is_constant_choice(const struct expr *expr) {
    return expr->op == EXPR_ITE && expr_is_const(expr->args[1]) && expr_is_const(expr->args[2]);
}

// An operation on a choice between two constants, all its other operands constant, is a choice
// between two results.
static const struct expr *push_into_choice(struct expr_pool *pool,
                                           const struct expr_operation *operation) {
    const struct expr *choice = NULL;
    unsigned place = 0;
    for (unsigned i = 0; i < expr_arity(operation->op); i++) {
        if (expr_is_const(operation->args[i]))
            continue;
        if (choice != NULL || !is_constant_choice(operation->args[i]))
            return NULL;
        choice = operation->args[i];
        place = i;
    }
    struct expr_operation then_operation = *operation, else_operation = *operation;
    then_operation.args[place] = choice->args[1];
    else_operation.args[place] = choice->args[2];
    return expr_ite(pool, choice->args[0], expr_make(pool, then_operation),
                    expr_make(pool, else_operation));
}

// --- Arithmetic --------------------------------------------------------------------------------

// (x op k1) op k2 is x op (k1 op k2) for an associative operator.
static const struct expr *regroup_constants(struct expr_pool *pool, enum expr_op op,
                                            const struct expr *a, const struct expr *b) {
    if (!expr_is_const(b) || !has_constant_right(a, op))
        return NULL;
    return expr_binary(pool, op, a->args[0], expr_binary(pool, op, a->args[1], b));
}

static const struct expr *simplify_add(struct expr_pool *pool, const struct expr *a,
                                       const struct expr *b) {
    if (expr_is_zero(b))
        return a;
    if (a->op == EXPR_SUB && a->args[1] == b)
        return a->args[0];
    if (b->op == EXPR_SUB && b->args[1] == a)
        return b->args[0];
    return regroup_constants(pool, EXPR_ADD, a, b);
}

static const struct expr *simplify_sub(struct expr_pool *pool, const struct expr *a,
                                       const struct expr *b) {
    if (a == b)
        return zero(pool, a->width);
    if (expr_is_const(b))
        return expr_binary(pool, EXPR_ADD, a, expr_unary(pool, EXPR_NEG, b));
    if (expr_is_zero(a))
        return expr_unary(pool, EXPR_NEG, b);
    if (a->op == EXPR_ADD && a->args[1] == b)
        return a->args[0];
    if (a->op == EXPR_ADD && a->args[0] == b)
        return a->args[1];
    return NULL;
}

static const struct expr *simplify_mul(struct expr_pool *pool, const struct expr *a,
                                       const struct expr *b) {
    if (expr_is_zero(b))
        return b;
    if (expr_is_const(b) && constant(b) == 1)
        return a;
    return regroup_constants(pool, EXPR_MUL, a, b);
}

static const struct expr *simplify_divide(struct expr_pool *pool, enum expr_op op,
                                          const struct expr *a, const struct expr *b) {
    if (!expr_is_const(b) || constant(b) != 1 || b->width == 1)
        return NULL;
    return op == EXPR_UDIV || op == EXPR_SDIV ? a : zero(pool, a->width);
}

static const struct expr *simplify_xor(struct expr_pool *pool, const struct expr *a,
                                       const struct expr *b) {
    if (a == b)
        return zero(pool, a->width);
    if (expr_is_zero(b))
        return a;
    if (expr_is_ones(b))
        return expr_unary(pool, EXPR_NOT, a);
    if (expr_are_opposite(a, b))
        return make_const(pool, a->width, bits_mask(a->width));
    if (a->op == EXPR_XOR && (a->args[0] == b || a->args[1] == b))
        return a->args[a->args[0] == b];
    if (b->op == EXPR_XOR && (b->args[0] == a || b->args[1] == a))
        return b->args[b->args[0] == a];
    return regroup_constants(pool, EXPR_XOR, a, b);
}

static const struct expr *simplify_shift(struct expr_pool *pool, enum expr_op op,
                                         const struct expr *a, const struct expr *b) {
    if (expr_is_zero(a) || expr_is_zero(b))
        return a;
    if (op != EXPR_ASHR && expr_is_const(b) && constant(b) >= a->width)
        return zero(pool, a->width);
    return NULL;
}

// --- Comparisons -------------------------------------------------------------------------------

// ite(c, k, x) == k' with one constant arm: c or x == k', or not c and x == k'.
static const struct expr *eq_choice(struct expr_pool *pool, const struct expr *choice,
                                    const struct expr *k) {
    const struct expr *then_value = choice->args[1], *else_value = choice->args[2];
    const struct expr *condition = choice->args[0];
    if (!expr_is_const(then_value) && !expr_is_const(else_value))
        return NULL;
    if (!expr_is_const(then_value)) {
        condition = expr_not(pool, condition);
        then_value = choice->args[2];
        else_value = choice->args[1];
    }
    const struct expr *rest = expr_eq(pool, else_value, k);
    if (then_value == k)
        return expr_or(pool, condition, rest);
    return expr_and(pool, expr_not(pool, condition), rest);
}

static const struct expr *eq_extension(struct expr_pool *pool, const struct expr *a, uint128 k) {
    const struct expr *inner = a->args[0];
    uint128 low = k & bits_mask(inner->width);
    uint128 again =
        a->op == EXPR_ZEXT ? low : bits_sign_extend(low, inner->width) & bits_mask(a->width);
    return again == k ? make_eq_const(pool, inner, low) : expr_bool(pool, false);
}

// a == k with a constant k, moved inwards where a is invertible.
static const struct expr *eq_constant(struct expr_pool *pool, const struct expr *a,
                                      const struct expr *b) {
    uint128 k = constant(b);
    switch (a->op) {
    case EXPR_NOT: return make_eq_const(pool, a->args[0], ~k);
    case EXPR_NEG: return make_eq_const(pool, a->args[0], 0 - k);
    case EXPR_ITE: return eq_choice(pool, a, b);
    case EXPR_ZEXT:
    case EXPR_SEXT: return eq_extension(pool, a, k);
    case EXPR_ADD:
        return expr_is_const(a->args[1]) ? make_eq_const(pool, a->args[0], k - constant(a->args[1]))
                                         : NULL;
    case EXPR_XOR:
        return expr_is_const(a->args[1]) ? make_eq_const(pool, a->args[0], k ^ constant(a->args[1]))
                                         : NULL;
    case EXPR_CONCAT:
        return expr_and(pool, make_eq_const(pool, a->args[0], k >> a->args[1]->width),
                        make_eq_const(pool, a->args[1], k));
    default: return NULL;
    }
}

static const struct expr *simplify_eq(struct expr_pool *pool, const struct expr *a,
                                      const struct expr *b) {
    if (a == b)
        return expr_bool(pool, true);
    if (expr_are_opposite(a, b))
        return expr_bool(pool, false);
    if (!expr_is_const(b))
        return NULL;
    if (a->width == 1)
        return expr_is_true(b) ? a : expr_not(pool, a);
    return eq_constant(pool, a, b);
}

static const struct expr *simplify_less(struct expr_pool *pool, enum expr_op op,
                                        const struct expr *a, const struct expr *b) {
    bool or_equal = op == EXPR_ULE || op == EXPR_SLE;
    if (a == b)
        return expr_bool(pool, or_equal);
    if (op == EXPR_ULT) {
        if (expr_is_zero(b) || expr_is_ones(a))
            return expr_bool(pool, false);
        if (expr_is_const(b) && constant(b) == 1)
            return make_eq_const(pool, a, 0);
    }
    if (op == EXPR_ULE && (expr_is_zero(a) || expr_is_ones(b)))
        return expr_bool(pool, true);
    return NULL;
}

// --- Choices -----------------------------------------------------------------------------------

static const struct expr *simplify_bool_ite(struct expr_pool *pool, const struct expr *c,
                                            const struct expr *a, const struct expr *b) {
    if (expr_is_true(a) || a == c)
        return expr_or(pool, c, b);
    if (expr_is_false(b) || b == c)
        return expr_and(pool, c, a);
    if (expr_is_false(a))
        return expr_and(pool, expr_not(pool, c), b);
    if (expr_is_true(b))
        return expr_or(pool, expr_not(pool, c), a);
    return NULL;
}

static const struct expr *simplify_ite(struct expr_pool *pool, const struct expr *c,
                                       const struct expr *a, const struct expr *b) {
    if (expr_is_const(c))
        return expr_is_true(c) ? a : b;
    if (a == b)
        return a;
    if (c->op == EXPR_NOT)
        return expr_ite(pool, c->args[0], b, a);
    if (a->op == EXPR_ITE && a->args[0] == c)
        return expr_ite(pool, c, a->args[1], b);
    if (b->op == EXPR_ITE && b->args[0] == c)
        return expr_ite(pool, c, a, b->args[2]);
    if (a->width == 1)
        return simplify_bool_ite(pool, c, a, b);
    return NULL;
}

// --- Pieces ------------------------------------------------------------------------------------

static const struct expr *simplify_concat(struct expr_pool *pool, const struct expr *high,
                                          const struct expr *low) {
    if (expr_is_zero(high))
        return expr_resize(pool, low, high->width + low->width, false);
    if (high->op == EXPR_EXTRACT && low->op == EXPR_EXTRACT && high->args[0] == low->args[0] &&
        high->index == low->index + low->width)
        return expr_extract(pool, low->args[0], low->index, high->width + low->width);
    // ((x . extract) . extract): memory is put together cell by cell from the left.
    if (high->op == EXPR_CONCAT && high->args[1]->op == EXPR_EXTRACT && low->op == EXPR_EXTRACT &&
        high->args[1]->args[0] == low->args[0] && high->args[1]->index == low->index + low->width) {
        const struct expr *joined =
            expr_extract(pool, low->args[0], low->index, high->args[1]->width + low->width);
        return expr_binary(pool, EXPR_CONCAT, high->args[0], joined);
    }
    return NULL;
}

static const struct expr *extract_from_concat(struct expr_pool *pool, const struct expr *a,
                                              unsigned first, unsigned width) {
    const struct expr *high = a->args[0], *low = a->args[1];
    if (first + width <= low->width)
        return expr_extract(pool, low, first, width);
    if (first >= low->width)
        return expr_extract(pool, high, first - low->width, width);
    unsigned low_width = low->width - first;
    return expr_binary(pool, EXPR_CONCAT, expr_extract(pool, high, 0, width - low_width),
                       expr_extract(pool, low, first, low_width));
}

static const struct expr *simplify_extract(struct expr_pool *pool, const struct expr *a,
                                           unsigned first, unsigned width) {
    if (width == a->width)
        return a;
    if (a->op == EXPR_EXTRACT)
        return expr_extract(pool, a->args[0], a->index + first, width);
    if (a->op == EXPR_CONCAT)
        return extract_from_concat(pool, a, first, width);
    if (a->op != EXPR_ZEXT && a->op != EXPR_SEXT)
        return NULL;
    const struct expr *inner = a->args[0];
    if (first + width <= inner->width)
        return expr_extract(pool, inner, first, width);
    if (first == 0)
        return expr_resize(pool, inner, width, a->op == EXPR_SEXT);
    if (a->op == EXPR_ZEXT && first >= inner->width)
        return zero(pool, width);
    return NULL;
}

static const struct expr *simplify_extension(struct expr_pool *pool, enum expr_op op,
                                             const struct expr *a, unsigned width) {
    if (width == a->width)
        return a;
    if (a->op == EXPR_ZEXT) // the bit above is 0, so both extensions give the same
        return expr_resize(pool, a->args[0], width, false);
    if (a->op == EXPR_SEXT && op == EXPR_SEXT)
        return expr_resize(pool, a->args[0], width, true);
    return NULL;
}

// --- All together ------------------------------------------------------------------------------

static const struct expr *simplify_by_operator(struct expr_pool *pool,
                                               const struct expr_operation *operation) {
    enum expr_op op = operation->op;
    const struct expr *a = operation->args[0], *b = operation->args[1];
    switch (op) {
    case EXPR_NOT:
    case EXPR_NEG: return a->op == op ? a->args[0] : NULL;
    case EXPR_AND: return expr_simplify_and(pool, a, b);
    case EXPR_OR: return expr_simplify_or(pool, a, b);
    case EXPR_XOR: return simplify_xor(pool, a, b);
    case EXPR_ADD: return simplify_add(pool, a, b);
    case EXPR_SUB: return simplify_sub(pool, a, b);
    case EXPR_MUL: return simplify_mul(pool, a, b);
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM: return simplify_divide(pool, op, a, b);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: return simplify_shift(pool, op, a, b);
    case EXPR_EQ: return simplify_eq(pool, a, b);
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: return simplify_less(pool, op, a, b);
    case EXPR_ITE: return simplify_ite(pool, a, b, operation->args[2]);
    case EXPR_CONCAT: return simplify_concat(pool, a, b);
    case EXPR_EXTRACT: return simplify_extract(pool, a, operation->index, operation->width);
    case EXPR_ZEXT:
    case EXPR_SEXT: return simplify_extension(pool, op, a, operation->width);
    default: return NULL;
    }
}

const struct expr *expr_simplify(struct expr_pool *pool, const struct expr_operation *operation) {
    const struct expr *simpler = simplify_by_operator(pool, operation);
    if (simpler != NULL || operation->op == EXPR_ITE)
        return simpler;
    return push_into_choice(pool, operation);
}
