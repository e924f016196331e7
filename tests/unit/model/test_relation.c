// Bit matrices against loops that do the same pair by pair, on random relations of many sizes.
#include "support.h"

#include "model/cat/relation.h"

enum { SIZES = 11 };
static const unsigned sizes[SIZES] = {0, 1, 2, 3, 7, 31, 63, 64, 65, 128, 130};

static uint64_t seed;

static uint64_t random_bits(void) { // xorshift64
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static struct relation random_relation(struct arena *arena, unsigned n, unsigned percent) {
    struct relation r = relation_new(arena, n);
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = 0; b < n; b++)
            if (random_bits() % 100 < percent)
                relation_add(&r, a, b);
    return r;
}

static struct event_set random_set(struct arena *arena, unsigned n) {
    struct event_set s = event_set_new(arena, n);
    for (unsigned a = 0; a < n; a++)
        if (random_bits() % 2)
            event_set_add(&s, a);
    return s;
}

// No bit above n may be set: counts and comparisons go by words.
static void check_padding(const struct relation *r) {
    for (unsigned a = 0; a < r->n; a++)
        if (r->n % 64 != 0)
            assert_int_equal(r->rows[(size_t)a * r->words + r->words - 1] >> (r->n % 64), 0);
}

static void check_binary(struct arena *arena, unsigned n) {
    struct relation a = random_relation(arena, n, 30), b = random_relation(arena, n, 30);
    struct relation either = relation_new(arena, n), both = relation_new(arena, n);
    struct relation minus = relation_new(arena, n), not = relation_new(arena, n);
    relation_union(&either, &a, &b);
    relation_intersection(&both, &a, &b);
    relation_difference(&minus, &a, &b);
    relation_complement(&not, &a);
    check_padding(&not );
    size_t count = 0;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < n; j++) {
            bool in_a = relation_has(&a, i, j), in_b = relation_has(&b, i, j);
            assert_int_equal(relation_has(&either, i, j), in_a || in_b);
            assert_int_equal(relation_has(&both, i, j), in_a && in_b);
            assert_int_equal(relation_has(&minus, i, j), in_a && !in_b);
            assert_int_equal(relation_has(&not, i, j), !in_a);
            count += in_a;
        }
    }
    assert_int_equal(relation_count(&a), count);
    assert_int_equal(relation_is_empty(&a), count == 0);
    relation_union(&a, &a, &b); // onto an operand
    assert_true(relation_equal(&a, &either));
}

static void check_sequence(struct arena *arena, unsigned n) {
    struct relation a = random_relation(arena, n, 8), b = random_relation(arena, n, 8);
    struct relation sequence = random_relation(arena, n, 50), inverse = relation_new(arena, n);
    relation_sequence(&sequence, &a, &b);
    relation_inverse(&inverse, &a);
    check_padding(&sequence);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < n; j++) {
            bool found = false;
            for (unsigned k = 0; k < n; k++)
                found = found || (relation_has(&a, i, k) && relation_has(&b, k, j));
            assert_int_equal(relation_has(&sequence, i, j), found);
            assert_int_equal(relation_has(&inverse, i, j), relation_has(&a, j, i));
        }
    }
}

static void check_sets(struct arena *arena, unsigned n) {
    struct event_set a = random_set(arena, n), b = random_set(arena, n);
    struct relation product = relation_new(arena, n), identity = random_relation(arena, n, 50);
    relation_product(&product, &a, &b);
    relation_identity(&identity, &a);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < n; j++) {
            bool in_product = event_set_has(&a, i) && event_set_has(&b, j);
            assert_int_equal(relation_has(&product, i, j), in_product);
            assert_int_equal(relation_has(&identity, i, j), i == j && event_set_has(&a, i));
        }
    }
}

// Reachability by search from each event, the slow way.
static void reach(const struct relation *r, unsigned from, bool *reached) {
    for (unsigned b = 0; b < r->n; b++) {
        if (relation_has(r, from, b) && !reached[b]) {
            reached[b] = true;
            reach(r, b, reached);
        }
    }
}

static void check_closure(struct arena *arena, unsigned n, unsigned percent) {
    struct relation r = random_relation(arena, n, percent), closed = relation_new(arena, n);
    bool cyclic = false, loops = false;
    relation_copy(&closed, &r);
    relation_close(&closed);
    check_padding(&closed);
    for (unsigned a = 0; a < n; a++) {
        bool *reached = ARENA_ARRAY(arena, bool, n);
        reach(&r, a, reached);
        cyclic = cyclic || reached[a];
        loops = loops || relation_has(&r, a, a);
        for (unsigned b = 0; b < n; b++)
            assert_int_equal(relation_has(&closed, a, b), reached[b]);
    }
    assert_int_equal(relation_is_acyclic(&r), !cyclic);
    assert_int_equal(relation_is_irreflexive(&closed), !cyclic);
    assert_int_equal(relation_is_irreflexive(&r), !loops);
    relation_reflexive(&closed);
    for (unsigned a = 0; a < n; a++)
        assert_true(relation_has(&closed, a, a));
}

static void test_against_loops(void **state) {
    (void)state;
    seed = 0x9e3779b97f4a7c15u;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < SIZES; i++) {
            struct arena *arena = arena_new();
            check_binary(arena, sizes[i]);
            check_sequence(arena, sizes[i]);
            check_sets(arena, sizes[i]);
            check_closure(arena, sizes[i], sizes[i] > 20 ? 1 : 15);
            arena_free(arena);
        }
    }
}

// A path over more events than the acyclicity check keeps on the stack, then the same as a ring.
static void test_long_path(void **state) {
    (void)state;
    enum { N = 1100 };
    struct arena *arena = arena_new();
    struct relation path = relation_new(arena, N);
    for (unsigned i = 0; i + 1 < N; i++)
        relation_add(&path, i, i + 1);
    assert_true(relation_is_acyclic(&path));
    relation_add(&path, N - 1, 0);
    assert_false(relation_is_acyclic(&path));
    assert_true(relation_is_irreflexive(&path));
    arena_free(arena);
}

static void test_equality(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct relation a = relation_new(arena, 70), b = relation_new(arena, 70);
    relation_add(&a, 69, 69);
    assert_false(relation_equal(&a, &b));
    relation_add(&b, 69, 69);
    assert_true(relation_equal(&a, &b));
    struct relation smaller = relation_new(arena, 69);
    assert_false(relation_equal(&a, &smaller));
    arena_free(arena);
}

// What follows the last word of a relation is not changed.
static void test_bounds(void **state) {
    (void)state;
    enum { N = 64 }; // one word per row, all of them full
    static uint64_t words[3][N + 1];
    void (*const operators[])(struct relation *, const struct relation *,
                              const struct relation *) = {relation_union, relation_intersection,
                                                          relation_difference};
    for (unsigned i = 0; i < 3; i++) {
        struct relation r[3];
        for (unsigned k = 0; k < 3; k++)
            r[k] = (struct relation){.n = N, .words = 1, .rows = words[k]};
        words[0][N] = 1;
        words[1][N] = 6;
        words[2][N] = i == 1 ? 6 : 0;
        operators[i](&r[0], &r[1], &r[2]);
        assert_int_equal(words[0][N], 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_loops),
        cmocka_unit_test(test_long_path),
        cmocka_unit_test(test_equality),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
