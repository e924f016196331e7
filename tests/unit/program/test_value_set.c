// Sets of values: which values the bytes of several values can be put together to.
#include "program/expr/value_set.h"
#include "litmus/source/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static struct value_set set_of(struct arena *arena, const uint64_t *values, size_t count) {
    struct value_set set = {0};
    for (size_t i = 0; i < count; i++)
        set = value_set_union(arena, set, value_set_of(arena, values[i]));
    return set;
}

static void expect_mixes(const uint64_t *values, size_t count, unsigned size, const uint64_t *mixes,
                         size_t mix_count) {
    struct arena *arena = arena_new();
    struct value_set found = value_set_mixes(arena, set_of(arena, values, count), size);
    assert_true(value_set_equal(found, set_of(arena, mixes, mix_count)));
    arena_free(arena);
}

static void each_byte_comes_from_any_value(void **state) {
    (void)state;
    expect_mixes((uint64_t[]){0x0000, 0x0101}, 2, 2, (uint64_t[]){0x0000, 0x0001, 0x0100, 0x0101},
                 4);
    expect_mixes((uint64_t[]){0x1200, 0x3456}, 2, 2, (uint64_t[]){0x1200, 0x1256, 0x3400, 0x3456},
                 4);
    expect_mixes((uint64_t[]){0x0102, 0x0103, 0x0402}, 3, 2,
                 (uint64_t[]){0x0102, 0x0103, 0x0402, 0x0403}, 4);
}

static void bytes_that_do_not_differ_stay(void **state) {
    (void)state;
    expect_mixes((uint64_t[]){0xaa01bb, 0xaa02bb}, 2, 4, (uint64_t[]){0xaa01bb, 0xaa02bb}, 2);
    expect_mixes((uint64_t[]){7}, 1, 4, (uint64_t[]){7}, 1);
    expect_mixes(NULL, 0, 4, NULL, 0);
}

static void too_many_become_any_value(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    uint64_t values[VALUE_SET_MAX / 2];
    for (size_t i = 0; i < VALUE_SET_MAX / 2; i++)
        values[i] = i << 8 | i;
    struct value_set mixes = value_set_mixes(arena, set_of(arena, values, VALUE_SET_MAX / 2), 2);
    assert_true(mixes.any);
    assert_true(mixes.most >= 0x1f1f);
    arena_free(arena);
}

// A set of one value too many is everything up to its greatest, be that one new or an old one.
static void long_lists_keep_their_greatest(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    uint64_t values[VALUE_SET_MAX];
    for (size_t i = 0; i < VALUE_SET_MAX; i++)
        values[i] = 10 * (i + 1);
    struct value_set most = set_of(arena, values, VALUE_SET_MAX);
    for (uint64_t further = 5; further < 2000; further += 1990) {
        struct value_set all = value_set_union(arena, most, value_set_of(arena, further));
        assert_true(all.any);
        assert_true(all.most == (further > 10 * VALUE_SET_MAX ? further : 10 * VALUE_SET_MAX));
    }
    arena_free(arena);
}

// What shifts, products and concatenations of anything up to a bound give is up to another one.
static void bounds_hold(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct expr_pool *pool = expr_pool_new(arena);
    const struct expr *x = expr_leaf(pool, EXPR_READ, 32, 0);
    const struct expr *half = expr_leaf(pool, EXPR_READ, 16, 1);
    const struct expr *eight = expr_const_u64(pool, 32, 8), *many = expr_const_u64(pool, 32, 40);
    struct value_set any = {.any = true, .most = 1000}, all = value_set_any(32);
    struct value_set by = value_set_of(arena, 8), none = value_set_of(arena, 0);
    const struct expr *shift = expr_binary(pool, EXPR_SHL, x, many), *product;
    struct value_set found =
        value_set_apply(arena, shift, (struct value_set[]){any, value_set_of(arena, 40)});
    assert_true(found.any == (shift->op == EXPR_SHL) || shift->op == EXPR_CONST);
    product = expr_binary(pool, EXPR_MUL, x, expr_const_u64(pool, 32, 12));
    found = value_set_apply(arena, product, (struct value_set[]){any, value_set_of(arena, 12)});
    assert_true(found.any && found.most == 12000);
    found = value_set_apply(arena, product, (struct value_set[]){all, value_set_of(arena, 12)});
    assert_true(found.any && found.most == UINT32_MAX);
    const struct expr *pair = expr_binary(pool, EXPR_CONCAT, half, half);
    found = value_set_apply(arena, pair, (struct value_set[]){any, none});
    assert_true(found.any && found.most == 1000 << 16);
    const struct expr *left = expr_binary(pool, EXPR_SHL, x, eight);
    if (left->op == EXPR_SHL) {
        found = value_set_apply(arena, left, (struct value_set[]){any, by});
        assert_true(found.any && found.most == 256000);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_byte_comes_from_any_value),
        cmocka_unit_test(bytes_that_do_not_differ_stay),
        cmocka_unit_test(too_many_become_any_value),
        cmocka_unit_test(long_lists_keep_their_greatest),
        cmocka_unit_test(bounds_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
