// Sums of floating-point numbers, in three ways that have to agree: of concrete numbers
// (float_exact.c), as bit-vector operations (here, for solvers without floating-point numbers), and
// by the oracle's own integer arithmetic (tests/oracle/float.c).
//
// A number is the bits of IEEE 754, or of bf16: sign, exponent, fraction. Rounding is to the
// nearest even number; a NaN is returned with all bits set except the sign, and represents any NaN.

#include "program/expr/float.h"

#include "program/expr/boolean.h"
#include "litmus/source/bits.h"

#include <assert.h>
#include <stdint.h>

// --- As bit-vectors ----------------------------------------------------------------------------

// Expressions are long to write: these are short.
static const struct expr *number(struct expr_pool *pool, const struct expr *like, uint64_t value) {
    return expr_const_u64(pool, like->width, value);
}

static const struct expr *op2(struct expr_pool *pool, enum expr_op op, const struct expr *a,
                              const struct expr *b) {
    return expr_binary(pool, op, a, b);
}

static const struct expr *shifted(struct expr_pool *pool, enum expr_op op, const struct expr *a,
                                  unsigned amount) {
    return expr_binary(pool, op, a, number(pool, a, amount));
}

static const struct expr *sign_of(struct expr_pool *pool, const struct expr *a) {
    return expr_extract(pool, a, a->width - 1, 1);
}

static const struct expr *magnitude_of(struct expr_pool *pool, const struct expr *a) {
    return expr_resize(pool, expr_extract(pool, a, 0, a->width - 1), a->width, false);
}

static const struct expr *flushed(struct expr_pool *pool, enum float_format format,
                                  const struct expr *a) {
    if (format != FLOAT_F32_FLUSHED)
        return a;
    const struct expr *exponent = expr_extract(pool, a, 23, 8);
    return expr_ite(pool, expr_eq(pool, exponent, number(pool, exponent, 0)),
                    op2(pool, EXPR_AND, a, number(pool, a, UINT64_C(1) << 31)), a);
}

// An unrounded sum: its magnitude is `significand` times 2^exponent, scaled so that the
// significand of a normal number has its leading one at bit fraction + 3, above three bits for
// rounding, of which the last represents all that follow.
struct sum {
    const struct expr *exponent; // of as many bits as the significand; at least 1
    const struct expr *significand;
};

static struct sum unpack(struct expr_pool *pool, enum float_format format,
                         const struct expr *magnitude) {
    assert((unsigned)format <= FLOAT_F64);
    unsigned fraction = float_fraction(format), width = fraction + 5;
    unsigned exponents = float_width(format) - 1 - fraction;
    const struct expr *field = expr_extract(pool, magnitude, fraction, exponents);
    const struct expr *subnormal = expr_eq(pool, field, number(pool, field, 0));
    const struct expr *bits = expr_extract(pool, magnitude, 0, fraction);
    const struct expr *leading = expr_resize(pool, expr_not(pool, subnormal), 2, false);
    struct sum sum = {expr_resize(pool, field, width, false),
                      op2(pool, EXPR_CONCAT, leading, bits)};
    sum.exponent = expr_ite(pool, subnormal, number(pool, sum.exponent, 1), sum.exponent);
    sum.significand = shifted(pool, EXPR_SHL, expr_resize(pool, sum.significand, width, false), 3);
    return sum;
}

// Shifts right; ones that fall out are kept in the last bit.
static const struct expr *shift_out(struct expr_pool *pool, const struct expr *a,
                                    const struct expr *amount) {
    const struct expr *kept = op2(pool, EXPR_LSHR, a, amount);
    const struct expr *lost = expr_not(pool, expr_eq(pool, op2(pool, EXPR_SHL, kept, amount), a));
    return op2(pool, EXPR_OR, kept, expr_resize(pool, lost, a->width, false));
}

static struct sum add_magnitudes(struct expr_pool *pool, struct sum big, struct sum small,
                                 const struct expr *opposed) {
    const struct expr *distance = op2(pool, EXPR_SUB, big.exponent, small.exponent);
    const struct expr *aligned = shift_out(pool, small.significand, distance);
    big.significand = expr_ite(pool, opposed, op2(pool, EXPR_SUB, big.significand, aligned),
                               op2(pool, EXPR_ADD, big.significand, aligned));
    return big;
}

// Moves the leading one to its place: one to the right after a carry, to the left as far as the
// exponent lets it.
static struct sum normalise(struct expr_pool *pool, struct sum sum) {
    unsigned width = sum.significand->width;
    const struct expr *one = number(pool, sum.significand, 1);
    const struct expr *carry = expr_extract(pool, sum.significand, width - 1, 1);
    struct sum right = {op2(pool, EXPR_ADD, sum.exponent, one),
                        shift_out(pool, sum.significand, one)};
    for (unsigned step = 32; step > 0; step /= 2) {
        if (step >= width - 1)
            continue;
        const struct expr *top = expr_extract(pool, sum.significand, width - 1 - step, step);
        const struct expr *moves =
            expr_and(pool, expr_eq(pool, top, number(pool, top, 0)),
                     op2(pool, EXPR_ULT, number(pool, one, step), sum.exponent));
        sum.significand =
            expr_ite(pool, moves, shifted(pool, EXPR_SHL, sum.significand, step), sum.significand);
        sum.exponent = expr_ite(
            pool, moves, op2(pool, EXPR_SUB, sum.exponent, number(pool, one, step)), sum.exponent);
    }
    return (struct sum){expr_ite(pool, carry, right.exponent, sum.exponent),
                        expr_ite(pool, carry, right.significand, sum.significand)};
}

// The bits of the magnitude: see round_double.
static const struct expr *round_sum(struct expr_pool *pool, enum float_format format,
                                    struct sum sum) {
    unsigned fraction = float_fraction(format), width = float_width(format) + 1;
    const struct expr *rest = expr_extract(pool, sum.significand, 0, 3);
    const struct expr *odd = expr_extract(pool, sum.significand, 3, 1);
    const struct expr *half = number(pool, rest, 4);
    const struct expr *up = expr_or(pool, op2(pool, EXPR_ULT, half, rest),
                                    expr_and(pool, expr_eq(pool, rest, half), odd));
    const struct expr *kept =
        expr_resize(pool, shifted(pool, EXPR_LSHR, sum.significand, 3), width, false);
    kept = op2(pool, EXPR_ADD, kept, expr_resize(pool, up, width, false));
    const struct expr *exponent = expr_resize(pool, sum.exponent, width, false);
    exponent = op2(pool, EXPR_SUB, exponent, number(pool, exponent, 1));
    const struct expr *bits =
        op2(pool, EXPR_ADD, shifted(pool, EXPR_SHL, exponent, fraction), kept);
    const struct expr *infinity = number(pool, bits, float_infinity(format));
    return expr_ite(pool, op2(pool, EXPR_ULT, infinity, bits), infinity, bits);
}

const struct expr *expr_float_bits(struct expr_pool *pool, enum float_format format,
                                   const struct expr *a, const struct expr *b) {
    assert((unsigned)format <= FLOAT_F64);
    a = flushed(pool, format, a);
    b = flushed(pool, format, b);
    const struct expr *infinity = number(pool, a, float_infinity(format));
    const struct expr *swap = op2(pool, EXPR_ULT, magnitude_of(pool, a), magnitude_of(pool, b));
    const struct expr *big = expr_ite(pool, swap, b, a), *small = expr_ite(pool, swap, a, b);
    const struct expr *magnitude = magnitude_of(pool, big);
    const struct expr *opposed = op2(pool, EXPR_XOR, sign_of(pool, a), sign_of(pool, b));
    struct sum sum = add_magnitudes(pool, unpack(pool, format, magnitude),
                                    unpack(pool, format, magnitude_of(pool, small)), opposed);
    // x + -x is +0, and only what had a sign before has it else.
    const struct expr *zero = expr_eq(pool, sum.significand, number(pool, sum.significand, 0));
    const struct expr *negative =
        expr_and(pool, sign_of(pool, big), expr_not(pool, expr_and(pool, zero, opposed)));
    const struct expr *bits = round_sum(pool, format, normalise(pool, sum));
    bits = expr_ite(pool, zero, number(pool, bits, 0), bits); // whatever the exponent was
    bits = expr_extract(pool, bits, 0, float_width(format) - 1);
    bits = flushed(pool, format, op2(pool, EXPR_CONCAT, negative, bits));
    // The greater is infinite or no number: so is the sum.
    const struct expr *nan = number(pool, a, (uint64_t)bits_mask(a->width - 1));
    const struct expr *cancels =
        expr_and(pool, opposed, expr_eq(pool, magnitude_of(pool, small), infinity));
    const struct expr *special =
        expr_ite(pool, expr_or(pool, op2(pool, EXPR_ULT, infinity, magnitude), cancels), nan, big);
    return expr_ite(pool, op2(pool, EXPR_ULE, infinity, magnitude), special, bits);
}
