// Arithmetic on concrete floating-point numbers, in integers: exact results, which are rounded
// once. tests/unit/program/test_float_exact.c compares it with the arithmetic of the host.

#include "program/expr/float.h"

#include "litmus/source/bug.h"

#include <assert.h>

__extension__ typedef unsigned __int128 wide;

enum number_kind { KIND_FINITE, KIND_INFINITE, KIND_NAN };

// A number: significand times 2^exponent; or, where `more`, a little more than that, but less than
// the next integer times it.
struct number {
    enum number_kind kind;
    bool negative, more;
    int exponent;
    wide significand;
};

// How a result is brought into a format, and what came of it.
struct rounded {
    bool inexact;
    bool tiny_became_normal; // less than the least normal number before it was rounded
    uint64_t bits;
};

// --- Formats -----------------------------------------------------------------------------------

static enum float_format format_of(enum scalar_type type) {
    switch (type) {
    case TYPE_F16: return FLOAT_F16;
    case TYPE_BF16: return FLOAT_BF16;
    case TYPE_F32: return FLOAT_F32;
    case TYPE_F64: return FLOAT_F64;
    default: bug(".%s is not a type of floating-point numbers", scalar_type_name(type));
    }
}

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

static uint64_t ones(unsigned count) {
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

uint64_t float_infinity(enum float_format format) {
    assert((unsigned)format <= FLOAT_F64);
    unsigned fraction = float_fraction(format);
    return ones(float_width(format) - 1 - fraction) << fraction;
}

bool float_is_nan(enum float_format format, uint64_t bits) {
    assert((unsigned)format <= FLOAT_F64);
    return (bits & ones(float_width(format) - 1)) > float_infinity(format);
}

static uint64_t sign_of(enum float_format format) {
    return UINT64_C(1) << (float_width(format) - 1);
}

// The exponent of the last bit of subnormal numbers.
static int least_exponent(enum float_format format) {
    int exponents = (int)(float_width(format) - 1 - float_fraction(format));
    return 2 - (1 << (exponents - 1)) - (int)float_fraction(format);
}

static bool is_subnormal(enum float_format format, uint64_t bits) {
    return (bits & float_infinity(format)) == 0 && (bits & ones(float_fraction(format))) != 0;
}

static struct number unpack(enum float_format format, uint64_t bits, bool flushes) {
    unsigned fraction = float_fraction(format);
    uint64_t magnitude = bits & ~sign_of(format), field = magnitude >> fraction;
    struct number number = {.negative = (bits & sign_of(format)) != 0,
                            .exponent = least_exponent(format),
                            .significand = magnitude & ones(fraction)};
    if (magnitude >= float_infinity(format))
        number.kind = magnitude > float_infinity(format) ? KIND_NAN : KIND_INFINITE;
    else if (field > 0) {
        number.significand |= (wide)1 << fraction;
        number.exponent += (int)field - 1;
    } else if (flushes && format == FLOAT_F32)
        number.significand = 0;
    return number;
}

static int length_of(wide value) {
    int length = 0;
    for (; value; value >>= 1)
        length++;
    return length;
}

// --- Rounding ----------------------------------------------------------------------------------

// The integer next to `value` / 2^shift that the rounding gives.
static wide shift_rounded(const struct number *number, int shift, enum float_rounding rounding,
                          bool *inexact) {
    wide value = number->significand, kept = 0, rest = value, half = 0;
    if (shift <= 0) {
        *inexact = number->more;
        return value << -shift;
    }
    if (shift < 128) {
        kept = value >> shift;
        rest = value - (kept << shift);
        half = (wide)1 << (shift - 1);
    }
    bool above = shift < 128 && (rest > half || (rest == half && number->more));
    bool tie = shift < 128 && rest == half && !number->more;
    *inexact = rest != 0 || number->more;
    switch (rounding) {
    case ROUND_ZERO: return kept;
    case ROUND_DOWN: return kept + (number->negative && *inexact);
    case ROUND_UP: return kept + (!number->negative && *inexact);
    default: return kept + (above || (tie && (kept & 1)));
    }
}

// What a number that is too large becomes.
static uint64_t overflowed(enum float_format format, bool negative, enum float_rounding rounding) {
    bool away = rounding == ROUND_NONE || rounding == ROUND_NEAREST ||
                (rounding == ROUND_UP && !negative) || (rounding == ROUND_DOWN && negative);
    return float_infinity(format) - !away;
}

static struct rounded round_to(enum float_format format, enum float_rounding rounding,
                               const struct number *number) {
    struct rounded result = {0};
    uint64_t sign = number->negative ? sign_of(format) : 0;
    int fraction = (int)float_fraction(format), least = least_exponent(format);
    if (number->significand == 0)
        return (struct rounded){.bits = sign};
    int last = number->exponent + length_of(number->significand) - (fraction + 1);
    if (last < least)
        last = least;
    wide kept = shift_rounded(number, last - number->exponent, rounding, &result.inexact);
    bool fits = last - least < 1 << (float_width(format) - 1 - (unsigned)fraction);
    uint64_t bits = fits ? (uint64_t)kept + ((uint64_t)(last - least) << fraction) : UINT64_MAX;
    if (bits >= float_infinity(format)) {
        bits = overflowed(format, number->negative, rounding);
        result.inexact = true;
    }
    result.tiny_became_normal =
        last == least && kept == (wide)1 << fraction && result.inexact &&
        number->exponent + length_of(number->significand) <= least + fraction;
    result.bits = sign | bits;
    return result;
}

// --- Exact results -----------------------------------------------------------------------------

// Puts the leading one at this bit.
static struct number with_leading(struct number number, int bit) {
    int shift = bit + 1 - length_of(number.significand);
    number.significand = shift >= 0 ? number.significand << shift : number.significand >> -shift;
    number.exponent -= shift;
    return number;
}

static struct number sum_of_opposed(struct number big, struct number small, bool down) {
    if (big.significand < small.significand) {
        struct number other = big;
        big = small;
        small = other;
    }
    big.significand -= small.significand;
    if (big.significand == 0)
        big.negative = down;
    return big;
}

// The significands have at most 106 bits. Bits of the smaller one that do not fit are one bit at
// the end, far below what is kept of the sum.
static struct number sum_of(struct number a, struct number b, bool down) {
    enum { LEADING = 124 };
    bool opposed = a.negative != b.negative;
    if (a.significand == 0 && b.significand == 0)
        a.negative = opposed ? down : a.negative;
    if (b.significand == 0)
        return a;
    if (a.significand == 0)
        return b;
    a = with_leading(a, LEADING);
    b = with_leading(b, LEADING);
    struct number big = a.exponent >= b.exponent ? a : b, small = a.exponent >= b.exponent ? b : a;
    int distance = big.exponent - small.exponent;
    wide kept = distance < 128 ? small.significand >> distance : 0;
    bool lost = distance >= 128 || kept << distance != small.significand;
    small.significand = kept | lost;
    if (opposed)
        return sum_of_opposed(big, small, down);
    big.significand += small.significand;
    return big;
}

static struct number product_of(struct number a, struct number b) {
    return (struct number){.negative = a.negative != b.negative,
                           .exponent = a.exponent + b.exponent,
                           .significand = a.significand * b.significand};
}

// `b` is not zero.
static struct number quotient_of(struct number a, struct number b) {
    struct number result = {.negative = a.negative != b.negative};
    if (a.significand == 0)
        return result;
    a = with_leading(a, 126);
    b = with_leading(b, 62);
    result.exponent = a.exponent - b.exponent;
    result.significand = a.significand / b.significand;
    result.more = a.significand % b.significand != 0;
    return result;
}

// Of a number that is not negative, bit by bit.
static struct number root_of(struct number a) {
    if (a.significand == 0)
        return a;
    a = with_leading(a, 125);
    if (a.exponent % 2 != 0) {
        a.significand >>= 1; // its last bit is zero
        a.exponent++;
    }
    wide root = 0;
    for (int bit = 62; bit >= 0; bit--) {
        wide next = root | (wide)1 << bit;
        if (next * next <= a.significand)
            root = next;
    }
    return (struct number){
        .exponent = a.exponent / 2, .significand = root, .more = root * root != a.significand};
}

// --- Operations --------------------------------------------------------------------------------

// A result that is not finite, or no number: infinite numbers and NaNs among the operands.
static struct number special(enum number_kind kind, bool negative) {
    return (struct number){.kind = kind, .negative = negative};
}

static struct number add(struct number a, struct number b, bool down) {
    if (a.kind == KIND_FINITE && b.kind == KIND_FINITE)
        return sum_of(a, b, down);
    if (a.kind == KIND_INFINITE && b.kind == KIND_INFINITE && a.negative != b.negative)
        return special(KIND_NAN, false);
    return a.kind == KIND_INFINITE ? a : b;
}

uint64_t float_add(enum float_format format, uint64_t a, uint64_t b) {
    bool flushes = format == FLOAT_F32_FLUSHED;
    enum float_format kept = flushes ? FLOAT_F32 : format;
    struct number x = unpack(kept, a, flushes), y = unpack(kept, b, flushes);
    struct number sum = add(x, y, false);
    if (x.kind == KIND_NAN || y.kind == KIND_NAN || sum.kind == KIND_NAN)
        return ones(float_width(kept) - 1);
    if (sum.kind == KIND_INFINITE)
        return (sum.negative ? sign_of(kept) : 0) | float_infinity(kept);
    uint64_t bits = round_to(kept, ROUND_NEAREST, &sum).bits;
    return flushes && is_subnormal(kept, bits) ? bits & sign_of(kept) : bits;
}

static struct number multiply(struct number a, struct number b) {
    bool negative = a.negative != b.negative;
    if (a.kind == KIND_FINITE && b.kind == KIND_FINITE)
        return product_of(a, b);
    bool zero = (a.kind == KIND_FINITE && a.significand == 0) ||
                (b.kind == KIND_FINITE && b.significand == 0);
    return special(zero ? KIND_NAN : KIND_INFINITE, negative);
}

static struct number divide(struct number a, struct number b) {
    bool negative = a.negative != b.negative;
    if (a.kind == KIND_INFINITE)
        return special(b.kind == KIND_INFINITE ? KIND_NAN : KIND_INFINITE, negative);
    if (b.kind == KIND_INFINITE)
        return (struct number){.negative = negative};
    if (b.significand == 0)
        return special(a.significand == 0 ? KIND_NAN : KIND_INFINITE, negative);
    return quotient_of(a, b);
}

static struct number root(struct number a) {
    bool zero = a.kind == KIND_FINITE && a.significand == 0;
    if (a.negative && !zero)
        return special(KIND_NAN, false);
    return a.kind == KIND_INFINITE ? a : root_of(a);
}

// Whether a is less than b, where -0 is less than +0 (PTX ISA 9.7.3.11); neither is a NaN. Bits of
// one format are in the order of the numbers.
static bool is_less(uint64_t a, uint64_t b, uint64_t sign) {
    if ((a & sign) != (b & sign))
        return (a & sign) != 0;
    return a & sign ? a > b : a < b;
}

// Of a number and a NaN, the number.
static enum float_outcome limit(const struct instruction *instruction, enum float_format format,
                                const uint64_t operands[2], uint64_t *result) {
    uint64_t values[2], sign = sign_of(format);
    for (unsigned i = 0; i < 2; i++) {
        bool flushed = instruction->compute.flushes && is_subnormal(format, operands[i]);
        values[i] = flushed ? operands[i] & sign : operands[i];
    }
    if (float_is_nan(format, values[0]) && float_is_nan(format, values[1]))
        return FLOAT_SOME_NAN;
    bool takes_second =
        is_less(values[1], values[0], sign) == (instruction->compute.float_op == FLOAT_MIN);
    if (float_is_nan(format, values[0]) || float_is_nan(format, values[1]))
        takes_second = float_is_nan(format, values[0]);
    *result = values[takes_second];
    return FLOAT_KNOWN;
}

static enum float_outcome change_sign(const struct instruction *instruction,
                                      enum float_format format, uint64_t a, uint64_t *result) {
    uint64_t sign = sign_of(format);
    if (float_is_nan(format, a))
        return FLOAT_SOME_NAN;
    if (instruction->compute.flushes && is_subnormal(format, a))
        a &= sign;
    *result = instruction->compute.float_op == FLOAT_ABS ? a & ~sign : a ^ sign;
    return FLOAT_KNOWN;
}

// --- Results -----------------------------------------------------------------------------------

// .sat: between 0 and 1, and +0 for a NaN.
static enum float_outcome saturate(enum float_format format, bool is_nan, uint64_t bits,
                                   uint64_t *result) {
    uint64_t bias = ones(float_width(format) - 2 - float_fraction(format));
    uint64_t one = bias << float_fraction(format);
    *result = is_nan || (bits & sign_of(format)) ? 0 : bits > one ? one : bits;
    return bits == sign_of(format) && !is_nan ? FLOAT_OPEN : FLOAT_KNOWN; // -0 is not less than 0
}

static enum float_outcome finish(const struct instruction *instruction, enum scalar_type type,
                                 struct number number, uint64_t *result) {
    enum float_format format = format_of(type);
    bool flushes = instruction->compute.flushes && type == TYPE_F32;
    bool may_fuse =
        instruction->compute.float_op == FLOAT_MUL && instruction->compute.rounding == ROUND_NONE;
    if (number.kind == KIND_NAN)
        return instruction->compute.saturate ? saturate(format, true, 0, result) : FLOAT_SOME_NAN;
    *result = (number.negative ? sign_of(format) : 0) | float_infinity(format);
    if (number.kind == KIND_FINITE) {
        struct rounded rounded = round_to(
            format, (enum float_rounding)(instruction->compute.rounding & ~(unsigned)ROUND_INTEGER),
            &number);
        bool flushed = flushes && is_subnormal(format, rounded.bits);
        if ((may_fuse && (rounded.inexact || flushed)) || (flushes && rounded.tiny_became_normal))
            return FLOAT_OPEN;
        *result = flushed ? rounded.bits & sign_of(format) : rounded.bits;
    }
    return instruction->compute.saturate ? saturate(format, false, *result, result) : FLOAT_KNOWN;
}

// --- Conversions -------------------------------------------------------------------------------

// The magnitude of a finite number as an integer; cut to 2^100, which is beyond all types.
static wide integer_of(const struct number *number, enum float_rounding rounding, bool *inexact) {
    *inexact = false;
    if (number->significand == 0)
        return 0;
    if (number->exponent + length_of(number->significand) > 100)
        return (wide)1 << 100;
    return shift_rounded(number, -number->exponent, rounding, inexact);
}

// Clamped to the type. A NaN is 0, but not with 64 bits on one side, where older versions of the
// ISA say otherwise than newer ones.
static enum float_outcome to_integer(const struct instruction *instruction, struct number number,
                                     uint64_t *result) {
    unsigned bits = scalar_type_bits(instruction->type);
    bool is_signed = scalar_type_is_signed(instruction->type), inexact;
    *result = 0;
    if (number.kind == KIND_NAN)
        return instruction->source_type == TYPE_F64 || bits == 64 ? FLOAT_OPEN : FLOAT_KNOWN;
    wide greatest = is_signed ? ones(bits - 1) : ones(bits);
    wide least = is_signed ? greatest + 1 : 0; // its magnitude
    wide magnitude = number.kind == KIND_INFINITE
                         ? (wide)1 << 100
                         : integer_of(&number,
                                      (enum float_rounding)(instruction->compute.rounding &
                                                            ~(unsigned)ROUND_INTEGER),
                                      &inexact);
    wide most = number.negative ? least : greatest;
    if (magnitude > most)
        magnitude = most;
    *result = (number.negative ? -(uint64_t)magnitude : (uint64_t)magnitude) & ones(bits);
    return FLOAT_KNOWN;
}

static struct number of_integer(enum scalar_type type, uint64_t bits) {
    unsigned width = scalar_type_bits(type);
    bool negative = scalar_type_is_signed(type) && (bits >> (width - 1) & 1);
    uint64_t magnitude = negative ? -(bits | ~ones(width)) : bits & ones(width);
    return (struct number){.negative = negative, .significand = magnitude};
}

static enum float_outcome convert(const struct instruction *instruction, uint64_t operand,
                                  uint64_t *result) {
    bool from_float = scalar_type_is_float(instruction->source_type);
    struct number number = from_float ? unpack(format_of(instruction->source_type), operand,
                                               instruction->compute.flushes)
                                      : of_integer(instruction->source_type, operand);
    if (!scalar_type_is_float(instruction->type))
        return to_integer(instruction, number, result);
    if (instruction->compute.rounding & ROUND_INTEGER && number.kind == KIND_FINITE) {
        bool inexact;
        bool is_large = number.exponent >= 0; // an integer already
        if (!is_large) {
            number.significand = integer_of(
                &number,
                (enum float_rounding)(instruction->compute.rounding & ~(unsigned)ROUND_INTEGER),
                &inexact);
            number.exponent = 0;
            if (number.significand == 0 && inexact && number.negative)
                return FLOAT_OPEN; // the sign of that zero
        }
    }
    return finish(instruction, instruction->type, number, result);
}

enum float_outcome float_compute(const struct instruction *instruction, const uint64_t operands[3],
                                 uint64_t *result) {
    if (instruction->compute.float_op == FLOAT_CVT)
        return convert(instruction, operands[0], result);
    enum float_format format = format_of(instruction->type);
    bool down = instruction->compute.rounding == ROUND_DOWN;
    struct number n[3];
    for (unsigned i = 0; i < 3; i++)
        n[i] = unpack(format, operands[i], instruction->compute.flushes);
    struct number one = {.significand = 1};
    bool binary =
        instruction->compute.float_op != FLOAT_RCP && instruction->compute.float_op != FLOAT_SQRT;
    switch (instruction->compute.float_op) {
    case FLOAT_MIN:
    case FLOAT_MAX: return limit(instruction, format, operands, result);
    case FLOAT_NEG:
    case FLOAT_ABS: return change_sign(instruction, format, operands[0], result);
    default: break;
    }
    if (n[0].kind == KIND_NAN || (binary && n[1].kind == KIND_NAN) ||
        (instruction->compute.float_op == FLOAT_FMA && n[2].kind == KIND_NAN))
        return finish(instruction, instruction->type, special(KIND_NAN, false), result);
    switch (instruction->compute.float_op) {
    case FLOAT_SUB: n[1].negative = !n[1].negative; // fall through
    case FLOAT_ADD: n[0] = add(n[0], n[1], down); break;
    case FLOAT_MUL: n[0] = multiply(n[0], n[1]); break;
    case FLOAT_DIV: n[0] = divide(n[0], n[1]); break;
    case FLOAT_RCP: n[0] = divide(one, n[0]); break;
    case FLOAT_SQRT: n[0] = root(n[0]); break;
    case FLOAT_FMA:
        n[0] = multiply(n[0], n[1]);
        n[0] = n[0].kind == KIND_NAN ? n[0] : add(n[0], n[2], down);
        break;
    default: bug("floating-point operation %d", (int)instruction->compute.float_op);
    }
    return finish(instruction, instruction->type, n[0], result);
}
