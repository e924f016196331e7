// Expressions as code: its values are those to which the same operations on constants fold.

#include "program/expr/code.h"
#include "program/expr/boolean.h"
#include "litmus/source/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

enum { INPUTS = 3, ROUNDS = 200 };

static const unsigned widths[] = {1, 7, 31, 32, 33, 63, 64, 65, 100, 127, 128};
enum { WIDTHS = sizeof widths / sizeof widths[0] };

struct fixture {
    struct arena *arena;
    struct expr_pool *pool;
    uint64_t seed;
};

static struct fixture fixture_new(void) {
    struct fixture f = {.arena = arena_new(), .seed = 1};
    f.pool = expr_pool_new(f.arena);
    return f;
}

static uint64_t next(struct fixture *f) {
    f->seed = f->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return f->seed ^ f->seed >> 29;
}

// Small numbers, numbers near the ends of a range, and any others.
static struct bits128 number(struct fixture *f, unsigned width) {
    uint64_t kind = next(f) % 4;
    uint128 value = (uint128)next(f) << 64 | next(f);
    if (kind == 0)
        value = next(f) % 70;
    else if (kind == 1)
        value = 0 - (uint128)(next(f) % 3);
    else if (kind == 2)
        value = ((uint128)1 << (width - 1)) - next(f) % 2;
    return bits_from_wide(value & bits_mask(width));
}

static const struct expr *leaf(struct fixture *f, unsigned width, unsigned index) {
    return expr_leaf(f->pool, EXPR_UNKNOWN, width, index);
}

// An operation on operands of a width; `shape` chooses which.
enum { UNARY = 2, BINARY = EXPR_SLE - EXPR_AND + 1, SHAPES = UNARY + BINARY + 5 };
static const struct expr *operation(struct fixture *f, unsigned shape, unsigned width,
                                    const struct expr *const *operands) {
    struct expr_pool *pool = f->pool;
    if (shape < UNARY)
        return expr_unary(pool, EXPR_NOT + shape, operands[0]);
    shape -= UNARY;
    if (shape < BINARY)
        return expr_binary(pool, EXPR_AND + shape, operands[0], operands[1]);
    switch (shape - BINARY) {
    case 0:
        return expr_ite(pool, expr_binary(pool, EXPR_ULT, operands[0], operands[1]), operands[1],
                        operands[2]);
    case 1: return expr_extract(pool, operands[0], width / 3, width - width / 3);
    case 2: return expr_resize(pool, operands[0], width < 100 ? width + 28 : 128, true);
    case 3: return expr_resize(pool, operands[0], width < 100 ? width + 28 : 128, false);
    default:
        return width > 64 ? expr_not(pool, operands[0])
                          : expr_binary(pool, EXPR_CONCAT, operands[0], operands[1]);
    }
}

static void compare(struct fixture *f, unsigned shape, unsigned width) {
    const struct expr *leaves[INPUTS], *constants[INPUTS];
    struct bits128 inputs[INPUTS];
    for (unsigned i = 0; i < INPUTS; i++) {
        inputs[i] = number(f, width);
        leaves[i] = leaf(f, width, i);
        constants[i] = expr_const(f->pool, width, inputs[i]);
    }
    const struct expr_code *code =
        expr_code_new(f->arena, operation(f, shape, width, leaves), INPUTS);
    const struct expr *folded = operation(f, shape, width, constants);
    assert_non_null(code);
    assert_true(expr_is_const(folded));
    struct bits128 value = expr_code_value(code, inputs);
    if (!bits_equal(value, folded->value))
        fail_msg("shape %u of %u bits: %llx %llx instead of %llx %llx", shape, width,
                 (unsigned long long)value.high, (unsigned long long)value.low,
                 (unsigned long long)folded->value.high, (unsigned long long)folded->value.low);
}

static void code_computes_what_constants_fold_to(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    for (unsigned shape = 0; shape < SHAPES; shape++)
        for (unsigned w = 0; w < WIDTHS; w++)
            for (unsigned i = 0; i < ROUNDS; i++)
                compare(&f, shape, widths[w]);
    arena_free(f.arena);
}

static void operations_use_the_results_of_others(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x = leaf(&f, 32, 0), *y = leaf(&f, 64, 1);
    const struct expr *sum = expr_binary(f.pool, EXPR_ADD, expr_resize(f.pool, x, 64, true), y);
    const struct expr *square = expr_binary(f.pool, EXPR_MUL, sum, sum);
    struct bits128 inputs[] = {{.low = 0xfffffffe}, {.low = 7}};
    assert_int_equal(expr_code_value(expr_code_new(f.arena, square, 2), inputs).low, 25);
    arena_free(f.arena);
}

static void other_leaves_have_no_code(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x = leaf(&f, 32, 0);
    assert_null(expr_code_new(f.arena, leaf(&f, 32, 1), 1));
    assert_null(expr_code_new(
        f.arena, expr_binary(f.pool, EXPR_ADD, x, expr_leaf(f.pool, EXPR_READ, 32, 0)), 1));
    arena_free(f.arena);
}

static void large_expressions_have_no_code(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x = leaf(&f, 32, 0), *all = x;
    for (unsigned i = 0; i < 100; i++)
        all = expr_binary(f.pool, EXPR_XOR, expr_binary(f.pool, EXPR_MUL, all, x), x);
    assert_null(expr_code_new(f.arena, all, 1));
    arena_free(f.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_computes_what_constants_fold_to),
        cmocka_unit_test(operations_use_the_results_of_others),
        cmocka_unit_test(other_leaves_have_no_code),
        cmocka_unit_test(large_expressions_have_no_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
