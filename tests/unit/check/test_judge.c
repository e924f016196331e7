// What a suite makes of results: what passes, what fails and where, and the edits that mend it.
#include "check/report/judge.h"
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void decide(struct fixture *f, enum verdict verdict) {
    const uint64_t value = 1;
    f->test.quantifier = QUANTIFIER_EXISTS;
    f->outcomes.verdict = verdict;
    fixture_state(f, true, &value);
}

static void test_passed(void **state) {
    (void)state;
    struct fixture *f = fixture_new(1);
    decide(f, VERDICT_ALLOWED);
    fixture_expect(f, EXPECT_ALLOWED);
    const struct judged *judged = judge_report(f->arena, &f->report, true);
    assert_int_equal(judged->result, SUITE_PASSED);
    assert_int_equal(judged->failure_count, 0);
    assert_null(judged->execution);
    fixture_free(f);
}

// What is wrong is in the file, at the words of the `expect`; an edit is only there if asked for.
static void test_failed(void **state) {
    (void)state;
    struct fixture *f = fixture_new(1);
    decide(f, VERDICT_ALLOWED);
    fixture_expect(f, EXPECT_FORBIDDEN);
    const struct judged *judged = judge_report(f->arena, &f->report, true);
    assert_int_equal(judged->result, SUITE_FAILED);
    assert_int_equal(judged->failure_count, 1);
    const struct judged_failure *failure = &judged->failures[0];
    assert_string_equal(failure->at.file, "mp.litmus");
    assert_int_equal(failure->at.line, 1);
    assert_int_equal(failure->at.column, 1);
    assert_non_null(failure->edit);
    assert_string_equal(failure->edit->file, "mp.litmus");
    assert_int_equal(failure->edit->begin, 0);
    assert_int_equal(failure->edit->end, 1);
    assert_string_equal(failure->edit->text, "allowed");
    assert_true(judged_asks_execution(&f->report));
    assert_false(judged_asks_violation(&f->report));
    assert_null(judge_report(f->arena, &f->report, false)->failures[0].edit);
    fixture_free(f);
}

// Silence is a failure, which has no place where the condition has none.
static void test_nothing_expected(void **state) {
    (void)state;
    struct fixture *f = fixture_new(1);
    decide(f, VERDICT_ALLOWED);
    const struct judged *judged = judge_report(f->arena, &f->report, false);
    assert_int_equal(judged->result, SUITE_FAILED);
    assert_string_equal(judged->failures[0].why,
                        "nothing is expected: 'exists' without an 'expect' cannot fail");
    assert_null(judged->failures[0].at.file);
    fixture_free(f);
}

static void test_undecided(void **state) {
    (void)state;
    struct fixture *f = fixture_new(1);
    decide(f, VERDICT_UNKNOWN);
    f->outcomes.listed = f->outcomes.complete = false;
    fixture_expect(f, EXPECT_ALLOWED);
    assert_int_equal(judge_report(f->arena, &f->report, false)->result, SUITE_UNDECIDED);
    fixture_free(f);
}

static void test_names(void **state) {
    (void)state;
    for (int i = 0; i < SUITE_RESULT_COUNT; i++) {
        enum suite_result result;
        assert_true(suite_result_named(suite_result_text((enum suite_result)i), &result));
        assert_int_equal(result, i);
    }
    enum suite_result untouched = SUITE_FAILED;
    assert_false(suite_result_named("passes", &untouched));
    assert_false(suite_result_named(NULL, &untouched));
    assert_int_equal(untouched, SUITE_FAILED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passed),
        cmocka_unit_test(test_failed),
        cmocka_unit_test(test_nothing_expected),
        cmocka_unit_test(test_undecided),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
