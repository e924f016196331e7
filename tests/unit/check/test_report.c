// Judgements: quantifiers, expectations, exit statuses.
#include "check/report/report.h"
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
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++)
            assert_int_equal(exit_status_worse(order[i], order[j]), order[i < j ? i : j]);
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
        assert_int_equal(report_failures(f->arena, &f->report).count,
                         cases[i].status == EXIT_FAILED);
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
        f->test.expected_count = 0;
        fixture_expect(f, cases[i].expectation);
        f->outcomes.verdict = cases[i].verdict;
        assert_int_equal(report_status(&f->report), cases[i].status);
    }
    f->test.expected_count = 0;
    fixture_expect(f, EXPECT_ALLOWED);
    f->outcomes.verdict = VERDICT_ALLOWED;
    assert_int_equal(report_holds(&f->report), TRUTH_NO);
    fixture_free(f);
}

// Expectations about flags and about whether there is an outcome: each with each answer.
static void test_other_expectations(void **state) {
    (void)state;
    static const struct {
        enum expectation expectation;
        enum truth race, hang, endless, reachable, meets;
    } cases[] = {
        {EXPECT_RACE, TRUTH_YES, TRUTH_NO, TRUTH_NO, TRUTH_YES, TRUTH_YES},
        {EXPECT_RACE, TRUTH_NO, TRUTH_YES, TRUTH_NO, TRUTH_YES, TRUTH_NO},
        {EXPECT_RACE, TRUTH_UNKNOWN, TRUTH_YES, TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN},
        {EXPECT_NO_RACE, TRUTH_YES, TRUTH_NO, TRUTH_NO, TRUTH_YES, TRUTH_NO},
        {EXPECT_NO_RACE, TRUTH_NO, TRUTH_NO, TRUTH_NO, TRUTH_YES, TRUTH_YES},
        {EXPECT_NO_RACE, TRUTH_UNKNOWN, TRUTH_NO, TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN},
        {EXPECT_HANG, TRUTH_NO, TRUTH_YES, TRUTH_NO, TRUTH_NO, TRUTH_YES},
        {EXPECT_HANG, TRUTH_NO, TRUTH_NO, TRUTH_YES, TRUTH_NO, TRUTH_YES},
        {EXPECT_HANG, TRUTH_YES, TRUTH_NO, TRUTH_NO, TRUTH_YES, TRUTH_NO},
        {EXPECT_HANG, TRUTH_NO, TRUTH_UNKNOWN, TRUTH_NO, TRUTH_YES, TRUTH_UNKNOWN},
        {EXPECT_NO_HANG, TRUTH_NO, TRUTH_NO, TRUTH_NO, TRUTH_YES, TRUTH_YES},
        {EXPECT_NO_HANG, TRUTH_NO, TRUTH_NO, TRUTH_YES, TRUTH_NO, TRUTH_NO},
        {EXPECT_NO_HANG, TRUTH_NO, TRUTH_NO, TRUTH_UNKNOWN, TRUTH_YES, TRUTH_UNKNOWN},
        {EXPECT_REACHABLE, TRUTH_NO, TRUTH_NO, TRUTH_NO, TRUTH_YES, TRUTH_YES},
        {EXPECT_REACHABLE, TRUTH_NO, TRUTH_NO, TRUTH_NO, TRUTH_NO, TRUTH_NO},
        {EXPECT_UNREACHABLE, TRUTH_NO, TRUTH_NO, TRUTH_NO, TRUTH_NO, TRUTH_YES},
        {EXPECT_UNREACHABLE, TRUTH_NO, TRUTH_NO, TRUTH_NO, TRUTH_YES, TRUTH_NO},
        {EXPECT_UNREACHABLE, TRUTH_NO, TRUTH_NO, TRUTH_NO, TRUTH_UNKNOWN, TRUTH_UNKNOWN},
    };
    struct fixture *f = fixture_new(1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        f->outcomes.flags =
            (struct flag[]){{FLAG_HANG, NULL, false, false, cases[i].hang, false},
                            {FLAG_ENDLESS, NULL, false, false, cases[i].endless, false},
                            {FLAG_MODEL, "mine", false, false, TRUTH_YES, false},
                            {FLAG_MODEL, "r", true, false, cases[i].race, false}};
        f->outcomes.flag_count = 4;
        f->outcomes.reachable = cases[i].reachable;
        f->outcomes.verdict = cases[i].reachable == TRUTH_YES ? VERDICT_ALLOWED : VERDICT_UNKNOWN;
        f->test.expected_count = 0;
        fixture_expect(f, cases[i].expectation);
        assert_int_equal(report_meets_one(&f->report, cases[i].expectation), cases[i].meets);
        assert_int_equal(report_meets(&f->report), cases[i].meets);
        assert_int_equal(report_status(&f->report), cases[i].meets == TRUTH_YES  ? EXIT_DECIDED
                                                    : cases[i].meets == TRUTH_NO ? EXIT_FAILED
                                                                                 : EXIT_UNDECIDED);
        assert_int_equal(report_failures(f->arena, &f->report).count, cases[i].meets == TRUTH_NO);
    }
    fixture_free(f);
}

// A model that flags no races leaves open whether there are any, and says so.
static void test_no_race_flags(void **state) {
    (void)state;
    struct fixture *f = fixture_new(1);
    fixture_state(f, true, (const uint64_t[]){0});
    f->outcomes.verdict = VERDICT_ALWAYS;
    f->outcomes.flags = (struct flag[]){{FLAG_MODEL, "data-race", false, false, TRUTH_NO, false}};
    f->outcomes.flag_count = 1;
    fixture_expect(f, EXPECT_NO_RACE);
    assert_int_equal(report_status(&f->report), EXIT_UNDECIDED);
    assert_string_equal(report_reason(f->arena, &f->report),
                        "'no race' is expected, but ptx-9.1 has no flag for races");
    fixture_free(f);
}

// Several expectations are judged one by one, and what the quantifier says besides them.
static void test_several_expectations(void **state) {
    (void)state;
    struct fixture *f = fixture_new(1);
    fixture_state(f, true, (const uint64_t[]){0});
    f->outcomes.verdict = VERDICT_ALWAYS;
    f->outcomes.flags = (struct flag[]){{FLAG_HANG, NULL, false, false, TRUTH_YES, false},
                                        {FLAG_MODEL, "data-race", true, false, TRUTH_YES, false}};
    f->outcomes.flag_count = 2;
    f->test.quantifier = QUANTIFIER_NOT_EXISTS;
    fixture_expect(f, EXPECT_NO_RACE);
    fixture_expect(f, EXPECT_REACHABLE);
    fixture_expect(f, EXPECT_NO_HANG);
    struct failures failures = report_failures(f->arena, &f->report);
    assert_int_equal(failures.count, 3);
    assert_string_equal(failures.items[0].expected, "no race");
    assert_string_equal(
        failures.items[0].sentence,
        "expected no race, but some execution has one under ptx-9.1: flag data-race");
    assert_string_equal(failures.items[1].sentence,
                        "expected no hang, but some execution hangs under ptx-9.1");
    assert_string_equal(failures.items[2].sentence,
                        "~exists, but the condition is reachable under ptx-9.1: the only outcome "
                        "satisfies it");
    fixture_expect(f, EXPECT_ALLOWED); // now that is what is expected of the verdict
    assert_int_equal(report_failures(f->arena, &f->report).count, 2);
    fixture_free(f);
}

static const char *first_failure(struct fixture *f) {
    struct failures failures = report_failures(f->arena, &f->report);
    return failures.count == 0 ? NULL : failures.items[0].sentence;
}

static void test_sentences(void **state) {
    (void)state;
    struct fixture *f = fixture_new(1);
    fixture_state(f, true, (const uint64_t[]){0});
    fixture_state(f, false, (const uint64_t[]){1});
    f->outcomes.verdict = VERDICT_ALLOWED;
    f->test.quantifier = QUANTIFIER_NOT_EXISTS;
    assert_string_equal(first_failure(f),
                        "~exists, but the condition is reachable under ptx-9.1: 1 of 2 outcomes "
                        "satisfies it");
    f->test.quantifier = QUANTIFIER_FORALL;
    assert_string_equal(first_failure(f),
                        "forall, but the condition is violated under ptx-9.1: 1 of 2 outcomes "
                        "violates it");
    fixture_expect(f, EXPECT_FORBIDDEN);
    assert_string_equal(first_failure(f),
                        "expected forbidden, but the condition is allowed under ptx-9.1: 1 of 2 "
                        "outcomes satisfies it");
    f->outcomes.listed = false;
    assert_string_equal(report_counts(f->arena, &f->report), "some outcome satisfies");
    f->test.expected_count = 0;
    assert_string_equal(first_failure(f), "forall, but the condition is violated under ptx-9.1: "
                                          "some outcome violates it");
    fixture_free(f);
}

// One, some and all of the outcomes.
static void test_counts(void **state) {
    (void)state;
    struct fixture *f = fixture_new(1);
    f->test.quantifier = QUANTIFIER_FORALL;
    fixture_state(f, false, (const uint64_t[]){0});
    f->outcomes.verdict = VERDICT_FORBIDDEN;
    assert_string_equal(report_counts(f->arena, &f->report), "the only outcome does not satisfy");
    assert_string_equal(first_failure(f), "forall, but the condition is violated under ptx-9.1: "
                                          "the only outcome violates it");
    fixture_state(f, false, (const uint64_t[]){1});
    assert_string_equal(report_counts(f->arena, &f->report), "none of 2 outcomes satisfies");
    assert_string_equal(first_failure(f), "forall, but the condition is violated under ptx-9.1: "
                                          "all 2 outcomes violate it");
    fixture_state(f, true, (const uint64_t[]){2});
    f->outcomes.verdict = VERDICT_ALLOWED;
    assert_string_equal(report_counts(f->arena, &f->report), "1 of 3 outcomes satisfies");
    assert_string_equal(first_failure(f), "forall, but the condition is violated under ptx-9.1: "
                                          "2 of 3 outcomes violate it");
    fixture_free(f);
}

// Why a verdict is unknown or a list cut; NULL when neither is.
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
    f->outcomes.flags = (struct flag[]){{FLAG_BOUND, NULL, false, false, TRUTH_YES, false}};
    f->outcomes.flag_count = 1;
    assert_string_equal(report_reason(f->arena, &f->report),
                        "a loop goes on after 2 rounds (--unroll 2; no bound is known to be "
                        "enough)");
    f->program.limits.enough_rounds = 40;
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
    fixture_expect(f, EXPECT_ALLOWED);
    assert_int_equal(report_status(&f->report), EXIT_UNDECIDED);
    fixture_state(f, true, (const uint64_t[]){1});
    assert_int_equal(report_meets_one(&f->report, EXPECT_ALLOWED), TRUTH_YES);
    assert_int_equal(report_meets(&f->report), TRUTH_UNKNOWN); // as the verdict is
    assert_int_equal(report_status(&f->report), EXIT_UNDECIDED);
    f->test.expected_count = 0;
    fixture_expect(f, EXPECT_FORBIDDEN);
    assert_int_equal(report_status(&f->report), EXIT_FAILED);
    assert_string_equal(first_failure(f),
                        "expected forbidden, but the condition is reachable under ptx-9.1");
    fixture_free(f);
}

// No outcome: whatever the quantifier says of all outcomes, no outcome shows it.
static void test_no_outcomes(void **state) {
    (void)state;
    static const enum quantifier quantifiers[] = {QUANTIFIER_EXISTS, QUANTIFIER_NOT_EXISTS,
                                                  QUANTIFIER_FORALL};
    static const enum expectation verdicts[] = {EXPECT_ALLOWED, EXPECT_FORBIDDEN, EXPECT_ALWAYS};
    struct fixture *f = fixture_new(1);
    f->outcomes.reachable = f->outcomes.ends = TRUTH_NO;
    f->outcomes.flags = (struct flag[]){{FLAG_HANG, NULL, false, false, TRUTH_YES, false}};
    f->outcomes.flag_count = 1;
    for (size_t i = 0; i < 3; i++) {
        f->test.quantifier = quantifiers[i];
        f->test.expected_count = 0;
        assert_int_equal(report_holds(&f->report), TRUTH_UNKNOWN);
        assert_int_equal(report_meets(&f->report), TRUTH_UNKNOWN);
        assert_int_equal(report_status(&f->report), EXIT_UNDECIDED);
        fixture_expect(f, EXPECT_UNREACHABLE);
        assert_int_equal(report_status(&f->report), EXIT_DECIDED);
        f->test.expected_count = 0;
        fixture_expect(f, EXPECT_HANG);
        assert_int_equal(report_status(&f->report), EXIT_DECIDED);
        f->test.expected_count = 0;
        fixture_expect(f, verdicts[i]);
        assert_int_equal(report_status(&f->report), EXIT_UNDECIDED);
    }
    assert_string_equal(
        report_reason(f->arena, &f->report),
        "there is no outcome: no execution ends, since a thread never leaves a barrier");
    f->outcomes.flags[0].kind = FLAG_ENDLESS;
    assert_string_equal(report_reason(f->arena, &f->report),
                        "there is no outcome: no execution ends, since a loop waits for a value "
                        "that no thread writes");
    f->outcomes.ends = TRUTH_YES;
    assert_string_equal(report_reason(f->arena, &f->report),
                        "there is no outcome: the filter leaves out every execution that ends");
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
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_quantifiers),
        cmocka_unit_test(test_expectations),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_other_expectations),
        cmocka_unit_test(test_no_race_flags),
        cmocka_unit_test(test_several_expectations),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_partial_knowledge),
        cmocka_unit_test(test_no_outcomes),
        cmocka_unit_test(test_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
