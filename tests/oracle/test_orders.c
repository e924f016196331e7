// Enumeration of orders: known counts, no repetition, only what was asked for.
#include "tests/oracle/orders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SEEN_MAX = 512 };

struct seen {
    struct rel must; // each visited order must relate these
    struct rel order[SEEN_MAX];
    unsigned count;
    unsigned stop_at; // 0: never
};

static bool remember(void *context, struct rel order) {
    struct seen *seen = context;
    assert_true(rel_is_irreflexive(order));
    assert_true(rel_equal(order, rel_closure(order)));
    assert_true(rel_includes(rel_or(order, rel_inverse(order)), seen->must));
    assert_true(seen->count < SEEN_MAX);
    for (unsigned i = 0; i < seen->count; i++)
        assert_false(rel_equal(seen->order[i], order));
    seen->order[seen->count++] = order;
    return seen->count != seen->stop_at;
}

static struct rel all_pairs(unsigned n) {
    return rel_product(n, bit(n) - 1, bit(n) - 1);
}

static void test_total_orders(void **state) {
    (void)state;
    struct seen seen = {.must = rel_empty(4)};
    assert_true(orders_total(4, 0xb, &(struct order_visitor){remember, &seen}));
    assert_int_equal(seen.count, 6); // of events 0, 1 and 3
    assert_int_equal(seen.order[0].row[2], 0);
}

// Orienting every pair gives the total orders: n! of them.
static void test_orient_complete_graph(void **state) {
    (void)state;
    struct seen seen = {.must = rel_empty(4)};
    assert_true(
        orders_orient(rel_empty(4), all_pairs(4), &(struct order_visitor){remember, &seen}));
    assert_int_equal(seen.count, 24);
}

// A cycle of four pairs: 2^4 orientations, except for the two that are cycles.
static void test_orient_square(void **state) {
    (void)state;
    struct seen seen = {.must = rel_empty(4)};
    for (unsigned i = 0; i < 4; i++)
        rel_add(&seen.must, i, (i + 1) % 4);
    assert_true(orders_orient(rel_empty(4), seen.must, &(struct order_visitor){remember, &seen}));
    assert_int_equal(seen.count, 14);
}

static void test_orient_keeps_the_base(void **state) {
    (void)state;
    struct seen seen = {.must = rel_empty(4)};
    struct rel base = rel_empty(4);
    rel_add(&base, 3, 0);
    assert_true(orders_orient(base, all_pairs(4), &(struct order_visitor){remember, &seen}));
    assert_int_equal(seen.count, 12);
    rel_add(&base, 0, 3);
    seen.count = 0;
    assert_true(orders_orient(base, all_pairs(4), &(struct order_visitor){remember, &seen}));
    assert_int_equal(seen.count, 0);
}

// Strict partial orders on 1, 2, 3, 4 labelled elements: 1, 3, 19, 219 (OEIS A001035).
static void test_partial_orders(void **state) {
    (void)state;
    static const unsigned counts[] = {1, 3, 19, 219};
    for (unsigned n = 1; n <= 4; n++) {
        struct seen seen = {.must = rel_empty(n)};
        assert_true(orders_partial(rel_empty(n), rel_empty(n), all_pairs(n),
                                   &(struct order_visitor){remember, &seen}));
        assert_int_equal(seen.count, counts[n - 1]);
    }
}

static void test_partial_orders_that_must_relate(void **state) {
    (void)state;
    struct seen seen = {.must = rel_empty(3)};
    rel_add(&seen.must, 0, 1);
    assert_true(orders_partial(rel_empty(3), seen.must, all_pairs(3),
                               &(struct order_visitor){remember, &seen}));
    assert_int_equal(seen.count, 12); // 19 less the seven in which 0 and 1 are unrelated
}

static void test_the_visitor_stops_it(void **state) {
    (void)state;
    struct seen seen = {.must = rel_empty(4), .stop_at = 5};
    assert_false(
        orders_orient(rel_empty(4), all_pairs(4), &(struct order_visitor){remember, &seen}));
    assert_int_equal(seen.count, 5);
}

static void test_operators(void **state) {
    (void)state;
    struct rel a = rel_empty(3);
    rel_add(&a, 0, 1);
    rel_add(&a, 1, 2);
    struct rel closed = rel_closure(a);
    assert_true(rel_has(&closed, 0, 2));
    assert_true(rel_is_acyclic(a));
    assert_true(rel_equal(rel_or(a, rel_seq(a, a)), closed));
    rel_add(&a, 2, 0);
    assert_false(rel_is_acyclic(a));
    assert_true(rel_is_irreflexive(a));
    assert_true(rel_equal(rel_inverse(rel_inverse(a)), a));
    assert_true(rel_equal(rel_within(a, bit(0), bit(1)), rel_product(3, bit(0), bit(1))));
    assert_true(rel_is_empty(rel_and(a, rel_identity(3, 7))));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_total_orders),
        cmocka_unit_test(test_orient_complete_graph),
        cmocka_unit_test(test_orient_square),
        cmocka_unit_test(test_orient_keeps_the_base),
        cmocka_unit_test(test_partial_orders),
        cmocka_unit_test(test_partial_orders_that_must_relate),
        cmocka_unit_test(test_the_visitor_stops_it),
        cmocka_unit_test(test_operators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
