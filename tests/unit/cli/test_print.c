// The three formats, byte by byte.
#include "check/print/json.h"
#include "cli/print/print.h"
#include "cli/report/added.h"
#include "tests/unit/check/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include <cmocka.h>

// A result to which the command adds nothing.
static struct fixture *begin(size_t columns) {
    static const struct options options;
    static struct added added = {.options = &options};
    struct fixture *f = fixture_new(columns);
    f->report.added = &added;
    return f;
}

// MP with three states of two registers; the first satisfies r0 = 0.
static struct fixture *message_passing(void) {
    struct fixture *f = begin(2);
    fixture_state(f, true, (const uint64_t[]){0, 0xffffffff});
    fixture_state(f, false, (const uint64_t[]){1, 0});
    fixture_state(f, false, (const uint64_t[]){10, 1});
    f->test.condition = fixture_compare(f, f->terms[COLUMN_R0], COMPARE_EQ, fixture_constant(0));
    f->outcomes.verdict = VERDICT_ALLOWED;
    f->outcomes.stats.events = 6;
    f->outcomes.stats.solver_ms = 1.25;
    return f;
}

static void test_log(void **state) {
    (void)state;
    struct fixture *f = message_passing();
    assert_string_equal(fixture_print(f, print_log), "Test MP Allowed\n"
                                                     "States 3\n"
                                                     "1:r0=0; 1:r1=-1;\n"
                                                     "1:r0=1; 1:r1=0;\n"
                                                     "1:r0=10; 1:r1=1;\n"
                                                     "Ok\n"
                                                     "Witnesses\n"
                                                     "Positive: 1 Negative: 2\n"
                                                     "Condition exists (1:r0=0)\n"
                                                     "Observation MP Sometimes 1 2\n"
                                                     "Time MP 0.01\n"
                                                     "Hash=e17e405e96ca8ce2\n"
                                                     "\n");
    fixture_free(f);
}

// Flags, a cut list, ~exists (whose witnesses herd swaps), unknown values, a name with blanks.
static void test_log_rare(void **state) {
    (void)state;
    struct fixture *f = message_passing();
    f->test.name = "MP with \x1b";
    f->test.quantifier = QUANTIFIER_NOT_EXISTS;
    f->outcomes.complete = false;
    f->outcomes.flags = (struct flag[]){
        {FLAG_MODEL, "data-race", true, false, TRUTH_YES, false},
        {FLAG_HANG, NULL, false, false, TRUTH_YES, false},
        {FLAG_BOUND, NULL, false, false, TRUTH_NO, false},
        {FLAG_MODEL, "hang", false, false, TRUTH_UNKNOWN, false}, // the name is ours too
        {FLAG_MODEL, "mine", false, false, TRUTH_UNKNOWN, false}};
    f->outcomes.flag_count = 5;
    f->options.hex = true;
    f->values[1][1].undef = true;
    assert_string_equal(fixture_print(f, print_log), "Test MP_with__ Forbidden\n"
                                                     "States 3\n"
                                                     "1:r0=0x0; 1:r1=0xffffffff;\n"
                                                     "1:r0=0x1; 1:r1=undef;\n"
                                                     "1:r0=0xa; 1:r1=0x1;\n"
                                                     "No\n"
                                                     "Witnesses\n"
                                                     "Positive: 2 Negative: 1\n"
                                                     "Flag data-race\n"
                                                     "Flag hang\n"
                                                     "Flag mine-unknown\n"
                                                     "Flag incomplete\n"
                                                     "Condition ~exists (1:r0=0)\n"
                                                     "Observation MP_with__ Sometimes 1 2\n"
                                                     "Time MP_with__ 0.01\n"
                                                     "Hash=e17e405e96ca8ce2\n"
                                                     "\n");
    fixture_free(f);
}

static void test_log_verdict(void **state) {
    (void)state;
    struct fixture *f = begin(2);
    f->test.quantifier = QUANTIFIER_FORALL;
    f->outcomes.listed = f->outcomes.complete = false;
    assert_string_equal(fixture_print(f, print_log), "Test MP Required\n"
                                                     "??\n"
                                                     "Witnesses\n"
                                                     "Positive: ? Negative: ?\n"
                                                     "Condition forall (true)\n"
                                                     "Observation MP Unknown ? ?\n"
                                                     "Time MP 0.01\n"
                                                     "Hash=e17e405e96ca8ce2\n"
                                                     "\n");
    fixture_free(f);
}

// An unknown flag is printed as such, in JSON and with its reason.
static void test_json_open_flag(void **state) {
    (void)state;
    struct fixture *f = begin(0);
    fixture_state(f, true, NULL);
    f->outcomes.verdict = VERDICT_ALWAYS;
    f->outcomes.reason = REASON_TIMEOUT;
    f->options.solver.timeout_seconds = 2;
    f->outcomes.flags =
        (struct flag[]){{FLAG_HANG, NULL, false, false, TRUTH_YES, false},
                        {FLAG_MODEL, "data-race", true, false, TRUTH_UNKNOWN, false}};
    f->outcomes.flag_count = 2;
    const char *text = fixture_print(f, print_json);
    assert_non_null(strstr(text, "\"verdict\":\"always\""));
    assert_non_null(strstr(text, "\"complete\":true,\"flags\":[\"hang\"],"
                                 "\"unknown_flags\":[\"data-race\"],"));
    assert_non_null(strstr(text, "\"reason\":\"the time limit of 2 s was reached\""));
    assert_int_equal(report_status(&f->report), EXIT_UNDECIDED);
    f->outcomes.flags[1].holds = TRUTH_NO;
    assert_null(strstr(fixture_print(f, print_json), "unknown_flags"));
    assert_int_equal(report_status(&f->report), EXIT_DECIDED);
    fixture_free(f);
}

// A column that the condition compares with an address shows addresses by name.
static void test_log_address(void **state) {
    (void)state;
    struct fixture *f = begin(2);
    fixture_state(f, true, (const uint64_t[]){0x1000, 0x1000});
    struct term address = {.kind = TERM_ADDRESS, .variable = 0};
    f->test.condition = fixture_compare(f, f->terms[COLUMN_R0], COMPARE_EQ, address);
    f->outcomes.verdict = VERDICT_ALWAYS;
    assert_string_equal(fixture_print(f, print_log), "Test MP Allowed\n"
                                                     "States 1\n"
                                                     "1:r0=x; 1:r1=4096;\n"
                                                     "Ok\n"
                                                     "Witnesses\n"
                                                     "Positive: 1 Negative: 0\n"
                                                     "Condition exists (1:r0=x)\n"
                                                     "Observation MP Always 1 0\n"
                                                     "Time MP 0.01\n"
                                                     "Hash=e17e405e96ca8ce2\n"
                                                     "\n");
    fixture_free(f);
}

static void test_json(void **state) {
    (void)state;
    struct fixture *f = message_passing();
    f->values[1][1].undef = true;
    fixture_expect(f, EXPECT_FORBIDDEN);
    f->outcomes.flags = (struct flag[]){{FLAG_MODEL, "data-race", true, false, TRUTH_YES, false},
                                        {FLAG_ENDLESS, NULL, false, false, TRUTH_NO, false}};
    f->outcomes.flag_count = 2;
    assert_string_equal(
        fixture_print(f, print_json),
        "{\"test\":\"MP\",\"file\":\"dir/mp.litmus\",\"model\":\"ptx-9.1\",\"target\":null,"
        "\"kind\":\"exists\",\"condition\":\"1:r0=0\",\"verdict\":\"allowed\","
        "\"observation\":\"Sometimes\",\"ok\":false,\"states\":[{\"P1:%r0\":0,\"P1:%r1\":-1},"
        "{\"P1:%r0\":1,\"P1:%r1\":null},{\"P1:%r0\":10,\"P1:%r1\":1}],\"complete\":true,"
        "\"flags\":[\"data-race\"],\"expected\":\"forbidden\",\"failed\":[\"forbidden\"],"
        "\"stats\":{\"events\":6,\"solver_ms\":1.25,\"total_ms\":12.6}}\n");
    fixture_free(f);
}

// Wide numbers are hexadecimal digits; unknown values are null; bytes that are not UTF-8 do not
// stop the output.
static void test_json_rare(void **state) {
    (void)state;
    struct fixture *f = begin(3);
    fixture_state(f, false, (const uint64_t[]){0, 0, 1ull << 53});
    f->report.path = "\xff.litmus";
    f->test.name = "a\"b\x01";
    f->outcomes.reason = REASON_INTERRUPTED;
    f->outcomes.complete = false;
    assert_string_equal(
        fixture_print(f, print_json),
        "{\"test\":\"a\\\"b\\u0001\",\"file\":\"\xef\xbf\xbd.litmus\",\"model\":\"ptx-9.1\","
        "\"target\":null,\"kind\":\"exists\",\"condition\":\"true\",\"verdict\":\"unknown\","
        "\"observation\":\"Unknown\",\"ok\":null,\"states\":[{\"P1:%r0\":0,\"P1:%r1\":0,"
        "\"x\":\"20000000000000\"}],\"complete\":false,\"flags\":[],\"expected\":null,"
        "\"reason\":\"interrupted\",\"stats\":{\"events\":0,\"solver_ms\":0.0,\"total_ms\":12.6}}"
        "\n");
    f->outcomes.listed = false;
    f->outcomes.state_count = 0;
    f->outcomes.reason = REASON_NONE;
    f->outcomes.verdict = VERDICT_ALLOWED;
    assert_string_equal(
        fixture_print(f, print_json),
        "{\"test\":\"a\\\"b\\u0001\",\"file\":\"\xef\xbf\xbd.litmus\",\"model\":\"ptx-9.1\","
        "\"target\":null,\"kind\":\"exists\",\"condition\":\"true\",\"verdict\":\"allowed\","
        "\"observation\":\"Sometimes\",\"ok\":true,\"states\":null,\"complete\":false,\"flags\":[],"
        "\"expected\":null,\"stats\":{\"events\":0,\"solver_ms\":0.0,\"total_ms\":12.6}}\n");
    fixture_free(f);
}

static void print_two_errors(FILE *out, struct arena *arena, const struct report *report) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    diag_error(&diagnostics, (struct span){report->program->test->source, 4, 6}, "no such '%s'",
               "MP");
    diag_hint(&diagnostics, "did you mean 'SB'?");
    diag_error_path(&diagnostics, "gone", "cannot be read");
    print_json_error(out, arena, &diagnostics.items[0], 0);
    print_json_error(out, arena, &diagnostics.items[1], 0);
}

static void test_json_error(void **state) {
    (void)state;
    struct fixture *f = begin(0);
    assert_string_equal(
        fixture_print(f, print_two_errors),
        "{\"file\":\"mp.litmus\",\"line\":1,\"column\":5,\"error\":\"no such 'MP'\","
        "\"hint\":\"did you mean 'SB'?\"}\n"
        "{\"file\":\"gone\",\"line\":null,\"column\":null,"
        "\"error\":\"cannot be read\"}\n");
    fixture_free(f);
}

static void test_text(void **state) {
    (void)state;
    struct fixture *f = message_passing();
    f->test.description = "first\nsecond \x1b";
    f->outcomes.flags = (struct flag[]){{FLAG_MODEL, "data-race", true, false, TRUTH_YES, false},
                                        {FLAG_MODEL, "mine", false, false, TRUTH_YES, false},
                                        {FLAG_MODEL, "other", false, false, TRUTH_UNKNOWN, false},
                                        {FLAG_MODEL, "another", false, false, TRUTH_NO, false}};
    f->outcomes.flag_count = 4;
    f->outcomes.reason = REASON_INTERRUPTED;
    fixture_expect(f, EXPECT_ALLOWED);
    assert_string_equal(
        fixture_print(f, print_text),
        "MP (dir/mp.litmus, ptx-9.1)\n"
        "first\n"
        "second \\x1b\n"
        "     P1:%r0  P1:%r1\n"
        "  *       0      -1\n"
        "          1       0\n"
        "         10       1\n"
        "\n"
        "MP: allowed \xe2\x80\x94 1 of 3 outcomes satisfies exists (P1:%r0 == 0)\n"
        "  *: satisfies the condition\n"
        "  flag data-race: two accesses conflict, and neither synchronisation nor strength orders "
        "them\n"
        "  flag mine: the model flags some execution so\n"
        "  flag other: undecided: interrupted\n"
        "  expected allowed: yes\n"
        "\n");
    fixture_free(f);
}

static void test_text_rare(void **state) {
    (void)state;
    struct fixture *f = message_passing();
    f->states[1].satisfies = true; // and it violates: an unknown value decides
    f->values[1][1].undef = true;
    f->outcomes.complete = false;
    f->options.solver.max_states = 3;
    f->test.quantifier = QUANTIFIER_FORALL;
    assert_string_equal(
        fixture_print(f, print_text),
        "MP (dir/mp.litmus, ptx-9.1)\n"
        "     P1:%r0  P1:%r1\n"
        "  *       0      -1\n"
        "  ~       1       ?\n"
        "         10       1\n"
        "     ... there may be more\n"
        "\n"
        "MP: allowed \xe2\x80\x94 some outcome satisfies (P1:%r0 == 0): forall fails\n"
        "  *: satisfies the condition\n"
        "  ~: an unknown initial value decides whether it satisfies the condition\n"
        "  incomplete: --states 3 cut the list\n"
        "\n");
    fixture_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log),         cmocka_unit_test(test_log_rare),
        cmocka_unit_test(test_log_verdict), cmocka_unit_test(test_log_address),
        cmocka_unit_test(test_json),        cmocka_unit_test(test_json_rare),
        cmocka_unit_test(test_json_error),  cmocka_unit_test(test_text),
        cmocka_unit_test(test_text_rare),   cmocka_unit_test(test_json_open_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
