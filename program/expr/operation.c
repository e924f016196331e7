// Operators: how many operands they have, and their results on concrete values.

#include "program/expr/expr.h"

#include "program/expr/float.h"
#include "program/expr/internal.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>

unsigned expr_arity(enum expr_op op) {
    switch (op) {
    case EXPR_CONST:
    case EXPR_READ:
    case EXPR_READ_UNDEF:
    case EXPR_FINAL:
    case EXPR_FINAL_UNDEF:
    case EXPR_UNKNOWN:
    case EXPR_CHOICE:
    case EXPR_PASSES:
    case EXPR_PHASE_PAIR:
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

static uint128 magnitude(uint128 value, unsigned width) {
    assert(width > 0);
    return bits_sign(value, width) ? (0 - value) & bits_mask(width) : value;
}

static uint128 signed_divide(uint128 a, uint128 b, unsigned width) {
    assert(width > 0);
    bool negative = bits_sign(a, width) != bits_sign(b, width);
    if (b == 0)
        return bits_sign(a, width) ? 1 : bits_mask(width);
    uint128 quotient = magnitude(a, width) / magnitude(b, width);
    return negative ? 0 - quotient : quotient;
}

static uint128 signed_remainder(uint128 a, uint128 b, unsigned width) {
    assert(width > 0);
    if (b == 0)
        return a;
    uint128 rest = magnitude(a, width) % magnitude(b, width);
    return bits_sign(a, width) ? 0 - rest : rest;
}

static uint128 shift_right_signed(uint128 a, uint128 amount, unsigned width) {
    assert(width > 0);
    uint128 extended = bits_sign_extend(a, width);
    uint128 sign = bits_sign(a, width) ? ~(uint128)0 : 0;
    if (amount >= width)
        return sign;
    return amount == 0 ? extended
                       : extended >> amount | (sign & ~bits_mask(BITS_MAX - (unsigned)amount));
}

// Adding 2^(width-1) maps the signed order to the unsigned one.
static uint128 signed_key(uint128 value, unsigned width) {
    assert(width > 0);
    return value ^ (uint128)1 << (width - 1);
}

static uint128 apply(const struct expr_operation *operation, const uint128 *v) {
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
    case EXPR_UDIV: return v[1] == 0 ? ~(uint128)0 : v[0] / v[1];
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

uint128 expr_apply(const struct expr_operation *operation, const uint128 *values) {
    return apply(operation, values) & bits_mask(operation->width);
}
