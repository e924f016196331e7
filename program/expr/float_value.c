// Sums of concrete floating-point numbers: float.c says what they have to agree with.

#include "program/expr/float.h"

#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <float.h>
#include <stdint.h>
#include <string.h>

unsigned float_width(enum float_format format) {
    assert((unsigned)format <= FLOAT_F64);
    return format == FLOAT_F64 ? 64 : format == FLOAT_F16 || format == FLOAT_BF16 ? 16 : 32;
}

unsigned float_fraction(enum float_format format) {
    assert((unsigned)format <= FLOAT_F64);
    switch (format) {
    case FLOAT_F16: return 10;
    case FLOAT_BF16: return 7;
    case FLOAT_F32:
    case FLOAT_F32_FLUSHED: return 23;
    case FLOAT_F64: return 52;
    }
    bug("floating-point format %d", (int)format);
}

static uint64_t low_ones(unsigned count) {
    return (UINT64_C(1) << count) - 1;
}

uint64_t float_infinity(enum float_format format) {
    assert((unsigned)format <= FLOAT_F64);
    unsigned fraction = float_fraction(format);
    return low_ones(float_width(format) - 1 - fraction) << fraction;
}

// --- Concrete numbers --------------------------------------------------------------------------

// Both are exact: a double holds every number of the smaller formats.
static double double_of_bits(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static double double_of_single(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

// 2^-24 is the least number of f16; scaled by it, all others are integers.
static double double_of_half(uint64_t bits) {
    uint64_t exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    uint64_t units = exponent == 0 ? fraction : (0x400 | fraction) << (exponent - 1);
    double magnitude = (double)units * 0x1p-24;
    return bits >> 15 ? -magnitude : magnitude;
}

static double double_of(enum float_format format, uint64_t bits) {
    assert((unsigned)format <= FLOAT_F64);
    switch (format) {
    case FLOAT_F16: return double_of_half(bits);
    case FLOAT_BF16: return double_of_single((uint32_t)bits << 16);
    case FLOAT_F32:
    case FLOAT_F32_FLUSHED: return double_of_single((uint32_t)bits);
    case FLOAT_F64: return double_of_bits(bits);
    }
    bug("floating-point format %d", (int)format);
}

// The nearest number of a format, as bits; of two the even one. The number is finite.
static uint64_t round_double(enum float_format format, double number) {
    assert((unsigned)format <= FLOAT_F64);
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    unsigned width = float_width(format), fraction = float_fraction(format);
    uint64_t sign = (bits >> 63) << (width - 1);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    int least = 2 - (1 << (width - 2 - fraction)); // exponent of the least normal number
    if (exponent == -1023) // a zero: sums of smaller formats are not subnormal doubles
        return sign;
    uint64_t significand = (bits & low_ones(52)) | UINT64_C(1) << 52;
    unsigned below = exponent < least ? (unsigned)(least - exponent) : 0;
    unsigned shift = 52 - fraction + below;
    if (shift > 54)
        shift = 54; // less than half of the least number, all the same
    uint64_t kept = significand >> shift, rest = significand & low_ones(shift);
    uint64_t half = UINT64_C(1) << (shift - 1);
    kept += rest > half || (rest == half && (kept & 1));
    // The leading one of the significand counts as one more in the exponent, and a carry of the
    // rounding as another.
    if (below == 0)
        kept += (uint64_t)(exponent - least) << fraction;
    return sign | (kept > float_infinity(format) ? float_infinity(format) : kept);
}

// Subnormal numbers become zeros of their sign (PTX ISA 9.7.13.5: "sign-preserving zero").
static uint64_t flush(enum float_format format, uint64_t bits) {
    assert((unsigned)format <= FLOAT_F64);
    bool subnormal = (bits & float_infinity(format)) == 0;
    return format == FLOAT_F32_FLUSHED && subnormal ? bits & UINT64_C(1) << 31 : bits;
}

static bool is_infinite_or_nan(enum float_format format, uint64_t bits) {
    assert((unsigned)format <= FLOAT_F64);
    return (bits & float_infinity(format)) == float_infinity(format);
}

static uint64_t magnitude_bits(enum float_format format, uint64_t bits) {
    assert((unsigned)format <= FLOAT_F64);
    return bits & low_ones(float_width(format) - 1);
}

bool float_is_nan(enum float_format format, uint64_t bits) {
    assert((unsigned)format <= FLOAT_F64);
    return magnitude_bits(format, bits) > float_infinity(format);
}

// When one of the operands is infinite or not a number.
static uint64_t add_special(enum float_format format, uint64_t a, uint64_t b) {
    assert((unsigned)format <= FLOAT_F64);
    bool both = is_infinite_or_nan(format, a) && is_infinite_or_nan(format, b);
    if (float_is_nan(format, a) || float_is_nan(format, b) || (both && a != b))
        return low_ones(float_width(format) - 1);
    return is_infinite_or_nan(format, a) ? a : b;
}

// Sums are computed in double and rounded to the format. Rounding twice gives what rounding once
// does where the first has at least 2p + 2 bits for the second's p (Figueroa, "When is double
// rounding innocuous?", 1995): 53 are enough for 24, 11 and 8, and sums in the range of subnormal
// numbers are exact. The host rounds to the nearest even number: its mode is not changed here.
_Static_assert(FLT_EVAL_METHOD == 0, "double arithmetic has the precision of double");
_Static_assert(DBL_MANT_DIG == 53 && FLT_MANT_DIG == 24, "float and double are those of IEEE 754");

uint64_t float_add(enum float_format format, uint64_t a, uint64_t b) {
    assert((unsigned)format <= FLOAT_F64);
    a = flush(format, a);
    b = flush(format, b);
    if (is_infinite_or_nan(format, a) || is_infinite_or_nan(format, b))
        return add_special(format, a, b);
    double sum = double_of(format, a) + double_of(format, b);
    uint64_t bits;
    if (format != FLOAT_F64)
        return flush(format, round_double(format, sum));
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}
