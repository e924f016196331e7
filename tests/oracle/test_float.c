// Sums of floating-point numbers: the oracle's integers, the host's arithmetic and the bit-vector
// operations of program agree, on every pair of special numbers and on random ones.
#include "program/expr/float.h"
#include "litmus/source/arena.h"
#include "tests/oracle/float.h"
#include "tests/oracle/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct float_layout layouts[] = {[FLOAT_F16] = {5, 10, false},
                                              [FLOAT_BF16] = {8, 7, false},
                                              [FLOAT_F32] = {8, 23, false},
                                              [FLOAT_F32_FLUSHED] = {8, 23, true},
                                              [FLOAT_F64] = {11, 52, false}};

static void agree(struct expr_pool *pool, enum float_format format, uint64_t a, uint64_t b) {
    uint64_t host = float_add(format, a, b), integers = float_sum(&layouts[format], a, b);
    unsigned width = float_width(format);
    const struct expr *bits = expr_float_bits(pool, format, expr_const_u64(pool, width, a),
                                              expr_const_u64(pool, width, b));
    if (float_is_nan(format, host)) {
        assert_true(float_is_nan(format, integers));
        assert_true(float_is_nan(format, bits->value.low));
        return;
    }
    if (host != integers || host != bits->value.low)
        print_message("format %d: %llx + %llx\n", (int)format, (unsigned long long)a,
                      (unsigned long long)b);
    assert_int_equal(host, integers);
    assert_int_equal(host, bits->value.low);
}

// The numbers at which something changes, of a format.
static size_t special_numbers(enum float_format format, uint64_t *numbers) {
    uint64_t infinity = float_infinity(format), sign = UINT64_C(1) << (float_width(format) - 1);
    uint64_t normal = UINT64_C(1) << float_fraction(format), one = infinity / 2 / normal * normal;
    uint64_t positive[] = {0,
                           1,
                           2,
                           3,
                           normal / 2,
                           normal - 1,
                           normal,
                           one - 1,
                           one,
                           one + 1,
                           one + normal,
                           normal + 1,
                           one / 2,
                           infinity - 1,
                           infinity - normal,
                           infinity,
                           infinity + 1};
    size_t count = sizeof positive / sizeof *positive;
    for (size_t i = 0; i < count; i++) {
        numbers[2 * i] = positive[i];
        numbers[2 * i + 1] = positive[i] | sign;
    }
    return 2 * count;
}

static void special_sums_agree(void **state) {
    (void)state;
    for (int format = FLOAT_F16; format <= FLOAT_F64; format++) {
        struct arena *arena = arena_new();
        struct expr_pool *pool = expr_pool_new(arena);
        uint64_t numbers[40];
        size_t count = special_numbers((enum float_format)format, numbers);
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < count; k++)
                agree(pool, (enum float_format)format, numbers[i], numbers[k]);
        arena_free(arena);
    }
}

// Any bits, and numbers whose exponents are near each other.
static uint64_t random_number(enum float_format format, uint64_t other, struct random *random) {
    unsigned width = float_width(format);
    uint64_t bits = random_next(random) >> (64 - width);
    if (random_chance(random, 60)) {
        uint64_t exponent = other & float_infinity(format), sign = UINT64_C(1) << (width - 1);
        uint64_t away = random_next(random) % (float_fraction(format) + 4);
        exponent += (away << float_fraction(format)) & float_infinity(format);
        bits = (bits & ~float_infinity(format)) | (exponent & (sign - 1) & float_infinity(format));
    }
    if (random_chance(random, 30)) // few digits: halves and carries
        bits &= ~UINT64_C(0) << (float_fraction(format) - random_below(random, 4));
    return bits;
}

static void random_sums_agree(void **state) {
    (void)state;
    struct random random = random_stream(20251121, 1);
    for (int format = FLOAT_F16; format <= FLOAT_F64; format++) {
        struct arena *arena = arena_new();
        struct expr_pool *pool = expr_pool_new(arena);
        for (unsigned i = 0; i < 5000; i++) {
            uint64_t a = random_number((enum float_format)format, 0, &random);
            uint64_t b = random_number((enum float_format)format, a, &random);
            agree(pool, (enum float_format)format, a, b);
        }
        arena_free(arena);
    }
}

// The evaluator takes the operator's format from the expression.
static void evaluated_sums_agree(void **state) {
    (void)state;
    assert_int_equal(float_sum(&layouts[FLOAT_F16], 0x3c00, 0x3c00), 0x4000);
    assert_int_equal(float_sum(&layouts[FLOAT_BF16], 0x3f80, 0x3f80), 0x4000);
    assert_int_equal(float_sum(&layouts[FLOAT_F32], 1, 1), 2);
    assert_int_equal(float_sum(&layouts[FLOAT_F32_FLUSHED], 1, 1), 0);
    assert_int_equal(float_sum(&layouts[FLOAT_F32_FLUSHED], 0x80000001, 0x80000001), 0x80000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_sums_agree),
        cmocka_unit_test(random_sums_agree),
        cmocka_unit_test(evaluated_sums_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
