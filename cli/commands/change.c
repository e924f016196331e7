// Takes a test through the search, and has the results printed.
#include "cli/commands/commands.h"

#include "cli/report/added.h"

#include "check/report/report.h"
#include "check/change_limits.h"
#include "cli/commands/launched.h"
#include "cli/commands/parallel.h"
#include "cli/commands/reading.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/signals.h"
#include "check/print/changes.h"
#include "cli/print/changes.h"
#include "cli/print/formats.h"
#include "cli/print/terminal.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/replace.h"
#include "repair/repair.h"

#include <string.h>

enum { SHOWN_DEFAULT = 5 };

static enum repair_goal goal_of(const struct options *options) {
    switch (options->change.what) {
    case CHANGING_RELAX: return REPAIR_KEEP;
    case CHANGING_RELAX_OUTCOMES: return REPAIR_KEEP_OUTCOMES;
    default: return REPAIR_FORBID;
    }
}

static enum exit_status status_of(const struct repair *repair, const struct options *options) {
    switch (repair->state) {
    case REPAIR_FOUND: return EXIT_DECIDED;
    case REPAIR_NOT_ASKED:
        return options->change.what == CHANGING_REPAIR ? EXIT_DECIDED : EXIT_FAILED;
    case REPAIR_NONE: return EXIT_FAILED;
    case REPAIR_UNDECIDED: break;
    }
    return EXIT_UNDECIDED;
}

// Writes the text of the cheapest result to the file of --write, and next to it what a module
// expects, or the launch that was derived.
static void write_text(struct run *run, struct arena *arena, const struct report *report,
                       const struct repair *repair) {
    const char *path = run->options->change.write;
    if (!path || repair->count == 0)
        return;
    const struct source *launch =
        *report_derived_launch(report) ? report->program->test->source->sidecar : NULL;
    const char *text = repair->remedies[0].text, *sidecar = repair->remedies[0].sidecar;
    run_has_written(run, arena, path, replace_file(arena, path, text, strlen(text)));
    if (sidecar || launch) {
        path = arena_format(arena, "%s.litmus", path);
        text = sidecar ? sidecar : launch->text;
        run_has_written(run, arena, path, replace_file(arena, path, text, strlen(text)));
    }
}

// What one run of a changed test says of the faults that are to go. A fault of another kind may
// have been there before.
static enum truth run_changed(void *context, struct arena *arena, const struct test *test) {
    enum { SECONDS = 1 }; // wrong ones may go round loops for long
    const struct run *run = context;
    const struct fault_goal *goal = &run->options->change.faults;
    const struct launch_result *launched = launched_try(run, arena, test, SECONDS);
    if (!launched || launched->answer == LAUNCH_IS_OPEN)
        return TRUTH_UNKNOWN;
    if (launched->answer == LAUNCH_IS_FREE)
        return TRUTH_NO;
    return (goal->races && launched->race_count > 0) || (goal->hangs && launched->wait_count > 0)
               ? TRUTH_YES
               : TRUTH_UNKNOWN;
}

static void search_test(struct run *run, struct arena *arena, const struct test *test, size_t index,
                        const struct costs *costs, struct diagnostics *diagnostics) {
    const struct system *system = &run->systems.items[0];
    struct change_limit limits[CHANGE_LIMITS_MAX];
    struct options checking = *run->options; // as `check` asks of faults
    struct run trying = *run;
    struct program_options program = run->options->check.program;
    program.no_thin_air = systems_forbid_thin_air(&run->systems, &run->options->check);
    struct repair_options options = {
        .goal = goal_of(run->options),
        .model = system->readings.model,
        .program = &program,
        .solver = &run->options->check.solver,
        .limits = limits,
        .limit_count = change_limits(&run->systems, &run->options->check, test, limits),
        .costs = costs,
        .most = run->options->change.all ? 0 : SHOWN_DEFAULT,
        .max_cost = run->options->change.max_cost,
        .any = run->options->change.any,
        .run = run->options->change.faults.flag ? NULL : run_changed,
        .run_context = &trying,
        .is_interrupted = signals_interrupted};
    const struct fault_goal *faults = &run->options->change.faults;
    checking.check.asks_clean = true;
    checking.check.solver.progress = PROGRESS_FAIR;
    trying.options = &checking;
    const struct repair *repair =
        fault_goal_is_set(faults)
            ? faults_repair(run->solver, arena, test, index, &options, faults, diagnostics)
            : repair_search(run->solver, arena, test, index, &options, diagnostics);
    run_print_diagnostics(run, arena, diagnostics);
    if (!repair)
        return;
    struct report report =
        report_of_program(arena, run->options, system, repair->before, run->options->inputs[0]);
    report.outcomes = repair->outcomes;
    if (format_of(run->options)->is_data)
        print_changes_json(run->out, arena, &report, repair,
                           run->options->change.what == CHANGING_REPAIR ? "repair" : "relax",
                           faults);
    else
        print_changes_text(run->out, arena, &report, repair);
    write_text(run, arena, &report, repair);
    run_add_status(run, status_of(repair, run->options));
}

// Reads the costs and the tests; false after messages.
static bool read_input(struct run *run, struct arena *arena, struct costs *costs,
                       struct test_list *tests, struct diagnostics *diagnostics) {
    const char *path = run->options->inputs[0];
    *costs = costs_default();
    if (run->options->change.costs &&
        !costs_read(arena, run->options->change.costs, costs, diagnostics))
        return false;
    if (!systems_load(arena, &run->options->check, &run->systems, diagnostics))
        return false;
    if (!reading_tests(run, arena, &(struct input){.path = path}, diagnostics, tests))
        return false;
    if (tests->count > 1 && run->options->change.write) {
        diag_error_path(diagnostics, path, "'--write' writes one test, but there are %zu",
                        tests->count);
        return false;
    }
    return true;
}

// The tests of the first input of the options.
static void change_input(struct run *run) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    struct test_list tests = {0};
    struct costs costs;
    diagnostics_init(&diagnostics, arena);
    if (!read_input(run, arena, &costs, &tests, &diagnostics)) {
        run_print_diagnostics(run, arena, &diagnostics);
        arena_free(arena);
        return;
    }
    for (size_t i = 0; i < tests.count && !signals_interrupted(); i++) {
        const struct test *test = tests.items[i];
        if (i > 0) {
            run_begin_limits(run);
            diagnostics_init(&diagnostics, arena);
            if (!format_of(run->options)->is_data)
                fputc('\n', run->out);
        }
        run->systems = systems_of(&run->systems, test);
        if (systems_check_test(arena, &run->systems, &run->options->check, test, &diagnostics) &&
            systems_take_test(&run->systems, &run->systems.items[0], test, &diagnostics))
            search_test(run, arena, test, i, &costs, &diagnostics);
        else
            run_print_diagnostics(run, arena, &diagnostics);
        run_flush(run);
    }
    arena_free(arena);
}

// JSON is UTF-8 wherever it goes.
enum exit_status change_test(const struct options *options) {
    struct streams streams = streams_open(format_of(options)->is_data);
    struct run run = {.options = options,
                      .status = EXIT_DECIDED,
                      .out = streams.out,
                      .err = streams.err,
                      .instead = change_input};
    struct input input = {.path = options->inputs[0]};
    parallel_run(&run, &(struct input_list){.items = &input, .count = 1, .file_count = 1});
    if (signals_interrupted())
        run_add_status(&run, EXIT_UNDECIDED);
    run_flush(&run);
    streams_close(streams);
    return run.status;
}
