// Arithmetic on concrete floating-point numbers against that of the host, in each rounding mode;
// for the formats of 16 bits, which it does not have, against the nearest of all their numbers.

#include "program/expr/float.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static uint64_t state_of_random = 1;

static uint64_t random_bits(void) {
    state_of_random =
        state_of_random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state_of_random >> 32 | state_of_random << 32;
}

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static float float_of(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float number;
    memcpy(&number, &low, sizeof number);
    return number;
}

static double double_of(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint64_t float_bits(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint64_t double_bits(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

// Operands near each other, at the edges, or anywhere.
static uint64_t operand(bool wide, uint64_t like) {
    static const uint64_t edges[] = {0,          1,          0x007fffff, 0x00800000, 0x7f7fffff,
                                     0x7f800000, 0x7fc00000, 0x3f800000, 0x4f000000};
    uint64_t bits = random_bits();
    switch (random_bits() % 4) {
    case 0: bits = like ^ (bits & (wide ? UINT64_C(0x801f00000000ff0f) : 0x81800f0f)); break;
    case 1:
        bits = edges[bits % (sizeof edges / sizeof edges[0])] ^ (bits >> 40 & 1 ? 0x80000000 : 0);
        bits = wide ? (bits & 0xfff00000) << 32 | (bits & 0x000fffff) : bits;
        break;
    default: break;
    }
    return wide ? bits : bits & 0xffffffff;
}

// What the host computes, in the mode that is set. Volatile, so that no operation moves or goes.
static uint64_t host_single(enum float_op op, const uint64_t operands[3]) {
    volatile float a = float_of(operands[0]), b = float_of(operands[1]), c = float_of(operands[2]),
                   result = 0;
    switch (op) {
    case FLOAT_ADD: result = a + b; break;
    case FLOAT_SUB: result = a - b; break;
    case FLOAT_MUL: result = a * b; break;
    case FLOAT_FMA: result = fmaf(a, b, c); break;
    case FLOAT_DIV: result = a / b; break;
    case FLOAT_RCP: result = 1.0f / a; break;
    case FLOAT_SQRT: result = sqrtf(a); break;
    default: fail();
    }
    return float_bits(result);
}

static uint64_t host_double(enum float_op op, const uint64_t operands[3]) {
    volatile double a = double_of(operands[0]), b = double_of(operands[1]),
                    c = double_of(operands[2]), result = 0;
    switch (op) {
    case FLOAT_ADD: result = a + b; break;
    case FLOAT_SUB: result = a - b; break;
    case FLOAT_MUL: result = a * b; break;
    case FLOAT_FMA: result = fma(a, b, c); break;
    case FLOAT_DIV: result = a / b; break;
    case FLOAT_RCP: result = 1.0 / a; break;
    case FLOAT_SQRT: result = sqrt(a); break;
    default: fail();
    }
    return double_bits(result);
}

static void compare(enum scalar_type type, enum float_op op, unsigned mode) {
    bool wide = type == TYPE_F64;
    struct instruction instruction = {
        .compute.float_op = op, .type = type, .compute.rounding = ROUND_NEAREST + mode};
    uint64_t operands[3], result = 0;
    operands[0] = operand(wide, random_bits());
    operands[1] = operand(wide, operands[0]);
    operands[2] = operand(wide, operands[random_bits() % 2]);
    fesetround(modes[mode]);
    uint64_t expected = wide ? host_double(op, operands) : host_single(op, operands);
    fesetround(FE_TONEAREST);
    enum float_outcome outcome = float_compute(&instruction, operands, &result);
    if (float_is_nan(wide ? FLOAT_F64 : FLOAT_F32, expected))
        assert_int_equal(outcome, FLOAT_SOME_NAN);
    else if (outcome != FLOAT_KNOWN || result != expected)
        fail_msg("%d of .%s in mode %u: %llx, %llx, %llx gives %llx, not %llx", (int)op,
                 scalar_type_name(type), mode, (unsigned long long)operands[0],
                 (unsigned long long)operands[1], (unsigned long long)operands[2],
                 (unsigned long long)result, (unsigned long long)expected);
}

static void operations_agree_with_the_host(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++)
        for (enum float_op op = FLOAT_ADD; op <= FLOAT_SQRT; op++)
            for (unsigned mode = 0; mode < 4; mode++) {
                compare(TYPE_F32, op, mode);
                compare(TYPE_F64, op, mode);
            }
}

// --- Conversions -------------------------------------------------------------------------------

static uint64_t converted(enum scalar_type to, enum scalar_type from, unsigned rounding,
                          uint64_t bits) {
    struct instruction instruction = {.compute.float_op = FLOAT_CVT,
                                      .type = to,
                                      .source_type = from,
                                      .compute.rounding = rounding};
    uint64_t operands[3] = {bits}, result = 0;
    assert_int_equal(float_compute(&instruction, operands, &result), FLOAT_KNOWN);
    return result;
}

// From integers, and between the formats.
static void conversions_to_floats_agree(unsigned mode) {
    uint64_t bits = random_bits() >> random_bits() % 64;
    fesetround(modes[mode]);
    volatile float f = (float)(int64_t)bits, g = (float)bits, h = (float)(int32_t)bits,
                   n = (float)double_of(bits);
    volatile double d = (double)(int64_t)bits, e = (double)bits, w = (double)float_of(bits);
    fesetround(FE_TONEAREST);
    unsigned rounding = ROUND_NEAREST + mode;
    assert_int_equal(converted(TYPE_F32, TYPE_S64, rounding, bits), float_bits(f));
    assert_int_equal(converted(TYPE_F32, TYPE_U64, rounding, bits), float_bits(g));
    assert_int_equal(converted(TYPE_F32, TYPE_S32, rounding, bits & 0xffffffff), float_bits(h));
    assert_int_equal(converted(TYPE_F64, TYPE_S64, rounding, bits), double_bits(d));
    assert_int_equal(converted(TYPE_F64, TYPE_U64, rounding, bits), double_bits(e));
    if (!isnan(double_of(bits)))
        assert_int_equal(converted(TYPE_F32, TYPE_F64, rounding, bits), float_bits(n));
    if (!isnan(float_of(bits)))
        assert_int_equal(converted(TYPE_F64, TYPE_F32, ROUND_NONE, bits & 0xffffffff),
                         double_bits(w));
}

// Called, not expanded by the compiler, which takes the mode for the usual one.
static double (*volatile host_rint)(double) = rint;

// To integers: rounded as rint does, then clamped.
static void conversions_to_integers_agree(unsigned mode) {
    volatile double number = ldexp((double)(int64_t)random_bits(), -(int)(random_bits() % 70) - 20);
    volatile float single = (float)number;
    unsigned rounding = (ROUND_NEAREST + mode) | ROUND_INTEGER;
    fesetround(modes[mode]);
    volatile double integral = host_rint(number), integral_single = host_rint((double)single);
    fesetround(FE_TONEAREST);
    uint64_t bits = double_bits(number);
    double clamped = fmin(fmax(integral, -128), 127),
           unsigned_clamped = fmin(fmax(integral_single, 0), 65535);
    assert_int_equal(converted(TYPE_S8, TYPE_F64, rounding, bits), (uint8_t)(int8_t)clamped);
    assert_int_equal(converted(TYPE_U16, TYPE_F32, rounding, float_bits(single)),
                     (uint16_t)unsigned_clamped);
    assert_int_equal(converted(TYPE_S64, TYPE_F64, rounding, bits), (uint64_t)(int64_t)integral);
    if (integral != 0) // else its sign is open
        assert_int_equal(converted(TYPE_F64, TYPE_F64, rounding, bits), double_bits(integral));
}

static void conversions_agree_with_the_host(void **state) {
    (void)state;
    for (int i = 0; i < 40000; i++)
        for (unsigned mode = 0; mode < 4; mode++) {
            conversions_to_floats_agree(mode);
            conversions_to_integers_agree(mode);
        }
}

static void integers_are_clamped(void **state) {
    (void)state;
    unsigned zero = ROUND_ZERO | ROUND_INTEGER;
    assert_int_equal(converted(TYPE_S32, TYPE_F32, zero, float_bits(3e9f)), 0x7fffffff);
    assert_int_equal(converted(TYPE_S32, TYPE_F32, zero, float_bits(-3e9f)), 0x80000000);
    assert_int_equal(converted(TYPE_U32, TYPE_F32, zero, float_bits(-1.5f)), 0);
    assert_int_equal(converted(TYPE_U64, TYPE_F64, zero, double_bits(1e300)), UINT64_MAX);
    assert_int_equal(converted(TYPE_S64, TYPE_F32, zero, 0xff800000), UINT64_C(1) << 63);
    assert_int_equal(converted(TYPE_U32, TYPE_F32, zero, 0x7fc00000), 0);
    struct instruction wide = {.compute.float_op = FLOAT_CVT,
                               .type = TYPE_S64,
                               .source_type = TYPE_F32,
                               .compute.rounding = zero};
    uint64_t operands[3] = {0x7fc00000}, result;
    assert_int_equal(float_compute(&wide, operands, &result), FLOAT_OPEN);
}

// --- Sixteen bits ------------------------------------------------------------------------------

// All finite numbers of .f16 and .bf16 as doubles, by their own definition.
static double number_of_16(enum scalar_type type, unsigned bits) {
    unsigned fraction = type == TYPE_F16 ? 10 : 7,
             field = bits >> fraction & ((1U << (15 - fraction)) - 1);
    double significand =
        (double)(bits & ((1U << fraction) - 1)) + (field > 0 ? (double)(1U << fraction) : 0);
    int bias = (1 << (14 - fraction)) - 1;
    double magnitude = ldexp(significand, (field > 0 ? (int)field : 1) - bias - (int)fraction);
    return bits >> 15 ? -magnitude : magnitude;
}

static bool is_finite_16(enum scalar_type type, unsigned bits) {
    return (bits & 0x7fff) < (type == TYPE_F16 ? 0x7c00U : 0x7f80U);
}

// The nearest number, of two the one with an even last bit. What is further away than half a step
// beyond the greatest is infinite.
static unsigned nearest_16(enum scalar_type type, double number) {
    unsigned infinity = type == TYPE_F16 ? 0x7c00 : 0x7f80, best = 0,
             sign = signbit(number) ? 0x8000 : 0;
    double magnitude = fabs(number), greatest = number_of_16(type, infinity - 1);
    if (magnitude >= greatest + (greatest - number_of_16(type, infinity - 2)) / 2)
        return sign | infinity;
    for (unsigned bits = 1; bits < infinity; bits++) {
        double distance = fabs(number_of_16(type, bits) - magnitude),
               least = fabs(number_of_16(type, best) - magnitude);
        if (distance < least || (distance == least && bits % 2 == 0))
            best = bits;
    }
    return sign | best;
}

static void numbers_of_16_bits_are_the_nearest(void **state) {
    (void)state;
    for (int i = 0; i < 400; i++) {
        enum scalar_type type = i % 2 ? TYPE_F16 : TYPE_BF16;
        uint64_t operands[3] = {random_bits() & 0xffff, random_bits() & 0xffff,
                                random_bits() & 0xffff},
                 result = 0;
        operands[1] = i % 4 < 2 ? operands[1] : (operands[0] ^ (operands[1] & 0x83ff));
        if (!is_finite_16(type, (unsigned)operands[0]) ||
            !is_finite_16(type, (unsigned)operands[1]))
            continue;
        double a = number_of_16(type, (unsigned)operands[0]),
               b = number_of_16(type, (unsigned)operands[1]);
        struct instruction instruction = {
            .compute.float_op = FLOAT_MUL, .type = type, .compute.rounding = ROUND_NEAREST};
        assert_int_equal(float_compute(&instruction, operands, &result), FLOAT_KNOWN);
        assert_int_equal(result, nearest_16(type, a * b));
        if (fabs(a) > 1e18 || fabs(b) > 1e18 || (a != 0 && fabs(a) < 1e-18) ||
            (b != 0 && fabs(b) < 1e-18))
            continue; // their sum may not be exact
        instruction.compute.float_op = FLOAT_ADD;
        assert_int_equal(float_compute(&instruction, operands, &result), FLOAT_KNOWN);
        if (fabs(a) < 1e6 && fabs(b) < 1e6 && fabs(a) > 1e-6 && fabs(b) > 1e-6)
            assert_int_equal(result, nearest_16(type, a + b));
        assert_int_equal(converted(type, TYPE_F64, ROUND_NEAREST, double_bits(a / 3)),
                         nearest_16(type, a / 3));
    }
}

// --- What PTX adds -----------------------------------------------------------------------------

static void subnormal_numbers_are_flushed(void **state) {
    (void)state;
    struct instruction instruction = {.compute.float_op = FLOAT_MUL,
                                      .type = TYPE_F32,
                                      .compute.rounding = ROUND_NEAREST,
                                      .compute.flushes = true};
    uint64_t result = 1, input[3] = {0x80000001, 0x4b800000}, small[3] = {0x80800000, 0x3f000000};
    assert_int_equal(float_compute(&instruction, input, &result), FLOAT_KNOWN);
    assert_int_equal(result, 0x80000000);
    assert_int_equal(float_compute(&instruction, small, &result), FLOAT_KNOWN);
    assert_int_equal(result, 0x80000000);
    // (1 - 2^-24) * 2^-126 is halfway between the greatest subnormal number and the least normal
    // one
    uint64_t edge[3] = {0x00ffffff, 0x3f000000};
    assert_int_equal(float_compute(&instruction, edge, &result), FLOAT_OPEN);
    instruction.compute.flushes = false;
    assert_int_equal(float_compute(&instruction, edge, &result), FLOAT_KNOWN);
    assert_int_equal(result, 0x00800000);
}

static void results_are_saturated(void **state) {
    (void)state;
    struct instruction instruction = {.compute.float_op = FLOAT_ADD,
                                      .type = TYPE_F32,
                                      .compute.rounding = ROUND_NEAREST,
                                      .compute.saturate = true};
    const struct {
        uint64_t a, b, result;
    } cases[] = {{0x3f800000, 0x3f800000, 0x3f800000},
                 {0xbf800000, 0, 0},
                 {0x3e800000, 0x3e800000, 0x3f000000},
                 {0x7fc00000, 0, 0},
                 {0x7f800000, 0, 0x3f800000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t operands[3] = {cases[i].a, cases[i].b}, result = 7;
        assert_int_equal(float_compute(&instruction, operands, &result), FLOAT_KNOWN);
        assert_int_equal(result, cases[i].result);
    }
    uint64_t zeros[3] = {0x80000000, 0x80000000}, result;
    assert_int_equal(float_compute(&instruction, zeros, &result), FLOAT_OPEN);
}

// PTX may fuse a product whose rounding is not given with the sum that takes it.
static void products_without_a_rounding_are_exact_or_open(void **state) {
    (void)state;
    struct instruction instruction = {.compute.float_op = FLOAT_MUL, .type = TYPE_F32};
    uint64_t exact[3] = {0x40400000, 0x40a00000}, rounded[3] = {0x3f800001, 0x3f800001}, result;
    assert_int_equal(float_compute(&instruction, exact, &result), FLOAT_KNOWN);
    assert_int_equal(result, 0x41700000); // 3 * 5
    assert_int_equal(float_compute(&instruction, rounded, &result), FLOAT_OPEN);
}

static void limits_take_numbers_and_order_zeros(void **state) {
    (void)state;
    struct instruction instruction = {.compute.float_op = FLOAT_MIN, .type = TYPE_F16};
    const struct {
        enum float_op op;
        uint64_t a, b, result;
    } cases[] = {{FLOAT_MIN, 0x8000, 0, 0x8000},      {FLOAT_MAX, 0x8000, 0, 0},
                 {FLOAT_MIN, 0x7e00, 0x3c00, 0x3c00}, {FLOAT_MAX, 0x3c00, 0x7e00, 0x3c00},
                 {FLOAT_MIN, 0xbc00, 0xc000, 0xc000}, {FLOAT_MAX, 0xbc00, 0x3800, 0x3800}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t operands[3] = {cases[i].a, cases[i].b}, result = 7;
        instruction.compute.float_op = cases[i].op;
        assert_int_equal(float_compute(&instruction, operands, &result), FLOAT_KNOWN);
        assert_int_equal(result, cases[i].result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_agree_with_the_host),
        cmocka_unit_test(conversions_agree_with_the_host),
        cmocka_unit_test(integers_are_clamped),
        cmocka_unit_test(numbers_of_16_bits_are_the_nearest),
        cmocka_unit_test(subnormal_numbers_are_flushed),
        cmocka_unit_test(results_are_saturated),
        cmocka_unit_test(products_without_a_rounding_are_exact_or_open),
        cmocka_unit_test(limits_take_numbers_and_order_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
