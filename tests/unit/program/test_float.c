// Sums of floating-point numbers: against the host's float, and at the places where the formats
// have their edges.

#include "program/expr/float.h"
#include "litmus/source/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static uint64_t bits_of(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

// float + float rounds once, and so does float_add, which computes in integers.
static void sums_are_rounded_like_floats(void **state) {
    (void)state;
    uint64_t random = 1;
    for (int i = 0; i < 200000; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint32_t a = (uint32_t)(random >> 32), b = (uint32_t)(random >> 13) ^ (a & 0x7f000000);
        float x, y;
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        volatile float sum = x + y;
        uint64_t bits = float_add(FLOAT_F32, a, b);
        if (float_is_nan(FLOAT_F32, bits_of(sum)))
            assert_true(float_is_nan(FLOAT_F32, bits));
        else
            assert_int_equal(bits, bits_of(sum));
    }
}

static void halves_are_rounded_to_even(void **state) {
    (void)state;
    // 2048 + 1 lies between 2048 and 2050; 2050 + 1 between 2050 and 2052.
    assert_int_equal(float_add(FLOAT_F16, 0x6800, 0x3c00), 0x6800);
    assert_int_equal(float_add(FLOAT_F16, 0x6801, 0x3c00), 0x6802);
    // 256 + 1 and 258 + 1 in bf16
    assert_int_equal(float_add(FLOAT_BF16, 0x4380, 0x3f80), 0x4380);
    assert_int_equal(float_add(FLOAT_BF16, 0x4381, 0x3f80), 0x4382);
    // 2^24 + 1 and 2^53 + 1
    assert_int_equal(float_add(FLOAT_F32, 0x4b800000, 0x3f800000), 0x4b800000);
    assert_int_equal(float_add(FLOAT_F64, 0x4340000000000000, 0x3ff0000000000000),
                     0x4340000000000000);
}

static void sums_overflow_to_infinity(void **state) {
    (void)state;
    assert_int_equal(float_add(FLOAT_F16, 0x7bff, 0x7bff), 0x7c00);
    // 65504 + 16 is halfway to what would be 65536; 65504 + 8 is not
    assert_int_equal(float_add(FLOAT_F16, 0x7bff, 0x4c00), 0x7c00);
    assert_int_equal(float_add(FLOAT_F16, 0x7bff, 0x4800), 0x7bff);
    assert_int_equal(float_add(FLOAT_BF16, 0xff7f, 0xff7f), 0xff80);
    assert_int_equal(float_add(FLOAT_F32, 0x7f7fffff, 0x7f7fffff), 0x7f800000);
    assert_true(float_is_nan(FLOAT_F32, float_add(FLOAT_F32, 0x7f800000, 0xff800000)));
    assert_true(float_is_nan(FLOAT_F16, float_add(FLOAT_F16, 0x7c01, 0x3c00)));
    assert_int_equal(float_add(FLOAT_F32, 0x7f800000, 0x3f800000), 0x7f800000);
}

static void zeros_have_signs(void **state) {
    (void)state;
    assert_int_equal(float_add(FLOAT_F16, 0x8000, 0x8000), 0x8000);
    assert_int_equal(float_add(FLOAT_F16, 0x8000, 0x0000), 0x0000);
    assert_int_equal(float_add(FLOAT_BF16, 0x3f80, 0xbf80), 0x0000);
}

static void subnormal_numbers_are_kept_or_flushed(void **state) {
    (void)state;
    assert_int_equal(float_add(FLOAT_F16, 0x0001, 0x03ff), 0x0400);
    assert_int_equal(float_add(FLOAT_BF16, 0x0080, 0x8001), 0x007f);
    assert_int_equal(float_add(FLOAT_F32, 0x00800000, 0x80000001), 0x007fffff);
    assert_int_equal(float_add(FLOAT_F32_FLUSHED, 0x00800000, 0x80000001), 0x00800000);
    assert_int_equal(float_add(FLOAT_F32_FLUSHED, 0x00800001, 0x80800000), 0x00000000);
    assert_int_equal(float_add(FLOAT_F32_FLUSHED, 0x80800001, 0x00800000), 0x80000000);
    assert_int_equal(float_add(FLOAT_F64, 1, 1), 2);
}

static void sums_of_constants_are_constants(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct expr_pool *pool = expr_pool_new(arena);
    const struct expr *one = expr_const_u64(pool, 32, 0x3f800000);
    const struct expr *x = expr_leaf(pool, EXPR_READ, 32, 0);
    assert_ptr_equal(expr_fadd(pool, FLOAT_F32, one, one), expr_const_u64(pool, 32, 0x40000000));
    assert_ptr_equal(expr_fadd(pool, FLOAT_F32, one, x), expr_fadd(pool, FLOAT_F32, x, one));
    assert_ptr_not_equal(expr_fadd(pool, FLOAT_F32, one, x),
                         expr_fadd(pool, FLOAT_F32_FLUSHED, one, x));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_rounded_like_floats),
        cmocka_unit_test(halves_are_rounded_to_even),
        cmocka_unit_test(sums_overflow_to_infinity),
        cmocka_unit_test(zeros_have_signs),
        cmocka_unit_test(subnormal_numbers_are_kept_or_flushed),
        cmocka_unit_test(sums_of_constants_are_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
