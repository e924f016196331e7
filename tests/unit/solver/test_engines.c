// Both engines against plain C: every operation on bit-vectors, on random operands of random
// widths, as expr_evaluate computes it; and what the functions of the backend promise of each
// engine.
#include "support.h"

#include "solver/answer/run.h"
#include "solver/backend/backend.h"
#include "solver/backend/watchdog.h"

enum { ROUNDS = 40, WIDE = 72 };

static enum engine engine_of(void **state) {
    return *(const enum engine *)*state;
}

static const enum engine z3 = ENGINE_Z3, cadical = ENGINE_CADICAL;

static struct backend *open_backend(void **state) {
    if (!solver_has_engine(engine_of(state)))
        skip();
    struct backend *backend = backend_new();
    backend_choose(backend, engine_of(state));
    watchdog_start(backend_watchdog(backend), 0);
    backend_begin(backend, 0, false);
    return backend;
}

static struct bits128 masked(struct bits128 value, unsigned width) {
    if (width < 64)
        value.low &= ((uint64_t)1 << width) - 1;
    if (width < 128)
        value.high &= width <= 64 ? 0 : ((uint64_t)1 << (width - 64)) - 1;
    return value;
}

// Half of them near the ends of the range, where signs, carries and zeros are.
static struct bits128 random_bits(uint64_t *seed, unsigned width) {
    static const int64_t ends[] = {0, 1, -1, 2, -2, 3};
    int64_t end = ends[random_below(seed, 6)];
    if (random_below(seed, 2) == 0)
        return masked((struct bits128){(uint64_t)end, end < 0 ? UINT64_MAX : 0}, width);
    uint64_t low = (uint64_t)random_below(seed, UINT32_MAX) << 32 | random_below(seed, UINT32_MAX);
    return masked((struct bits128){low, low * 0x9e3779b97f4a7c15u}, width);
}

// The values of EXPR_UNKNOWN leaves, by index.
static struct bits128 leaf_value(void *context, const struct expr *leaf) {
    return ((const struct bits128 *)context)[leaf->index];
}

// An operation on variables that are assumed to have the values; its value in the model.
static struct bits128 computed(struct backend *backend, const struct expr *operation,
                               const struct bits128 *values) {
    term args[3];
    literal assumptions[3];
    size_t count = 0;
    for (; count < 3 && operation->args[count] != NULL; count++) {
        unsigned width = operation->args[count]->width;
        args[count] = backend_term_variable(backend, width, "x", (unsigned)count);
        term constant = backend_term_constant(backend, width, values[count]);
        assumptions[count] = backend_term_equal(backend, args[count], constant);
    }
    term result = backend_term_apply(backend, operation, args);
    assert_int_equal(backend_check(backend, assumptions, count), ANSWER_SAT);
    struct bits128 value = backend_term_value(backend, result);
    // And no other value is possible.
    literal same = backend_term_equal(backend, result,
                                      backend_term_constant(backend, operation->width, value));
    literal other[4] = {-same};
    memcpy(other + 1, assumptions, count * sizeof *assumptions);
    assert_int_equal(backend_check(backend, other, count + 1), ANSWER_UNSAT);
    return value;
}

static const struct expr *operation_of(struct expr_pool *pool, enum expr_op op, unsigned width,
                                       uint64_t *seed) {
    const struct expr *a = expr_leaf(pool, EXPR_UNKNOWN, width, 0);
    const struct expr *b = expr_leaf(pool, EXPR_UNKNOWN, width, 1);
    unsigned first = random_below(seed, width);
    switch (op) {
    case EXPR_NOT:
    case EXPR_NEG: return expr_unary(pool, op, a);
    case EXPR_ITE:
        return expr_ite(pool, expr_leaf(pool, EXPR_UNKNOWN, 1, 0), b,
                        expr_leaf(pool, EXPR_UNKNOWN, width, 2));
    case EXPR_EXTRACT: return expr_extract(pool, a, first, 1 + random_below(seed, width - first));
    case EXPR_ZEXT:
    case EXPR_SEXT:
        return expr_resize(pool, a, width + 1 + random_below(seed, 128 - width), op == EXPR_SEXT);
    default: return expr_binary(pool, op, a, b);
    }
}

static void test_operation(void **state, enum expr_op op) {
    uint64_t seed = 7 + (uint64_t)op;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct arena *arena = arena_new();
        struct expr_pool *pool = expr_pool_new(arena);
        bool is_slow = op >= EXPR_MUL && op <= EXPR_SREM;
        unsigned width = 1 + random_below(&seed, op == EXPR_CONCAT ? 64 : is_slow ? 24 : WIDE);
        const struct expr *operation = operation_of(pool, op, width, &seed);
        struct bits128 values[3];
        for (unsigned i = 0; i < 3 && operation->args[i] != NULL; i++)
            values[i] = random_bits(&seed, operation->args[i]->width);
        struct expr_environment environment = {leaf_value, values};
        struct bits128 expected = expr_evaluate(pool, operation, &environment);
        if (operation->op == op) { // not simplified away, as widths of one bit are
            struct backend *backend = open_backend(state);
            struct bits128 found = computed(backend, operation, values);
            assert_int_equal(found.low, expected.low);
            assert_int_equal(found.high, expected.high);
            backend_free(backend);
        }
        arena_free(arena);
    }
}

static void test_operations(void **state) {
    for (enum expr_op op = EXPR_NOT; op <= EXPR_SEXT; op++)
        test_operation(state, op);
}

static void test_choice(void **state) {
    struct backend *backend = open_backend(state);
    term three = backend_term_constant(backend, 8, (struct bits128){3, 0});
    term five = backend_term_constant(backend, 8, (struct bits128){5, 0});
    literal which = backend_variable(backend, "which", 0, 0);
    term chosen = backend_term_choose(backend, which, three, five);
    literal is_five = backend_term_equal(backend, chosen, five);
    assert_int_equal(backend_check(backend, &is_five, 1), ANSWER_SAT);
    assert_false(backend_literal_value(backend, which));
    assert_int_equal(backend_term_value(backend, chosen).low, 5);
    literal both[] = {is_five, which};
    assert_int_equal(backend_check(backend, both, 2), ANSWER_UNSAT);
    backend_free(backend);
}

// What a check found stays readable while the problem grows.
static void test_model_outlives_clauses(void **state) {
    struct backend *backend = open_backend(state);
    literal a = backend_variable(backend, "a", 0, 0), b = backend_variable(backend, "b", 0, 0);
    backend_clause(backend, (literal[]){a, b}, 2);
    backend_clause(backend, (literal[]){-a, -b}, 2);
    assert_int_equal(backend_check(backend, &a, 1), ANSWER_SAT);
    backend_clause(backend, &b, 1);
    assert_true(backend_literal_value(backend, a));
    assert_false(backend_literal_value(backend, b));
    assert_int_equal(backend_check(backend, &a, 1), ANSWER_UNSAT);
    assert_int_equal(backend_check(backend, NULL, 0), ANSWER_SAT);
    assert_int_equal(backend_check(backend, (literal[]){LITERAL_FALSE}, 1), ANSWER_UNSAT);
    struct solver_stats stats = {0};
    backend_count(backend, &stats);
    assert_int_equal(stats.checks, 3);
    backend_free(backend);
}

// Pigeons in one hole too few: hard for clauses, so that limits are reached.
static void put_pigeons(struct backend *backend, unsigned holes) {
    literal in[16][16];
    for (unsigned p = 0; p <= holes; p++) {
        for (unsigned h = 0; h < holes; h++)
            in[p][h] = backend_variable(backend, "in", p, h);
        backend_clause(backend, in[p], holes);
    }
    for (unsigned h = 0; h < holes; h++)
        for (unsigned p = 0; p <= holes; p++)
            for (unsigned q = 0; q < p; q++)
                backend_clause(backend, (literal[]){-in[p][h], -in[q][h]}, 2);
}

static void test_limits(void **state) {
    struct backend *backend = open_backend(state);
    put_pigeons(backend, 13);
    assert_int_equal(backend_check_briefly(backend, NULL, 0, 10), ANSWER_UNKNOWN);
    assert_false(backend_failed(backend));
    watchdog_start(backend_watchdog(backend), 0.05);
    assert_int_equal(backend_check(backend, NULL, 0), ANSWER_UNKNOWN);
    assert_int_equal(backend_reason(backend, NULL), REASON_TIMEOUT);
    assert_true(backend_failed(backend));
    watchdog_finish(backend_watchdog(backend));
    backend_begin(backend, 0, false); // the next problem is not harmed
    watchdog_start(backend_watchdog(backend), 0);
    put_pigeons(backend, 4);
    assert_int_equal(backend_check(backend, NULL, 0), ANSWER_UNSAT);
    backend_free(backend);
}

// What the engines may say of one condition: none is wrong because a limit has kept it from knowing
// more.
static void test_verdicts_under_limits(void **state) {
    (void)state;
    static const struct pair {
        enum verdict a, b;
        enum unknown_reason cut; // of a
        bool agree;
    } pairs[] = {
        {VERDICT_ALWAYS, VERDICT_ALWAYS, REASON_NONE, true},
        {VERDICT_ALLOWED, VERDICT_ALWAYS, REASON_TIMEOUT, true}, // whether all do, it does not know
        {VERDICT_ALLOWED, VERDICT_ALWAYS, REASON_NONE, false},
        {VERDICT_ALWAYS, VERDICT_ALLOWED, REASON_TIMEOUT,
         false}, // the other one knows of one that does not
        {VERDICT_UNKNOWN, VERDICT_ALWAYS, REASON_MEMORY, true},
        {VERDICT_UNKNOWN, VERDICT_ALWAYS, REASON_NONE, false},
        {VERDICT_ALLOWED, VERDICT_FORBIDDEN, REASON_TIMEOUT, false},
        {VERDICT_FORBIDDEN, VERDICT_ALLOWED, REASON_TIMEOUT, false},
        {VERDICT_FORBIDDEN, VERDICT_ALWAYS, REASON_TIMEOUT, false},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct outcomes a = {.verdict = pairs[i].a, .reason = pairs[i].cut},
                        b = {.verdict = pairs[i].b};
        assert_int_equal(run_verdicts_agree(&a, &b), pairs[i].agree);
        assert_int_equal(run_verdicts_agree(&b, &a), pairs[i].agree);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_operations, (void *)&z3),
        cmocka_unit_test_prestate(test_operations, (void *)&cadical),
        cmocka_unit_test_prestate(test_choice, (void *)&z3),
        cmocka_unit_test_prestate(test_choice, (void *)&cadical),
        cmocka_unit_test_prestate(test_model_outlives_clauses, (void *)&z3),
        cmocka_unit_test_prestate(test_model_outlives_clauses, (void *)&cadical),
        cmocka_unit_test_prestate(test_limits, (void *)&z3),
        cmocka_unit_test_prestate(test_limits, (void *)&cadical),
        cmocka_unit_test(test_verdicts_under_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
