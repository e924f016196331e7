// Which leaves can change an expression's value, against all values of small expressions.

#include "litmus/source/bits.h"
#include "program/expr/boolean.h"
#include "program/expr/internal.h"
#include "program/dependency/influence.h"
#include "litmus/source/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

enum { LEAVES = 3, MADE = 14 };

struct fixture {
    struct arena *arena;
    struct expr_pool *pool;
    struct influences *influences;
};

static struct fixture fixture_new(void) {
    struct fixture f = {.arena = arena_new()};
    f.pool = expr_pool_new(f.arena);
    f.influences = influences_new(f.arena, f.pool);
    return f;
}

static void fixture_end(struct fixture *f) {
    influences_free(f->influences);
    arena_free(f->arena);
}

static const struct expr *leaf(struct fixture *f, unsigned width, unsigned index) {
    return expr_leaf(f->pool, EXPR_READ, width, index);
}

static const struct expr *number(struct fixture *f, unsigned width, uint64_t value) {
    return expr_const_u64(f->pool, width, value);
}

// Whether exactly this is known of a leaf.
static void expect(struct fixture *f, const struct expr *expr, const struct expr *of, bool wanted) {
    const struct influence *influence = influence_of(f->influences, expr);
    assert_false(leaf_list_has(&influence->open, of));
    assert_int_equal(leaf_list_has(&influence->certain, of), wanted);
}

// --- By hand -----------------------------------------------------------------------------------

static void what_cancels_out_has_none(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x = leaf(&f, 32, 1), *y = leaf(&f, 32, 2), *one = number(&f, 32, 1);
    const struct expr *next = expr_binary(f.pool, EXPR_ADD, x, one);
    const struct expr *product = expr_binary(f.pool, EXPR_MUL, x, next);
    expect(&f, product, x, true);
    expect(&f, expr_binary(f.pool, EXPR_AND, product, one), x, false);
    // (x + y) - y, with the sum doubled and halved so that no rule of algebra sees it
    const struct expr *sum = expr_binary(f.pool, EXPR_ADD, x, y);
    const struct expr *doubled = expr_binary(f.pool, EXPR_ADD, sum, sum);
    const struct expr *twice_y = expr_binary(f.pool, EXPR_SHL, y, one);
    const struct expr *rest = expr_binary(f.pool, EXPR_SUB, doubled, twice_y);
    expect(&f, rest, y, false);
    expect(&f, rest, x, true);
    expect(&f, expr_extract(f.pool, rest, 0, 1), x, false);
    fixture_end(&f);
}

// Bits that are shifted, multiplied or cut away have none.
static void what_is_lost_has_none(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x = leaf(&f, 32, 1), *four = number(&f, 32, 4);
    const struct expr *top = expr_binary(f.pool, EXPR_AND, x, number(&f, 32, 0xc0000000));
    expect(&f, top, x, true);
    expect(&f, expr_binary(f.pool, EXPR_MUL, top, four), x, false);
    expect(&f, expr_binary(f.pool, EXPR_SHL, top, number(&f, 32, 2)), x, false);
    expect(&f, expr_extract(f.pool, top, 0, 30), x, false);
    expect(&f, expr_binary(f.pool, EXPR_OR, top, number(&f, 32, 0xc0000001)), x, false);
    const struct expr *byte = expr_extract(f.pool, expr_binary(f.pool, EXPR_LSHR, x, four), 21, 8);
    const struct expr *extended = expr_resize(f.pool, byte, 32, true);
    expect(&f, extended, x, true);
    expect(&f, expr_extract(f.pool, extended, 8, 24), x, false);
    expect(&f, expr_binary(f.pool, EXPR_UREM, top, four), x, false);
    expect(&f, expr_binary(f.pool, EXPR_UDIV, top, four), x, true);
    fixture_end(&f);
}

// Only one of 2^32 values makes a difference.
static void one_value_is_enough(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x = leaf(&f, 32, 1), *y = leaf(&f, 32, 2);
    const struct expr *is_key = expr_eq(f.pool, x, number(&f, 32, 0xdeadbeef));
    const struct expr *is_y = expr_eq(f.pool, y, number(&f, 32, 0x12345678));
    const struct expr *both = expr_and(f.pool, is_key, is_y);
    expect(&f, both, x, true);
    expect(&f, expr_ite(f.pool, both, x, number(&f, 32, 0xdeadbeef)), x, false);
    expect(&f, expr_ite(f.pool, is_key, y, number(&f, 32, 0)), y, true);
    fixture_end(&f);
}

// A condition that never holds hides the other parts of its conjunction.
// The sign alone is kept, and it is zero for one value of x in 2^32.
static void one_bit_is_asked_for(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x = leaf(&f, 32, 1);
    const struct expr *moved = expr_binary(f.pool, EXPR_SHL, x, number(&f, 32, 7));
    const struct expr *mixed = expr_binary(f.pool, EXPR_XOR, x, moved);
    const struct expr *rest = expr_binary(f.pool, EXPR_XOR, mixed, number(&f, 32, 0x5a3c1e0f));
    const struct expr *minus = expr_binary(f.pool, EXPR_SUB, number(&f, 32, 0), rest);
    const struct expr *sign = expr_binary(f.pool, EXPR_OR, rest, minus); // set if rest is not 0
    const struct expr *high = expr_extract(f.pool, sign, 16, 16);
    const struct expr *wide = expr_resize(f.pool, high, 32, true);
    expect(&f, expr_binary(f.pool, EXPR_AND, wide, number(&f, 32, 0x100000)), x, true);
    const struct expr *joined = expr_binary(f.pool, EXPR_CONCAT, high, leaf(&f, 16, 2));
    expect(&f, expr_binary(f.pool, EXPR_AND, joined, number(&f, 32, 0x80000000)), x, true);
    fixture_end(&f);
}

// A constant that is shifted says nothing of which bits of the amount count: this one is never 0.
static void amounts_are_asked_for_whole(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x = leaf(&f, 32, 1);
    const struct expr *amount = expr_binary(f.pool, EXPR_OR, x, number(&f, 32, 2));
    const struct expr *one = expr_binary(f.pool, EXPR_SHL, number(&f, 32, 1), amount);
    expect(&f, expr_binary(f.pool, EXPR_AND, one, number(&f, 32, 1)), x, false);
    fixture_end(&f);
}

static void impossible_parts_hide_others(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x = leaf(&f, 8, 1), *p = leaf(&f, 1, 2);
    const struct expr *below = expr_binary(f.pool, EXPR_ULT, x, number(&f, 8, 3));
    const struct expr *above = expr_binary(f.pool, EXPR_ULT, number(&f, 8, 5), x);
    const struct expr *never = expr_and(f.pool, expr_and(f.pool, below, p), above);
    expect(&f, never, p, false);
    expect(&f, never, x, false);
    expect(&f, expr_or(f.pool, never, p), p, true);
    expect(&f, expr_and(f.pool, below, p), p, true);
    fixture_end(&f);
}

// Each of many branches counts, and none of those that have joined.
static void long_paths_are_decided(void **state) {
    (void)state;
    enum { COUNT = 400 };
    struct fixture f = fixture_new();
    const struct expr *path = expr_bool(f.pool, true), *value = number(&f, 32, 0);
    for (unsigned i = 0; i < COUNT; i++) {
        const struct expr *x = leaf(&f, 32, i);
        path = expr_and(f.pool, path, expr_not(f.pool, expr_eq(f.pool, x, number(&f, 32, 7 * i))));
        value = expr_binary(f.pool, EXPR_XOR, value, expr_binary(f.pool, EXPR_SUB, x, x));
    }
    const struct influence *influence = influence_of(f.influences, path);
    assert_int_equal(influence->certain.count, COUNT);
    assert_int_equal(influence->open.count, 0);
    assert_int_equal(influence_of(f.influences, value)->certain.count, 0);
    fixture_end(&f);
}

// A sum of floating-point numbers has no diagrams; values that differ are found all the same.
static void sums_of_floats_are_found_by_trying(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x = leaf(&f, 32, 1), *y = leaf(&f, 32, 2);
    const struct expr *sum = expr_fadd(f.pool, FLOAT_F32, x, y);
    expect(&f, sum, x, true);
    expect(&f, sum, y, true);
    // A sum with a NaN is a NaN, which trying can never prove: so it stays open.
    const struct expr *nan = expr_fadd(f.pool, FLOAT_F32, x, number(&f, 32, 0x7fc00000));
    const struct influence *influence = influence_of(f.influences, nan);
    assert_int_equal(influence->certain.count, 0);
    assert_true(influence->open.count == 1 || expr_is_const(nan));
    fixture_end(&f);
}

// Where one part of a conjunction may be false whatever is read, the others have no certain
// influence.
static void an_open_part_opens_the_others(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x = leaf(&f, 64, 1), *z = leaf(&f, 32, 2);
    const struct expr *square = expr_binary(f.pool, EXPR_MUL, x, x);
    const struct expr *is_key =
        expr_eq(f.pool, square, number(&f, 64, UINT64_C(0x9d2a7b54c1e83f69)));
    const struct expr *is_seven = expr_eq(f.pool, z, number(&f, 32, 7));
    const struct influence *alone = influence_of(f.influences, is_key);
    assert_int_equal(alone->certain.count, 0);
    assert_int_equal(alone->open.count, 1);
    const struct influence *both = influence_of(f.influences, expr_and(f.pool, is_key, is_seven));
    assert_int_equal(both->certain.count, 0);
    assert_true(leaf_list_has(&both->open, z));
    fixture_end(&f);
}

// Numbers that are put together depend on all that their halves depend on, whichever was read
// first.
static void halves_are_joined(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x[4];
    for (unsigned i = 0; i < 4; i++)
        x[i] = leaf(&f, 16, i);
    for (unsigned mate = 1; mate < 4; mate++) {
        const struct expr *a = expr_binary(f.pool, EXPR_XOR, x[0], x[mate]);
        const struct expr *b =
            expr_binary(f.pool, EXPR_XOR, x[mate % 3 + 1], x[(mate + 1) % 3 + 1]);
        for (unsigned i = 0; i < 4; i++) {
            expect(&f, expr_binary(f.pool, EXPR_CONCAT, a, b), x[i], true);
            expect(&f, expr_binary(f.pool, EXPR_CONCAT, b, a), x[i], true);
        }
    }
    fixture_end(&f);
}

static void parts_of_a_condition(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *x = leaf(&f, 8, 1), *y = leaf(&f, 8, 2), *p = leaf(&f, 1, 3);
    const struct expr *linked = expr_eq(f.pool, x, y);
    const struct expr *small = expr_binary(f.pool, EXPR_ULT, y, number(&f, 8, 9));
    const struct expr *all = expr_and(f.pool, expr_and(f.pool, linked, p), small);
    assert_ptr_equal(influence_part(f.influences, all, x), expr_and(f.pool, linked, small));
    assert_ptr_equal(influence_part(f.influences, all, p), p);
    assert_true(expr_is_true(influence_part(f.influences, all, leaf(&f, 8, 9))));
    fixture_end(&f);
}

// --- At random ---------------------------------------------------------------------------------

static unsigned next(unsigned *random, unsigned bound) {
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 8) % bound;
}

// One operation on two expressions of one width, that has this width again.
static const struct expr *operation(struct fixture *f, unsigned *random, const struct expr *a,
                                    const struct expr *b, const struct expr *c) {
    static const enum expr_op binary[] = {
        EXPR_AND,  EXPR_OR,   EXPR_XOR, EXPR_ADD,  EXPR_SUB,  EXPR_MUL, EXPR_UDIV, EXPR_UREM,
        EXPR_SDIV, EXPR_SREM, EXPR_SHL, EXPR_LSHR, EXPR_ASHR, EXPR_AND, EXPR_MUL,  EXPR_XOR};
    static const enum expr_op compare[] = {EXPR_EQ, EXPR_ULT, EXPR_ULE, EXPR_SLT, EXPR_SLE};
    unsigned width = a->width, kind = next(random, 24);
    if (kind < 16)
        return expr_binary(f->pool, binary[kind], a, b);
    if (kind == 16)
        return expr_unary(f->pool, next(random, 2) ? EXPR_NOT : EXPR_NEG, a);
    if (kind < 20)
        return expr_ite(f->pool, expr_binary(f->pool, compare[next(random, 5)], a, b), b, c);
    if (kind == 20)
        return expr_resize(f->pool, expr_extract(f->pool, a, next(random, width), 1), width,
                           next(random, 2));
    if (kind == 21)
        return expr_resize(f->pool, expr_extract(f->pool, a, 0, 2), width, next(random, 2));
    if (kind == 22)
        return expr_binary(f->pool, EXPR_CONCAT, expr_extract(f->pool, a, 1, width - 1),
                           expr_extract(f->pool, b, 0, 1));
    return expr_binary(f->pool, EXPR_MUL, a, number(f, width, next(random, 1u << width)));
}

// Conditions: what paths are made of.
static const struct expr *condition(struct fixture *f, unsigned *random, const struct expr *a,
                                    const struct expr *b, const struct expr *so_far) {
    const struct expr *test = expr_binary(f->pool, next(random, 2) ? EXPR_ULT : EXPR_EQ, a, b);
    if (next(random, 3) == 0)
        test = expr_not(f->pool, test);
    return next(random, 3) == 0 ? expr_or(f->pool, so_far, test) : expr_and(f->pool, so_far, test);
}

static const struct expr *random_expr(struct fixture *f, unsigned *random, unsigned width) {
    const struct expr *made[LEAVES + MADE];
    unsigned count = LEAVES;
    for (unsigned i = 0; i < LEAVES; i++)
        made[i] = leaf(f, width, i);
    while (count < LEAVES + 2 + next(random, MADE - 2)) {
        const struct expr *k = number(f, width, next(random, 1u << width));
        const struct expr *a = made[next(random, count)], *b = made[next(random, count)];
        const struct expr *c = made[next(random, count)];
        made[count++] = operation(f, random, a, next(random, 3) ? b : k, c);
    }
    if (next(random, 2))
        return made[count - 1];
    const struct expr *path = expr_bool(f->pool, true);
    for (unsigned i = 0; i < 4; i++)
        path = condition(f, random, made[next(random, count)], made[next(random, count)], path);
    return path;
}

static struct bits128 leaf_value(void *context, const struct expr *of) {
    const unsigned *values = context;
    return (struct bits128){.low = values[of->index]};
}

// The values of an expression, by those of its leaves: `values[0]` in the lowest `width` bits.
static unsigned *all_values(struct fixture *f, const struct expr *expr, unsigned width) {
    unsigned count = 1u << (LEAVES * width), *results = calloc(count, sizeof *results);
    assert_non_null(results);
    for (unsigned i = 0; i < count; i++) {
        unsigned values[LEAVES];
        for (unsigned k = 0; k < LEAVES; k++)
            values[k] = i >> (k * width) & ((1u << width) - 1);
        struct expr_environment environment = {leaf_value, values};
        results[i] = (unsigned)expr_evaluate(f->pool, expr, &environment).low;
    }
    return results;
}

// Whether changing one leaf can change the value: the definition, word by word.
static bool matters(const unsigned *results, unsigned width, unsigned of) {
    unsigned count = 1u << (LEAVES * width), mask = (1u << width) - 1;
    for (unsigned i = 0; i < count; i++)
        if (results[i] != results[i & ~(mask << (of * width))])
            return true;
    return false;
}

static void agrees_with_all_values(void **state) {
    (void)state;
    enum { ROUNDS = 1500 };
    unsigned random = 20, with = 0, without = 0, hidden = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct fixture f = fixture_new();
        unsigned width = 2 + next(&random, 2);
        const struct expr *expr = random_expr(&f, &random, width);
        const struct influence *influence = influence_of(f.influences, expr);
        unsigned *results = all_values(&f, expr, width);
        for (unsigned k = 0; k < LEAVES; k++) {
            const struct expr *of = leaf(&f, width, k);
            bool wanted = matters(results, width, k);
            bool certain = leaf_list_has(&influence->certain, of);
            assert_int_equal(influence->open.count, 0);
            assert_int_equal(certain, wanted);
            with += wanted;
            without += !wanted;
            hidden += !wanted && !expr_is_const(expr);
        }
        free(results);
        fixture_end(&f);
    }
    // The rounds show something of each kind.
    assert_true(with > ROUNDS / 2 && without > ROUNDS / 4 && hidden > ROUNDS / 20);
}

// Reads as wide as those of tests, where trying all values is out of the question: whatever a
// search at random finds to matter must have been found.
static void agrees_with_random_values(void **state) {
    (void)state;
    unsigned random = 4, differences = 0;
    for (unsigned round = 0; round < 400; round++) {
        struct fixture f = fixture_new();
        const struct expr *expr = random_expr(&f, &random, 8);
        const struct influence *influence = influence_of(f.influences, expr);
        for (unsigned trial = 0; trial < 40; trial++) {
            unsigned values[LEAVES], of = next(&random, LEAVES);
            struct expr_environment environment = {leaf_value, values};
            for (unsigned k = 0; k < LEAVES; k++)
                values[k] = next(&random, 256);
            uint64_t before = expr_evaluate(f.pool, expr, &environment).low;
            values[of] = next(&random, 256);
            if (expr_evaluate(f.pool, expr, &environment).low == before)
                continue;
            differences++;
            assert_true(leaf_list_has(&influence->certain, leaf(&f, 8, of)) ||
                        leaf_list_has(&influence->open, leaf(&f, 8, of)));
        }
        fixture_end(&f);
    }
    assert_true(differences > 1000);
}

// --- Replacing leaves --------------------------------------------------------------------------

struct asking {
    struct fixture *f;
    const struct expr *by;    // what takes the place of each leaf
    const struct expr *other; // of which the influence is asked for meanwhile
    const struct expr *whole; // on a sum with this
};

static const struct expr *ask_and_replace(void *context, const struct expr *leaf) {
    const struct asking *asking = context;
    const struct expr *asked =
        expr_binary(asking->f->pool, EXPR_ADD, asking->other, number(asking->f, 32, leaf->index));
    asked = expr_binary(asking->f->pool, EXPR_SUB, asked, asking->whole);
    const struct influence *influence = influence_of(asking->f->influences, asked);
    assert_true(influence->certain.count + influence->open.count > 0);
    return asking->by;
}

static void leaves_are_replaced_by_what_asks_for_influence(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *z = leaf(&f, 32, 3), *x = leaf(&f, 32, 1), *y = leaf(&f, 32, 2);
    const struct expr *sum = expr_binary(f.pool, EXPR_ADD, x, y);
    const struct expr *all =
        expr_binary(f.pool, EXPR_MUL, sum, expr_binary(f.pool, EXPR_XOR, y, x));
    // asked of what has the same parts in other places
    struct asking asking = {&f, number(&f, 32, 3), z, all};
    const struct expr *got = influence_replace(f.influences, all, ask_and_replace, &asking);
    assert_ptr_equal(got, number(&f, 32, 0)); // (3 + 3) * (3 ^ 3)
    got = influence_replace(f.influences, sum, ask_and_replace, &asking);
    assert_ptr_equal(got, number(&f, 32, 6));
    fixture_end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cancels_out_has_none),
        cmocka_unit_test(what_is_lost_has_none),
        cmocka_unit_test(one_value_is_enough),
        cmocka_unit_test(one_bit_is_asked_for),
        cmocka_unit_test(amounts_are_asked_for_whole),
        cmocka_unit_test(impossible_parts_hide_others),
        cmocka_unit_test(long_paths_are_decided),
        cmocka_unit_test(sums_of_floats_are_found_by_trying),
        cmocka_unit_test(an_open_part_opens_the_others),
        cmocka_unit_test(halves_are_joined),
        cmocka_unit_test(parts_of_a_condition),
        cmocka_unit_test(leaves_are_replaced_by_what_asks_for_influence),
        cmocka_unit_test(agrees_with_all_values),
        cmocka_unit_test(agrees_with_random_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
