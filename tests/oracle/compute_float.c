// Sums are those of float.c; the rest is about signs and order.
#include "tests/oracle/compute_float.h"

#include "tests/oracle/float.h"

#include <stdlib.h>

static struct float_layout layout_of(enum scalar_type type, bool flushes) {
    struct float_layout layout = {8, 23, flushes};
    if (type == TYPE_F64)
        layout = (struct float_layout){11, 52, flushes};
    if (type == TYPE_F16)
        layout = (struct float_layout){5, 10, flushes};
    if (type == TYPE_BF16)
        layout = (struct float_layout){8, 7, flushes};
    return layout;
}

static u128 sign_bit(enum scalar_type type) {
    return (u128)1 << (scalar_type_bits(type) - 1);
}

static u128 infinity(enum scalar_type type) {
    struct float_layout layout = layout_of(type, false);
    return (low_ones(layout.exponent)) << layout.fraction;
}

static bool is_nan(enum scalar_type type, u128 bits) {
    return (bits & ~sign_bit(type)) > infinity(type);
}

// With .ftz, subnormal numbers are zeros of their sign.
static u128 flushed(enum scalar_type type, bool flushes, u128 bits) {
    bool is_small = !(bits & infinity(type));
    return flushes && is_small ? bits & sign_bit(type) : bits;
}

// The numbers in their order, -0 just below +0.
static s128 rank(enum scalar_type type, u128 bits) {
    s128 size = (s128)(bits & ~sign_bit(type));
    return bits & sign_bit(type) ? -size - 1 : size;
}

static struct value number(enum scalar_type type, u128 bits) {
    unsigned width = scalar_type_bits(type);
    return is_nan(type, bits) ? value_unknown(width) : value_known(bits, width);
}

static bool holds_for_numbers(enum compare_op compare, s128 order) {
    switch (compare) {
    case COMPARE_EQ:
    case COMPARE_EQU: return order == 0;
    case COMPARE_NE:
    case COMPARE_NEU: return order != 0;
    case COMPARE_LT:
    case COMPARE_LTU: return order < 0;
    case COMPARE_LE:
    case COMPARE_LEU: return order <= 0;
    case COMPARE_GT:
    case COMPARE_GTU: return order > 0;
    case COMPARE_GE:
    case COMPARE_GEU: return order >= 0;
    case COMPARE_NUM: return true;
    default: return false; // COMPARE_NAN
    }
}

bool float_compare(enum compare_op compare, enum scalar_type type, bool flushes, u128 a, u128 b) {
    if (is_nan(type, a) || is_nan(type, b))
        return compare == COMPARE_NAN || (compare >= COMPARE_EQU && compare <= COMPARE_GEU);
    a = flushed(type, flushes, a);
    b = flushed(type, flushes, b);
    bool zeros = !((a | b) & ~sign_bit(type));
    return holds_for_numbers(compare, zeros ? 0 : rank(type, a) - rank(type, b));
}

static struct value sum(enum scalar_type type, bool flushes, u128 a, u128 b) {
    struct float_layout layout = layout_of(type, flushes);
    return number(type, float_sum(&layout, (uint64_t)a, (uint64_t)b));
}

// min and max: "if one of the inputs is NaN, the result is the other".
static struct value extreme(enum scalar_type type, bool greatest, u128 a, u128 b) {
    if (is_nan(type, a))
        return number(type, b);
    if (is_nan(type, b))
        return number(type, a);
    bool first = greatest ? rank(type, a) >= rank(type, b) : rank(type, a) <= rank(type, b);
    return number(type, first ? a : b);
}

// Of three, a NaN that two others leave has any bits that are one.
static struct value extreme_of_all(const struct instruction *instruction, u128 x, u128 y,
                                   const struct value *sources) {
    enum scalar_type type = instruction->type;
    bool greatest = instruction->opcode == OP_MAX;
    if (instruction->operand_count <= 3)
        return extreme(type, greatest, x, y);
    u128 z = flushed(type, instruction->compute.flushes, sources[2].bits);
    u128 limit = is_nan(type, x) && is_nan(type, y) ? x : extreme(type, greatest, x, y).bits;
    return extreme(type, greatest, limit, z);
}

struct value float_arithmetic(const struct instruction *instruction, const struct value *sources) {
    enum scalar_type type = instruction->type;
    u128 a = sources[0].bits, b = sources[1].bits;
    u128 x = flushed(type, instruction->compute.flushes, a),
         y = flushed(type, instruction->compute.flushes, b);
    switch (instruction->opcode) {
    case OP_ADD: return sum(type, instruction->compute.flushes, a, b);
    case OP_SUB: return sum(type, instruction->compute.flushes, a, b ^ sign_bit(type));
    case OP_MIN:
    case OP_MAX: return extreme_of_all(instruction, x, y, sources);
    case OP_ABS: return number(type, x & ~sign_bit(type));
    case OP_NEG: return number(type, x ^ sign_bit(type));
    default: abort(); // not an operation on floating-point numbers
    }
}

struct value float_atomic(enum atomic_op operation, enum scalar_type type, bool flushes, u128 a,
                          u128 b) {
    if (operation == ATOMIC_ADD)
        return sum(type, flushes, a, b);
    if (is_nan(type, a) || is_nan(type, b))
        return value_unknown(scalar_type_bits(type));
    return extreme(type, operation == ATOMIC_MAX, a, b);
}
