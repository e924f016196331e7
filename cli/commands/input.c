// Takes each test of an input through the rooms: source, test, program, outcomes, print.
#include "cli/commands/choosing.h"
#include "cli/commands/emit.h"
#include "cli/commands/explain.h"
#include "cli/commands/finding.h"
#include "cli/commands/launched.h"
#include "cli/commands/launched_fault.h"
#include "cli/commands/leaving.h"
#include "cli/commands/reading.h"
#include "cli/commands/run_internal.h"
#include "cli/input/files.h"
#include "cli/jobs/limits.h"
#include "cli/jobs/memory.h"
#include "cli/jobs/signals.h"
#include "cli/jobs/task.h"

#include "check/launched.h"
#include "check/report/report.h"
#include "cli/report/added.h"
#include "launch/launch.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "lowering/lowering.h"
#include "model/cat/model.h"
#include "solver/backend/watchdog.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

// So long a fault that a run has met is searched for.
#define MET_SECONDS 10.0

static double now(void) {
    return watchdog_now_ms() / 1e3;
}

static struct report report_of(const struct run *run, struct arena *arena,
                               const struct system *system, const struct program *program,
                               const char *path) {
    struct report report = report_of_program(arena, run->options, system, program, path);
    report.index = run->index;
    return report;
}

// The verdict on the n-th system; `report.outcomes` is NULL after messages or an interrupt.
static struct report run_system(struct run *run, struct arena *arena, size_t n,
                                const struct program *program, const char *path) {
    const struct system *system = &run->systems.items[n];
    struct report report = report_of(run, arena, system, program, path);
    double start = now();
    if (signals_interrupted())
        return report;
    if (run->options->print.stats)
        memory_forget_peak();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    if (!systems_take_test(&run->systems, system, program->test, &diagnostics)) {
        run_print_diagnostics(run, arena, &diagnostics);
        return report;
    }
    struct solver_options options = run_share(run, run->systems.count - n);
    double begun = run->systems.count > 1 ? now() : run->begun;
    if (run->met && !(options.timeout_seconds < MET_SECONDS && options.timeout_seconds > 0))
        options.timeout_seconds = MET_SECONDS; // it is for reasons alone
    options.races =
        options.races || (run->options->suite.asked && test_expects(program->test, EXPECT_NO_RACE));
    struct outcomes *outcomes = readings_decide(&system->readings, &options, begun, run->solver,
                                                arena, program, &diagnostics);
    if (!outcomes && !diag_has_errors(&diagnostics) && !signals_interrupted())
        bug("%s: no result and no error", path);
    report.outcomes = outcomes;
    if (outcomes && run->options->explain.asked &&
        !explain_report(run, arena, system->readings.model, &report, &diagnostics))
        report.outcomes = NULL;
    run_print_diagnostics(run, arena, &diagnostics);
    if (report.outcomes && run->derived.relies)
        report_rely(arena, &report, run->derived.relies);
    if (report.outcomes && run->options->suite.asked)
        run_judge(run, arena, system, &report);
    report.seconds = now() - start;
    if (report.outcomes) {
        explain_briefly(run, arena, system->readings.model, &report);
        finding_explain(run, arena, system->readings.model, &report);
        if (report.added->findings)
            finding_fix(run, arena, system->readings.model, &report, &report);
    }
    report.peak_kb = run->options->print.stats ? memory_peak_kb() : 0;
    return report;
}

// --- Tests and files ---------------------------------------------------------------------------

// What a run has met, where no search says more, and a fix; without one, where the run was of all
// threads and the test is of some: no search of these says whether a fix is one.
static struct report met_report(struct run *run, struct arena *arena, const struct test *test,
                                const char *path) {
    struct report report = launched_report(run, arena, path, run->met);
    if (run->met->test == test)
        launched_fix(run, arena, &report);
    return report;
}

// Prints what a test came to. One that an interrupt has ended before there was a result was not
// run, and is not passed over in silence.
static void print_test(struct run *run, struct arena *arena, const char *path,
                       const struct report *reports) {
    bool is_whole = run->systems.count == 1 && reports[0].outcomes;
    if (signals_interrupted() && !is_whole)
        run_print_not_run(run, path, 1, "interrupted");
    else
        run_print_results(run, arena, reports);
}

// `launched`: what a run of the test has shown, or NULL.
static void run_program(struct run *run, struct arena *arena, const struct program *program,
                        const char *path, double reading_seconds,
                        const struct launch_result *launched) {
    struct report *reports = ARENA_ARRAY(arena, struct report, run->systems.count);
    for (size_t i = 0; i < run->systems.count; i++) {
        reports[i] = run_system(run, arena, i, program, path);
        reports[i].seconds += reading_seconds;
    }
    if (launched)
        launched_compare(run, arena, &reports[0], launched);
    if (run->met && reports[0].outcomes && launched_says_more(run->met, &reports[0]))
        reports[0] = met_report(run, arena, program->test, path);
    print_test(run, arena, path, reports);
}

// Whether an error is about the instruction at which a run was left open.
static bool is_about(const struct diagnostics *diagnostics, const struct instruction *open) {
    for (size_t i = 0; open && i < diagnostics->count; i++) {
        const struct diagnostic *item = &diagnostics->items[i];
        if (item->severity == SEVERITY_ERROR && item->span.source == open->span.source &&
            item->span.begin >= open->span.begin && item->span.begin < open->span.end)
            return true;
    }
    return false;
}

// Says of a launch that a search refuses why it was to be searched: its threads were run before.
// Not where the error says as much.
static void note_refusal(struct diagnostics *diagnostics, const struct test *test,
                         const struct launch_result *launched) {
    if (!launched || launched->answer != LAUNCH_IS_OPEN || !launched->why ||
        is_about(diagnostics, launched->open))
        return;
    const struct launch *launch = test->threads[0].launch;
    if (!launch || launch->modelled)
        return;
    diag_note(diagnostics, launched->open ? launched->open->span : test->threads[0].span,
              "one run of all %zu threads does not decide whether this launch is free of faults: "
              "%s; a search of all executions could, but refuses the launch, as the error says",
              test->thread_count, launched->why);
    diag_hint(diagnostics, "mend what the error is about, or launch fewer threads: then one run "
                           "may decide it");
}

// Prints what one run of a test has shown, which is the answer.
static void answer_by_run(struct run *run, struct arena *arena, const char *path,
                          const struct test *test, const struct launch_result *launched,
                          struct diagnostics *diagnostics) {
    struct report report = launched_report(run, arena, path, launched);
    run->met = launched_met(run, test, launched);
    if (run->met) { // a fix is looked for, but the answer is known
        leaving_unknown(run, &(struct program){.test = test, .arena = arena}, path);
        if (run->derived.is_shown)
            launched_explain(run, arena, &report);
        else if (launched->test == test)
            launched_fix(run, arena, &report);
    }
    run_print_diagnostics(run, arena, diagnostics);
    run_print_results(run, arena, &report);
}

// Everything about one test, but what was read, lives in `arena`. `diagnostics` has the warnings
// that reading gave. The test's limits have begun.
static void run_test(struct run *run, struct arena *arena, const char *path,
                     const struct test *test, struct diagnostics *diagnostics) {
    run->systems = systems_of(&run->systems, test);
    run->met = NULL;
    bool good = systems_check_test(arena, &run->systems, &run->options->check, test, diagnostics);
    if (run->options->emit_ptx) {
        if (good && systems_take_test(&run->systems, &run->systems.items[0], test, diagnostics))
            emit_write(arena, &run->systems, run->options, test, diagnostics);
        run_print_diagnostics(run, arena, diagnostics);
        return;
    }
    if (good) // only the test of the program is known
        leaving_unknown(run, &(struct program){.test = test, .arena = arena}, path);
    const struct launch_result *launched =
        good ? launched_try(run, arena, whole_launches(arena, test),
                            run->options->method == METHOD_RUN ? HUGE_VAL : LAUNCHED_SECONDS)
             : NULL;
    if (launched_decides(run, test, launched)) {
        answer_by_run(run, arena, path, test, launched, diagnostics);
        return;
    }
    run->met = launched_met(run, test, launched);
    const struct test *whole = test;
    test = good ? choosing_searched(run, arena, test, launched, diagnostics) : test;
    good = good && test;
    if (run->met) { // making the program may take long, or fail
        leaving_unknown(run, &(struct program){.test = test, .arena = arena}, path);
        run_print_diagnostics(run, arena, diagnostics);
        diagnostics_init(diagnostics, arena);
    }
    struct program_options options = run->options->check.program;
    options.no_thin_air = systems_forbid_thin_air(&run->systems, &run->options->check);
    struct program *program = good ? program_build(arena, test, &options, diagnostics) : NULL;
    if (!program && run->met) { // what a search refuses, as it is too large, a run has answered
        struct report report = met_report(run, arena, test, path);
        run_print_results(run, arena, &report);
        return;
    }
    if (!program)
        note_refusal(diagnostics, whole, launched);
    run_print_diagnostics(run, arena, diagnostics);
    if (program) {
        if (!leaving_keeps_fault(run))
            worker_flush(); // the messages
        leaving_unknown(run, program, path);
        run_program(run, arena, program, path, now() - run->begun, launched);
    } else if (!diag_has_errors(diagnostics)) {
        bug("%s: no program and no error", path);
    }
}

// A test that is not the first that is run of its file, in an arena of its own.
static void run_further_test(struct run *run, const char *path, const struct test *test) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    run_test(run, arena, path, test, &diagnostics);
    limits_end();
    worker_flush();
    arena_free(arena);
}

static void run_further_tests(struct run *run, const char *path, const struct test_list *tests) {
    size_t next = run->test + 1;
    for (; next < tests->count && !run->output_failed && !signals_interrupted(); next++) {
        run->test = next;
        run_begin_limits(run);
        run_further_test(run, path, tests->items[next]);
    }
    if (next < tests->count && signals_interrupted())
        run_print_not_run(run, path, tests->count - next, "interrupted");
}

// Leaves only the tests of this name.
static void keep_test(struct test_list *tests, const char *name) {
    size_t kept = 0;
    for (size_t i = 0; i < tests->count; i++)
        if (strcmp(tests->items[i]->name, name) == 0)
            tests->items[kept++] = tests->items[i];
    tests->count = kept;
}

// Of tests that are compared, what they expect does not matter.
static void expect_nothing(struct test_list *tests) {
    for (size_t i = 0; i < tests->count; i++) {
        tests->items[i]->quantifier = QUANTIFIER_EXISTS;
        tests->items[i]->expected_count = 0;
    }
}

// Puts what the tests in C++ become in their places; false after messages.
static bool lower_tests(struct arena *arena, const struct lowering *lowering,
                        struct diagnostics *diagnostics, struct test_list *tests) {
    for (size_t i = 0; i < tests->count; i++) {
        tests->items[i] = lowering_test(arena, tests->items[i], lowering, diagnostics);
        if (!tests->items[i])
            return false;
    }
    return true;
}

// Reads the tests of an input, and makes of them what the command is about; false after messages.
static bool take_tests(struct run *run, struct arena *arena, const struct input *input,
                       struct diagnostics *diagnostics, struct test_list *tests) {
    if (!reading_tests(run, arena, input, diagnostics, tests))
        return false;
    if (input->lowering && !lower_tests(arena, input->lowering, diagnostics, tests))
        return false;
    if (run->options->lower.asked || run->options->compare.asked)
        expect_nothing(tests);
    if (run->options->compare.test)
        keep_test(tests, run->options->compare.test);
    if (tests->count > 1 && options_writes_one(run->options)) {
        diag_error_path(diagnostics, input->path, "%s, but there are %zu",
                        options_writes_one(run->options), tests->count);
        return false;
    }
    return true;
}

static void run_file(struct run *run, struct arena *arena, const struct input *input) {
    const char *path = input->path;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct test_list tests = {0};
    if (!take_tests(run, arena, input, &diagnostics, &tests)) {
        run_print_diagnostics(run, arena, &diagnostics);
        return;
    }
    if (run->options->suite.asked && !run_choose_tests(run, arena, input, &tests, run->test == 0))
        return;
    run->tests = tests.count;
    if (run->test > 0) // what reading has to say was said when the first test was run
        diagnostics_init(&diagnostics, arena);
    if (run->test < tests.count) {
        run_test(run, arena, path, tests.items[run->test], &diagnostics);
        limits_end();
        worker_flush();
        run_further_tests(run, path, &tests);
    }
}

// Whether a file can be read again to go on with its tests.
static bool is_readable_again(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

void run_input(struct run *run, const struct input *input, size_t first) {
    struct arena *arena = arena_new();
    run->index = input->index;
    run->test = first;
    run->tests = 0;
    run->compiled = (struct compiled_file){0};
    run_begin_limits(run);
    if (input->is_nothing) {
        run_choose_tests(run, arena, input, &(struct test_list){0}, true);
    } else if (input->error) {
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics, arena);
        diag_error_path(&diagnostics, input->path, "%s", input->error);
        run_print_diagnostics(run, arena, &diagnostics);
    } else if (first > 0 && !is_readable_again(input->path)) {
        run_print_not_run(run, input->path, 0, "this input cannot be read again");
    } else {
        run_file(run, arena, input);
    }
    limits_end();
    run_flush(run);
    arena_free(arena);
}
