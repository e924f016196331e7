// Judgements: quantifiers, expectations, exit statuses.
#include "cli/report.h"
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_precedence(void **state) {
    (void)state;
    static const enum exit_status order[] = {EXIT_INTERNAL, EXIT_BAD_INPUT, EXIT_FAILED,
                                             EXIT_UNDECIDED, EXIT_DECIDED};
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < 5; j++) {
            assert_int_equal(exit_status_worse(order[i], order[j]), order[i < j ? i : j]);
        }
    }
}

// Every quantifier with every verdict: herd's Ok, and the exit status without `expect`.
static void test_quantifiers(void **state) {
    (void)state;
    static const struct {
        enum quantifier quantifier;
        enum verdict verdict;
        enum truth holds;
        enum exit_status status;
    } cases[] = {
        {QUANTIFIER_EXISTS, VERDICT_UNKNOWN, TRUTH_UNKNOWN, EXIT_UNDECIDED},
        {QUANTIFIER_EXISTS, VERDICT_FORBIDDEN, TRUTH_NO, EXIT_DECIDED},
        {QUANTIFIER_EXISTS, VERDICT_ALLOWED, TRUTH_YES, EXIT_DECIDED},
        {QUANTIFIER_EXISTS, VERDICT_ALWAYS, TRUTH_YES, EXIT_DECIDED},
        {QUANTIFIER_NOT_EXISTS, VERDICT_UNKNOWN, TRUTH_UNKNOWN, EXIT_UNDECIDED},
        {QUANTIFIER_NOT_EXISTS, VERDICT_FORBIDDEN, TRUTH_YES, EXIT_DECIDED},
        {QUANTIFIER_NOT_EXISTS, VERDICT_ALLOWED, TRUTH_NO, EXIT_FAILED},
        {QUANTIFIER_NOT_EXISTS, VERDICT_ALWAYS, TRUTH_NO, EXIT_FAILED},
        {QUANTIFIER_FORALL, VERDICT_UNKNOWN, TRUTH_UNKNOWN, EXIT_UNDECIDED},
        {QUANTIFIER_FORALL, VERDICT_FORBIDDEN, TRUTH_NO, EXIT_FAILED},
        {QUANTIFIER_FORALL, VERDICT_ALLOWED, TRUTH_NO, EXIT_FAILED},
        {QUANTIFIER_FORALL, VERDICT_ALWAYS, TRUTH_YES, EXIT_DECIDED},
    };
    struct fixture *f = fixture_new(1);
    f->outcomes.listed = f->outcomes.complete = false;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        f->test.quantifier = cases[i].quantifier;
        f->outcomes.verdict = cases[i].verdict;
        assert_int_equal(report_holds(&f->report), cases[i].holds);
        assert_int_equal(report_status(&f->report), cases[i].status);
        bool failed = report_failure(f->arena, &f->report) != NULL;
        assert_int_equal(failed, cases[i].status == EXIT_FAILED);
    }
    fixture_free(f);
}

// `expect` overrides what the quantifier expects; herd's Ok stays the quantifier's.
static void test_expectations(void **state) {
    (void)state;
    static const struct {
        enum expectation expectation;
        enum verdict verdict;
        enum exit_status status;
    } cases[] = {
        {EXPECT_ALLOWED, VERDICT_UNKNOWN, EXIT_UNDECIDED},
        {EXPECT_ALLOWED, VERDICT_FORBIDDEN, EXIT_FAILED},
        {EXPECT_ALLOWED, VERDICT_ALLOWED, EXIT_DECIDED},
        {EXPECT_ALLOWED, VERDICT_ALWAYS, EXIT_DECIDED},
        {EXPECT_FORBIDDEN, VERDICT_FORBIDDEN, EXIT_DECIDED},
        {EXPECT_FORBIDDEN, VERDICT_ALLOWED, EXIT_FAILED},
        {EXPECT_FORBIDDEN, VERDICT_ALWAYS, EXIT_FAILED},
        {EXPECT_ALWAYS, VERDICT_ALWAYS, EXIT_DECIDED},
        {EXPECT_ALWAYS, VERDICT_ALLOWED, EXIT_FAILED},
        {EXPECT_ALWAYS, VERDICT_FORBIDDEN, EXIT_FAILED},
        {EXPECT_ALWAYS, VERDICT_UNKNOWN, EXIT_UNDECIDED},
    };
    struct fixture *f = fixture_new(1);
    f->outcomes.listed = f->outcomes.complete = false;
    f->test.quantifier = QUANTIFIER_NOT_EXISTS;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        f->test.expectation = cases[i].expectation;
        f->outcomes.verdict = cases[i].verdict;
        assert_int_equal(report_status(&f->report), cases[i].status);
    }
    f->test.expectation = EXPECT_ALLOWED;
    f->outcomes.verdict = VERDICT_ALLOWED;
    assert_int_equal(report_holds(&f->report), TRUTH_NO);
    fixture_free(f);
}

static void test_sentences(void **state) {
    (void)state;
    struct fixture *f = fixture_new(1);
    fixture_state(f, true, (const uint64_t[]){0});
    fixture_state(f, false, (const uint64_t[]){1});
    f->outcomes.verdict = VERDICT_ALLOWED;
    f->test.quantifier = QUANTIFIER_NOT_EXISTS;
    assert_string_equal(report_failure(f->arena, &f->report),
                        "~exists, but the condition is reachable under ptx-9.1: 1 of 2 outcomes "
                        "satisfies it");
    f->test.quantifier = QUANTIFIER_FORALL;
    assert_string_equal(report_failure(f->arena, &f->report),
                        "forall, but the condition is violated under ptx-9.1: 1 of 2 outcomes "
                        "satisfies it");
    f->test.expectation = EXPECT_FORBIDDEN;
    assert_string_equal(report_failure(f->arena, &f->report),
                        "expected forbidden, but the condition is allowed under ptx-9.1: 1 of 2 "
                        "outcomes satisfies it");
    f->outcomes.listed = false;
    assert_string_equal(report_counts(f->arena, &f->report), "some outcome satisfies");
    fixture_free(f);
}

// Why a verdict is unknown or a list cut; nothing when neither is.
static void test_reasons(void **state) {
    (void)state;
    struct fixture *f = fixture_new(1);
    f->options.program.unroll = 2;
    f->outcomes.reason = REASON_TIMEOUT;
    f->options.solver.timeout_seconds = 0.5;
    assert_string_equal(report_reason(f->arena, &f->report), "the time limit of 0.5 s was reached");
    f->outcomes.reason = REASON_MEMORY;
    assert_string_equal(report_reason(f->arena, &f->report),
                        "the test is too large for the memory");
    f->options.solver.memory_mb = 64;
    assert_string_equal(report_reason(f->arena, &f->report),
                        "the memory limit of 64 MB was reached");
    f->outcomes.reason = REASON_SOLVER;
    f->outcomes.reason_text = "(incomplete)";
    assert_string_equal(report_reason(f->arena, &f->report), "the solver gave up: (incomplete)");
    f->outcomes.reason = REASON_NONE;
    f->outcomes.flags = (struct flag[]){{FLAG_BOUND, NULL, false, false, TRUTH_YES}};
    f->outcomes.flag_count = 1;
    assert_string_equal(report_reason(f->arena, &f->report),
                        "a loop goes on after 2 rounds (--unroll 2; no bound is known to be "
                        "enough)");
    f->program.enough_rounds = 40;
    assert_string_equal(report_reason(f->arena, &f->report),
                        "a loop goes on after 2 rounds (--unroll 2; 40 would be enough)");
    f->outcomes.verdict = VERDICT_ALLOWED;
    assert_null(report_reason(f->arena, &f->report));
    f->outcomes.complete = false;
    fixture_state(f, true, (const uint64_t[]){0});
    f->options.solver.max_states = 1;
    assert_string_equal(report_reason(f->arena, &f->report), "--states 1 cut the list");
    fixture_free(f);
}

// What the listed states show is established even when the verdict is not.
static void test_partial_knowledge(void **state) {
    (void)state;
    struct fixture *f = fixture_new(1);
    f->outcomes.complete = false;
    fixture_state(f, false, (const uint64_t[]){0});
    f->test.quantifier = QUANTIFIER_FORALL;
    assert_int_equal(report_holds(&f->report), TRUTH_NO);
    assert_int_equal(report_status(&f->report), EXIT_FAILED);
    f->test.expectation = EXPECT_ALLOWED;
    assert_int_equal(report_status(&f->report), EXIT_UNDECIDED);
    fixture_state(f, true, (const uint64_t[]){1});
    assert_int_equal(report_meets(&f->report), TRUTH_YES);
    assert_int_equal(report_status(&f->report), EXIT_UNDECIDED); // the verdict is still unknown
    f->test.expectation = EXPECT_FORBIDDEN;
    assert_int_equal(report_status(&f->report), EXIT_FAILED);
    assert_string_equal(report_failure(f->arena, &f->report),
                        "expected forbidden, but the condition is reachable under ptx-9.1");
    fixture_free(f);
}

// A filter may leave no outcome at all: forall holds, as in herd.
static void test_no_outcomes(void **state) {
    (void)state;
    struct fixture *f = fixture_new(1);
    f->outcomes.verdict = VERDICT_FORBIDDEN;
    f->test.quantifier = QUANTIFIER_FORALL;
    assert_int_equal(report_holds(&f->report), TRUTH_NO); // all outcomes violate it
    f->outcomes.reachable = TRUTH_NO;
    assert_int_equal(report_holds(&f->report), TRUTH_YES);
    assert_string_equal(report_counts(f->arena, &f->report), "there is no outcome that satisfies");
    fixture_free(f);
}

// FNV-1a's published values.
static void test_hash(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    assert_true(report_hash(source_from_text(arena, "a", "", 0)) == UINT64_C(0xcbf29ce484222325));
    assert_true(report_hash(source_from_text(arena, "b", "a", 1)) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(report_hash(source_from_text(arena, "c", "foobar", 6)) ==
                UINT64_C(0x85944171f73967e8));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence),   cmocka_unit_test(test_quantifiers),
        cmocka_unit_test(test_expectations), cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_reasons),      cmocka_unit_test(test_partial_knowledge),
        cmocka_unit_test(test_no_outcomes),  cmocka_unit_test(test_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
