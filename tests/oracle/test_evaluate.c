// The oracle's evaluator against the one of litmus/program, on random expressions; and what only it
// does: values that are not known yet.
#include "litmus/source/arena.h"
#include "tests/oracle/evaluate.h"
#include "tests/oracle/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LEAVES = 4, EXPRESSIONS = 40, ROUNDS = 2000 };

struct leaves {
    u128 bits[LEAVES];
    bool known[LEAVES];
};

static struct value leaf_of_oracle(void *context, const struct expr *leaf) {
    const struct leaves *leaves = context;
    struct value value = {.known = leaves->known[leaf->index], .bits = leaves->bits[leaf->index]};
    return value;
}

static struct bits128 leaf_of_litmus(void *context, const struct expr *leaf) {
    const struct leaves *leaves = context;
    struct bits128 bits = {.low = (uint64_t)leaves->bits[leaf->index],
                           .high = (uint64_t)(leaves->bits[leaf->index] >> 64)};
    return bits;
}

// Small numbers, large ones, and all ones.
static u128 random_bits(struct random *random, unsigned width) {
    u128 bits = random_next(random);
    bits = bits << 64 | random_next(random);
    if (random_chance(random, 50))
        bits = random_below(random, 5);
    else if (random_chance(random, 20))
        bits = ~(u128)0;
    return width < 128 ? bits & (((u128)1 << width) - 1) : bits;
}

static const struct expr *random_of_width(const struct expr *const *all, unsigned count,
                                          unsigned width, struct random *random) {
    for (;;) {
        const struct expr *expr = all[random_below(random, count)];
        if (expr->width == width)
            return expr;
    }
}

// An expression over those made before; the first of them are leaves of `width` bits.
static const struct expr *random_expr(struct expr_pool *pool, const struct expr *const *all,
                                      unsigned count, unsigned width, struct random *random) {
    const struct expr *a = random_of_width(all, count, width, random);
    const struct expr *b = random_of_width(all, count, width, random);
    enum expr_op op = EXPR_NOT + random_below(random, EXPR_SLE - EXPR_NOT + 1);
    unsigned half = width / 2;
    switch (random_below(random, 6)) {
    case 0: return expr_ite(pool, expr_binary(pool, EXPR_ULT, a, b), a, b);
    case 1:
        return expr_resize(pool, expr_extract(pool, a, half, width - half), width,
                           random_chance(random, 50));
    case 2:
        return expr_binary(pool, EXPR_CONCAT, expr_extract(pool, a, 0, half),
                           expr_extract(pool, b, half, width - half));
    default:
        if (op == EXPR_NOT || op == EXPR_NEG)
            return expr_unary(pool, op, a);
        return expr_binary(pool, op, a, b);
    }
}

static void check_round(uint64_t round, unsigned width) {
    struct arena *arena = arena_new();
    struct expr_pool *pool = expr_pool_new(arena);
    struct random random = random_stream(width, round);
    struct leaves leaves;
    const struct expr *all[LEAVES + EXPRESSIONS];
    for (unsigned i = 0; i < LEAVES; i++) {
        leaves.bits[i] = random_bits(&random, width);
        leaves.known[i] = true;
        all[i] = expr_leaf(pool, EXPR_READ, width, i);
    }
    for (unsigned i = LEAVES; i < LEAVES + EXPRESSIONS; i++)
        all[i] = random_expr(pool, all, i, width, &random);
    struct evaluation evaluation = {.leaf = leaf_of_oracle, .context = &leaves};
    evaluation_init(&evaluation, expr_pool_count(pool));
    struct expr_environment environment = {leaf_of_litmus, &leaves};
    for (unsigned i = 0; i < LEAVES + EXPRESSIONS; i++) {
        struct value mine = evaluate(&evaluation, all[i]);
        struct bits128 theirs = expr_evaluate(pool, all[i], &environment);
        assert_true(mine.known);
        assert_int_equal((uint64_t)mine.bits, theirs.low);
        assert_int_equal((uint64_t)(mine.bits >> 64), theirs.high);
    }
    evaluation_free(&evaluation);
    arena_free(arena);
}

static void test_random_expressions(void **state) {
    (void)state;
    static const unsigned widths[] = {8, 16, 32, 64, 128};
    for (uint64_t round = 0; round < ROUNDS; round++)
        check_round(round, widths[round % 5]);
}

// What is decided without an unknown operand is known; the rest is not.
static void test_unknown_operands(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct expr_pool *pool = expr_pool_new(arena);
    struct leaves leaves = {.bits = {1, 0, 5, 5}, .known = {false, true, true, true}};
    const struct expr *open = expr_leaf(pool, EXPR_READ, 1, 0);
    const struct expr *zero = expr_leaf(pool, EXPR_READ, 1, 1);
    const struct expr *five = expr_leaf(pool, EXPR_READ, 32, 2);
    const struct expr *also_five = expr_leaf(pool, EXPR_READ, 32, 3);
    const struct expr *both = expr_binary(pool, EXPR_AND, open, zero);
    const struct expr *either = expr_binary(pool, EXPR_OR, open, zero);
    const struct expr *same = expr_ite(pool, open, five, also_five);
    struct evaluation evaluation = {.leaf = leaf_of_oracle, .context = &leaves};
    evaluation_init(&evaluation, expr_pool_count(pool));
    assert_true(evaluate(&evaluation, both).known);
    assert_false(evaluate(&evaluation, either).known);
    assert_true(evaluate(&evaluation, same).known);
    leaves.known[0] = true; // remembered until it is told to forget
    assert_false(evaluate(&evaluation, either).known);
    evaluation_forget(&evaluation);
    assert_true(evaluate(&evaluation, either).known);
    assert_int_equal((uint64_t)evaluate(&evaluation, either).bits, 1);
    evaluation_free(&evaluation);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_expressions),
        cmocka_unit_test(test_unknown_operands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
