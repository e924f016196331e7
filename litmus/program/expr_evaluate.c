// Concrete values: one operation, and a whole expression under an environment.

#include "litmus/program/expr.h"

#include "litmus/program/expr_float.h"
#include "litmus/program/expr_internal.h"
#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <stdlib.h>

unsigned expr_arity(enum expr_op op) {
    switch (op) {
    case EXPR_CONST:
    case EXPR_READ:
    case EXPR_READ_UNDEF:
    case EXPR_FINAL:
    case EXPR_FINAL_UNDEF:
    case EXPR_UNKNOWN:
    case EXPR_PASSES:
    case EXPR_MEETS:
    case EXPR_REDUCED:
    case EXPR_REDUCED_UNDEF: return 0;
    case EXPR_NOT:
    case EXPR_NEG:
    case EXPR_EXTRACT:
    case EXPR_ZEXT:
    case EXPR_SEXT: return 1;
    case EXPR_ITE: return 3;
    default: return 2;
    }
}

bool expr_is_commutative(enum expr_op op) {
    return op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR || op == EXPR_ADD || op == EXPR_MUL ||
           op == EXPR_FADD || op == EXPR_EQ;
}

static wide magnitude(wide value, unsigned width) {
    return bits_sign(value, width) ? (0 - value) & bits_mask(width) : value;
}

static wide signed_divide(wide a, wide b, unsigned width) {
    bool negative = bits_sign(a, width) != bits_sign(b, width);
    if (b == 0)
        return bits_sign(a, width) ? 1 : bits_mask(width);
    wide quotient = magnitude(a, width) / magnitude(b, width);
    return negative ? 0 - quotient : quotient;
}

static wide signed_remainder(wide a, wide b, unsigned width) {
    if (b == 0)
        return a;
    wide rest = magnitude(a, width) % magnitude(b, width);
    return bits_sign(a, width) ? 0 - rest : rest;
}

static wide shift_right_signed(wide a, wide amount, unsigned width) {
    wide extended = bits_sign_extend(a, width);
    wide sign = bits_sign(a, width) ? ~(wide)0 : 0;
    if (amount >= width)
        return sign;
    return amount == 0 ? extended
                       : extended >> amount | (sign & ~bits_mask(BITS_MAX - (unsigned)amount));
}

// Adding 2^(width-1) maps the signed order to the unsigned one.
static wide signed_key(wide value, unsigned width) {
    return value ^ (wide)1 << (width - 1);
}

static wide apply(const struct expr_operation *operation, const wide *v) {
    unsigned width =
        operation->args[0]->width; // of the operand: comparisons and extensions need it
    switch (operation->op) {
    case EXPR_NOT: return ~v[0];
    case EXPR_NEG: return 0 - v[0];
    case EXPR_AND: return v[0] & v[1];
    case EXPR_OR: return v[0] | v[1];
    case EXPR_XOR: return v[0] ^ v[1];
    case EXPR_ADD: return v[0] + v[1];
    case EXPR_SUB: return v[0] - v[1];
    case EXPR_MUL: return v[0] * v[1];
    case EXPR_UDIV: return v[1] == 0 ? ~(wide)0 : v[0] / v[1];
    case EXPR_SDIV: return signed_divide(v[0], v[1], width);
    case EXPR_UREM: return v[1] == 0 ? v[0] : v[0] % v[1];
    case EXPR_SREM: return signed_remainder(v[0], v[1], width);
    case EXPR_SHL: return v[1] >= width ? 0 : v[0] << v[1];
    case EXPR_LSHR: return v[1] >= width ? 0 : v[0] >> v[1];
    case EXPR_ASHR: return shift_right_signed(v[0], v[1], width);
    case EXPR_FADD:
        return float_add((enum float_format)operation->index, (uint64_t)v[0], (uint64_t)v[1]);
    case EXPR_EQ: return v[0] == v[1];
    case EXPR_ULT: return v[0] < v[1];
    case EXPR_ULE: return v[0] <= v[1];
    case EXPR_SLT: return signed_key(v[0], width) < signed_key(v[1], width);
    case EXPR_SLE: return signed_key(v[0], width) <= signed_key(v[1], width);
    case EXPR_ITE: return v[0] != 0 ? v[1] : v[2];
    case EXPR_CONCAT: return v[0] << operation->args[1]->width | v[1];
    case EXPR_EXTRACT: return v[0] >> operation->index;
    case EXPR_ZEXT: return v[0];
    case EXPR_SEXT: return bits_sign_extend(v[0], width);
    default: bug("operator %d cannot be applied", (int)operation->op);
    }
}

wide expr_apply(const struct expr_operation *operation, const wide *values) {
    return apply(operation, values) & bits_mask(operation->width);
}

static wide evaluate_one(const struct expr *expr, const wide *values,
                         const struct expr_environment *environment) {
    if (expr->op == EXPR_CONST)
        return bits_to_wide(expr->value);
    if (expr_arity(expr->op) == 0)
        return bits_to_wide(environment->leaf(environment->context, expr)) & bits_mask(expr->width);
    struct expr_operation operation = {
        expr->op, expr->width, expr->index, {expr->args[0], expr->args[1], expr->args[2]}};
    wide operands[3] = {0};
    for (unsigned i = 0; i < expr_arity(expr->op); i++)
        operands[i] = values[expr->args[i]->id];
    return expr_apply(&operation, operands);
}

// Operands have smaller ids than their users, so one sweep down finds what is needed and one sweep
// up computes it: no recursion, however deep the expression.
struct bits128 expr_evaluate(const struct expr_pool *pool, const struct expr *expr,
                             const struct expr_environment *environment) {
    if (expr_arity(expr->op) == 0)
        return bits_from_wide(evaluate_one(expr, NULL, environment));
    size_t count = (size_t)expr->id + 1;
    wide *values = allocate(count, sizeof *values);
    bool *needed = allocate(count, sizeof *needed);
    needed[expr->id] = true;
    for (size_t id = count; id-- > 0;)
        for (unsigned i = 0; needed[id] && i < expr_arity(expr_at(pool, (unsigned)id)->op); i++)
            needed[expr_at(pool, (unsigned)id)->args[i]->id] = true;
    for (size_t id = 0; id < count; id++)
        if (needed[id])
            values[id] = evaluate_one(expr_at(pool, (unsigned)id), values, environment);
    struct bits128 result = bits_from_wide(values[expr->id]);
    free(values);
    free(needed);
    return result;
}
