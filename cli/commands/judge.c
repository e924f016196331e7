// The part of a suite that is done where its tests are run: which tests of an input it is about,
// and what shows why one failed.
#include "check/print/endings.h"
#include "check/print/races.h"
#include "check/record/results.h"
#include "check/report/judge.h"
#include "check/report/report.h"
#include "check/text/names.h"
#include "cli/commands/explain.h"
#include "cli/commands/finding.h"
#include "cli/commands/leaving.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/limits.h"
#include "cli/jobs/task.h"
#include "check/print/explanation.h"
#include "cli/print/formats.h"
#include "cli/report/added.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <fnmatch.h>
#include <string.h>

// --- Why a test failed -------------------------------------------------------------------------

enum { EXPLAIN_SECONDS = 20 }; // without a --timeout

// Explains the outcome that should not be there, or why the one that should be is not.
static const struct explained *explain(const struct run *run, struct arena *arena,
                                       const struct model *model, const struct report *report) {
    struct options options = *run->options;
    struct run alone = *run;
    struct report explained = *report;
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    options.explain = (struct explain_options){.asked = true,
                                               .question.violation = judged_asks_violation(report)};
    alone.options = &options;
    if (options.check.solver.timeout_seconds == 0) {
        options.check.solver.timeout_seconds = EXPLAIN_SECONDS;
        limits_begin(EXPLAIN_SECONDS, options.check.solver.memory_mb);
    }
    if (run_is_late(run))
        return NULL;
    return explain_report(&alone, arena, model, &explained, &ignored) ? explained.explained : NULL;
}

static bool fails(const struct report *report, enum expectation what) {
    return test_expects(report->program->test, what) && report_meets_one(report, what) == TRUTH_NO;
}

void run_judge(struct run *run, struct arena *arena, const struct system *system,
               struct report *report) {
    struct judged *judged = judge_report(arena, report, run->options->suite.update);
    report->added->judged = judged;
    if (judged->result != SUITE_FAILED)
        return;
    bool races = fails(report, EXPECT_NO_RACE);
    struct arena_text printed;
    leaving_report(run, report); // without the execution that is looked for now
    FILE *out = arena_text_begin(&printed);
    const struct explained *explained =
        judged_asks_execution(report) ? explain(run, arena, system->readings.model, report) : NULL;
    if (explained) {
        struct report shown = *report;
        shown.explained = explained;
        print_explanation_body(out, arena, &shown);
    }
    if (races)
        races_print(out, arena, report);
    if (fails(report, EXPECT_TERMINATES))
        endings_print(out, arena, report, "");
    char *text = arena_text_end(arena, &printed);
    while (printed.size > 0 && text[printed.size - 1] == '\n')
        text[--printed.size] = '\0';
    judged->execution = *text ? text : NULL;
    if (races && options_suite_reports(&run->options->suite, SUITE_SARIF))
        finding_reasons(run, arena, system->readings.model, report);
}

// --- Which tests ---------------------------------------------------------------------------------

// A row of a manifest that names no test.
static void print_dangling(struct run *run, struct arena *arena, const struct input *input,
                           const struct input_row *row, const char *why) {
    struct judged_failure failure = {.at = judged_place_of(row->span), .why = why};
    const struct judged judged = {.result = SUITE_FAILED, .failures = &failure, .failure_count = 1};
    const struct record record = {
        .file = valid_utf8(arena, input->path),
        .test = row->test ? valid_utf8(arena, row->test) : NULL,
        .index = run->index,
        .tests = 1,
        .judged = record_judged(arena, &judged),
    };
    format_of(run->options)->input(run->out, arena, &record);
    run_add_status(run, EXIT_FAILED);
}

// A pattern of --filter, in which '*' stands for anything, may match any part of a name.
static bool matches(struct arena *arena, const char *pattern, const char *name) {
    return fnmatch(arena_format(arena, "*%s*", pattern), name, 0) == 0;
}

// Whether a test, or with `test` NULL a whole file, is one that --filter names.
static bool is_chosen(const struct run *run, struct arena *arena, const char *path,
                      const char *test) {
    const struct suite_options *suite = &run->options->suite;
    for (size_t i = 0; i < suite->filter_count; i++)
        if (matches(arena, suite->filters[i], path) ||
            (test && matches(arena, suite->filters[i], arena_format(arena, "%s#%s", path, test))))
            return true;
    return suite->filter_count == 0;
}

static const struct input_row *row_of(const struct input *input, const char *test) {
    const struct input_row *whole = NULL;
    for (size_t i = 0; i < input->row_count; i++) {
        if (input->rows[i].test && strcmp(input->rows[i].test, test) == 0)
            return &input->rows[i];
        whole = input->rows[i].test ? whole : &input->rows[i];
    }
    return whole;
}

static bool has_test(const struct test_list *tests, const char *name) {
    for (size_t i = 0; i < tests->count; i++)
        if (strcmp(tests->items[i]->name, name) == 0)
            return true;
    return false;
}

// "'A', 'B' and 3 more"
static const char *names_of(struct arena *arena, const struct test_list *tests) {
    enum { SHOWN = 5 };
    const char *names = "";
    for (size_t i = 0; i < tests->count && i < SHOWN; i++)
        names = arena_format(arena, "%s%s'%s'", names, i > 0 ? ", " : "", tests->items[i]->name);
    return tests->count > SHOWN
               ? arena_format(arena, "%s and %zu more", names, tests->count - SHOWN)
               : names;
}

static void check_rows(struct run *run, struct arena *arena, const struct input *input,
                       const struct test_list *tests) {
    for (size_t i = 0; i < input->row_count; i++) {
        const struct input_row *row = &input->rows[i];
        if (input->is_nothing && is_chosen(run, arena, input->path, row->test)) {
            print_dangling(run, arena, input, row, input->error);
        } else if (!input->is_nothing && row->test && !has_test(tests, row->test) &&
                   is_chosen(run, arena, input->path, row->test)) {
            print_dangling(run, arena, input, row,
                           arena_format(arena,
                                        "this line names no test: the tests of the file are "
                                        "%s",
                                        names_of(arena, tests)));
        }
    }
}

// What a manifest expects of a test that has no condition is asked of it; a verdict cannot be.
static bool ask_row(struct test *test, const struct input_row *row,
                    struct diagnostics *diagnostics) {
    const struct test wanted = {.expected = row->expected, .expected_count = row->count};
    bool has_none = test->is_unasked || test->is_unconditional;
    if (has_none && test_expects_no_verdict(&wanted)) {
        test->is_unasked = false;
        test->is_unconditional = true;
    } else if (test->is_unconditional) {
        diag_error(diagnostics, row->span, "the test has no condition, and so no such verdict");
        return false;
    }
    return true;
}

bool run_ask_rows(const struct input *input, const struct test_list *tests,
                  struct diagnostics *diagnostics) {
    for (size_t i = 0; i < tests->count; i++) {
        const struct input_row *row = row_of(input, tests->items[i]->name);
        if (row && !ask_row(tests->items[i], row, diagnostics))
            return false;
    }
    return true;
}

static void apply_row(struct test *test, const struct input_row *row) {
    if (row) {
        test->expected = row->expected;
        test->expected_count = row->count;
    }
}

bool run_choose_tests(struct run *run, struct arena *arena, const struct input *input,
                      struct test_list *tests, bool is_first) {
    if (is_first)
        check_rows(run, arena, input, tests);
    if (input->is_nothing && !is_chosen(run, arena, input->path, NULL)) {
        run_print_input(run, arena, input->path, run->index, SUITE_LEFT_OUT, 1, NULL);
        return false;
    }
    if (input->is_nothing) {
        if (input->row_count == 0) {
            run_print_input(run, arena, input->path, run->index, SUITE_FAILED, 1, input->error);
            run_add_status(run, EXIT_FAILED);
        }
        return false;
    }
    size_t kept = 0;
    for (size_t i = 0; i < tests->count; i++) {
        struct test *test = tests->items[i];
        if (is_chosen(run, arena, input->path, test->name)) {
            apply_row(test, row_of(input, test->name));
            tests->items[kept++] = test;
        }
    }
    if (kept < tests->count && is_first) {
        run_print_input(run, arena, input->path, run->index, SUITE_LEFT_OUT, tests->count - kept,
                        NULL);
    }
    tests->count = kept;
    return kept > 0;
}
