// Takes each test through the rooms: source, test, program, outcomes, print.
#include "cli/run.h"

#include "cli/comparison.h"
#include "cli/emit.h"
#include "cli/files.h"
#include "cli/memory.h"
#include "cli/merge.h"
#include "cli/names.h"
#include "cli/parallel.h"
#include "cli/print.h"
#include "cli/races.h"
#include "cli/report.h"
#include "cli/run_internal.h"
#include "cli/signals.h"
#include "cli/worker.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void run_add_status(struct run *run, enum exit_status status) {
    run->status = exit_status_worse(run->status, status);
}

// Hands what was printed on. A reader that went away (`| head`) is told by silence; any other
// failure is reported.
void run_flush(struct run *run) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        worker_flush();
        return;
    }
    if (!run->output_failed && errno != EPIPE) {
        fprintf(stderr, "ptxlitmus: error: cannot write the output: %s\n",
                errno ? strerror(errno) : "write error");
    }
    run->output_failed = true;
    run_add_status(run, EXIT_INTERNAL);
}

// Prints messages about one input, and in JSON an object for each error.
void run_print_diagnostics(struct run *run, struct arena *arena,
                           const struct diagnostics *diagnostics) {
    size_t errors = 0;
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *diagnostic = &diagnostics->items[i];
        struct diagnostic shown = *diagnostic;
        bool is_error = diagnostic->severity == SEVERITY_ERROR;
        errors += is_error;
        shown.path = escaped(arena, diagnostic->path);
        fputs(diag_render(arena, &shown), stderr);
        if (is_error && run->options->format == FORMAT_JSON) {
            print_json_error(stdout, arena, diagnostic, run->index);
        }
    }
    errors += diagnostics->repeated_errors;
    if (diagnostics->error_count > errors) {
        fprintf(stderr, "%s: %zu more errors are not shown\n",
                escaped(arena, diagnostics->items[0].path), diagnostics->error_count - errors);
    }
    if (diag_has_errors(diagnostics)) {
        run_add_status(run, EXIT_BAD_INPUT);
    }
}

// The messages of a result: a failed expectation, an undecided verdict, statistics. An expectation
// is only judged where it counts.
static void print_remarks(const struct run *run, struct arena *arena, const struct report *report,
                          bool is_judged) {
    const char *path = escaped(arena, report->path);
    bool several = run->systems.count > 1;
    const char *on =
        several ? arena_format(arena, " (%s)", escaped(arena, report_system(report))) : "";
    const char *failure = is_judged ? report_failure(arena, report) : NULL;
    const struct test *test = report->program->test;
    if (failure && test->expectation != EXPECT_NONE && test->expectation_span.source) {
        struct position at =
            source_position(test->expectation_span.source, test->expectation_span.begin);
        fprintf(stderr, "%s:%u:%u: failed: %s\n", path, at.line, at.column, failure);
    } else if (failure) {
        fprintf(stderr, "%s: failed: %s\n", path, failure);
    } else if (report->outcomes->verdict == VERDICT_UNKNOWN) {
        fprintf(stderr, "%s: undecided%s: %s\n", path, on, report_reason(arena, report));
    }
    if (run->options->solver.races && run->options->format == FORMAT_LOG) {
        races_print(stderr, arena, report);
    }
    if (run->options->stats && run->options->format != FORMAT_JSON) {
        fputs(several ? on + 1 : "", stderr);
        fputs(several ? " " : "", stderr);
        print_stats(stderr, arena, report);
    }
}

static void print_report(struct run *run, struct arena *arena, const struct report *report) {
    if (!run->options->quiet) {
        switch (run->options->format) {
        case FORMAT_LOG: print_log(stdout, arena, report); break;
        case FORMAT_JSON: print_json(stdout, arena, report); break;
        case FORMAT_TEXT: print_text(stdout, arena, report); break;
        }
        run_flush(run);
    }
    print_remarks(run, arena, report, true);
    run_add_status(run, report_status(report));
}

// The verdict on one system; `report.outcomes` is NULL after messages or an interrupt.
static struct report run_system(struct run *run, struct arena *arena, const struct system *system,
                                const struct program *program, const char *path) {
    const struct readings *model = &system->readings;
    struct report report = {.path = path,
                            .model = model->model->name,
                            .target = system->target,
                            .index = run->index,
                            .options = run->options,
                            .program = program};
    double start = now();
    if (signals_interrupted()) {
        return report;
    }
    if (run->options->stats) {
        memory_forget_peak();
    }
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    if (!systems_take_test(&run->systems, system, program->test, &diagnostics)) {
        run_print_diagnostics(run, arena, &diagnostics);
        return report;
    }
    struct outcomes *outcomes =
        solver_run(run->solver, arena, program, model->model, &run->options->solver, &diagnostics);
    if (outcomes) {
        readings_compare(model, run->options, run->solver, arena, program, outcomes);
    } else if (!diag_has_errors(&diagnostics) && !signals_interrupted()) {
        bug("%s: no result and no error", path);
    }
    run_print_diagnostics(run, arena, &diagnostics);
    report.outcomes = outcomes;
    report.seconds = now() - start;
    report.peak_kb = run->options->stats ? memory_peak_kb() : 0;
    return report;
}

// Kept for the end of the run.
void run_note_differences(struct run *run, const char *names, size_t count) {
    char *all = NULL;
    if (asprintf(&all, "%s%s%s", run->differing ? run->differing : "", run->differing ? ", " : "",
                 names) < 0) {
        bug("no memory for the name of a test");
    }
    free(run->differing);
    run->differing = all;
    run->differing_count += count;
}

// Reports of no test, for what is said of the systems alone.
static struct comparison systems_alone(const struct run *run, struct arena *arena) {
    struct report *reports = ARENA_ARRAY(arena, struct report, run->systems.count);
    for (size_t i = 0; i < run->systems.count; i++) {
        const struct system *system = &run->systems.items[i];
        reports[i] =
            (struct report){.target = system->target, .model = system->readings.model->name};
    }
    return (struct comparison){reports, run->systems.count};
}

void run_print_head(struct run *run) {
    const struct options *options = run->options;
    if (run->has_table || run->systems.count < 2 || !options->solver.verdict_only ||
        options->format != FORMAT_TEXT) {
        return;
    }
    struct arena *arena = arena_new();
    struct comparison alone = systems_alone(run, arena);
    print_verdict_head(stdout, arena, &alone);
    run->has_table = true;
    arena_free(arena);
}

static void print_table(struct run *run, struct arena *arena, const struct comparison *compared) {
    if (run->options->solver.verdict_only) {
        run_print_head(run);
        print_verdict_line(stdout, arena, compared);
    } else {
        print_comparison(stdout, arena, compared);
    }
}

// Prints the results of several systems. A test's expectation is about the first of them.
static void print_compared(struct run *run, struct arena *arena,
                           const struct comparison *compared) {
    bool is_json = run->options->format == FORMAT_JSON;
    bool any = false;
    for (size_t i = 0; i < compared->count; i++) {
        const struct report *report = &compared->reports[i];
        if (!report->outcomes) {
            continue;
        }
        any = true;
        if (is_json && !run->options->quiet) {
            print_json(stdout, arena, report);
        }
        bool undecided = report->outcomes->verdict == VERDICT_UNKNOWN;
        run_add_status(run, i == 0      ? report_status(report)
                            : undecided ? EXIT_UNDECIDED
                                        : EXIT_DECIDED);
    }
    if (!is_json && !run->options->quiet) {
        print_table(run, arena, compared);
    }
    run->test_count += any;
    if (comparison_difference(arena, compared)) {
        run_note_differences(run, escaped(arena, compared->reports[0].program->test->name), 1);
    }
    run_flush(run);
    for (size_t i = 0; i < compared->count; i++) {
        if (compared->reports[i].outcomes) {
            print_remarks(run, arena, &compared->reports[i], i == 0);
        }
    }
}

static void run_program(struct run *run, struct arena *arena, const struct program *program,
                        const char *path, double reading_seconds) {
    size_t count = run->systems.count;
    struct report *reports = ARENA_ARRAY(arena, struct report, count);
    for (size_t i = 0; i < count; i++) {
        reports[i] = run_system(run, arena, &run->systems.items[i], program, path);
        reports[i].seconds += reading_seconds;
    }
    if (count > 1) {
        if (!signals_interrupted()) {
            print_compared(run, arena, &(struct comparison){reports, count});
        }
    } else if (reports[0].outcomes) {
        print_report(run, arena, &reports[0]);
    }
}

// Everything about one test, but what was read, lives in `arena`. `diagnostics` has the warnings
// that reading gave; `start` is when the time of this test began.
static void run_test(struct run *run, struct arena *arena, const char *path,
                     const struct test *test, struct diagnostics *diagnostics, double start) {
    bool good = systems_check_test(arena, &run->systems, run->options, test, diagnostics);
    if (run->options->emit_ptx) {
        if (good && systems_take_test(&run->systems, &run->systems.items[0], test, diagnostics)) {
            emit_write(arena, &run->systems, run->options, test, diagnostics);
        }
        run_print_diagnostics(run, arena, diagnostics);
        return;
    }
    struct program *program =
        good ? program_build(arena, test, &run->options->program, diagnostics) : NULL;
    run_print_diagnostics(run, arena, diagnostics);
    if (program) {
        run_program(run, arena, program, path, now() - start);
    } else if (!diag_has_errors(diagnostics)) {
        bug("%s: no program and no error", path);
    }
}

// The second and further tests of a file, each in an arena of its own.
static void run_further_tests(struct run *run, const char *path, const struct test_list *tests) {
    size_t done = 1;
    for (; done < tests->count && !run->output_failed && !signals_interrupted(); done++) {
        struct arena *arena = arena_new();
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics, arena);
        run_test(run, arena, path, tests->items[done], &diagnostics, now());
        arena_free(arena);
    }
    if (done < tests->count && signals_interrupted()) {
        struct arena *arena = arena_new();
        fprintf(stderr, "%s: interrupted: %zu of %zu tests were not run\n", escaped(arena, path),
                tests->count - done, tests->count);
        arena_free(arena);
    }
}

static void run_file(struct run *run, struct arena *arena, const char *path) {
    double start = now();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_read(arena, path, &diagnostics);
    struct test_list tests = {0};
    bool read = source && test_read_all(arena, source, run->options->syntax, &diagnostics, &tests);
    if (read && tests.count > 1 && options_writes_one(run->options)) {
        diag_error_path(&diagnostics, path, "%s, but there are %zu",
                        options_writes_one(run->options), tests.count);
        read = false;
    }
    if (!read) {
        run_print_diagnostics(run, arena, &diagnostics);
        return;
    }
    run_test(run, arena, path, tests.items[0], &diagnostics, start);
    run_further_tests(run, path, &tests);
}

void run_input(struct run *run, const struct input *input) {
    struct arena *arena = arena_new();
    run->index = input->index;
    if (input->error) {
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics, arena);
        diag_error_path(&diagnostics, input->path, "%s", input->error);
        run_print_diagnostics(run, arena, &diagnostics);
    } else {
        run_file(run, arena, input->path);
    }
    run_flush(run);
    arena_free(arena);
}

// One after the other, in this process. Returns how many were run.
static size_t run_in_turn(struct run *run, const struct input_list *inputs) {
    size_t done = 0;
    run->solver = solver_new();
    signals_aim(run->solver);
    while (done < inputs->count && !run->output_failed && !signals_interrupted()) {
        run_input(run, &inputs->items[done]);
        done++;
    }
    signals_forget();
    solver_free(run->solver);
    return done;
}

// Returns how many were run.
static size_t run_inputs(struct run *run, const struct input_list *inputs) {
    signals_install(NULL);
    size_t done = parallel_is_needed(run->options, inputs) ? parallel_run(run, inputs)
                                                           : run_in_turn(run, inputs);
    if (signals_interrupted()) {
        run_add_status(run, EXIT_UNDECIDED);
        if (done < inputs->count) {
            fprintf(stderr, "ptxlitmus: interrupted: %zu of %zu tests were not run\n",
                    inputs->count - done, inputs->count);
        }
    }
    return done;
}

// Loads models and targets; false after messages.
static bool load_systems(struct run *run, struct arena *arena) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    bool loaded = systems_load(arena, run->options, &run->systems, &diagnostics);
    run_print_diagnostics(run, arena, &diagnostics);
    return loaded;
}

// Under a table of verdicts: which of its columns are no real machines.
static void print_systems(const struct run *run) {
    for (size_t i = 0; run->options->solver.verdict_only && i < run->systems.count; i++) {
        const struct report report = {.target = run->systems.items[i].target};
        print_simulated(stdout, &(struct comparison){&report, 1});
    }
}

// Says which tests differ, where people read.
static void print_summary(struct run *run) {
    const struct options *options = run->options;
    if (run->systems.count > 1 && options->format == FORMAT_TEXT && !options->quiet &&
        run->test_count > 0) {
        print_systems(run);
        printf("Differences in %zu of %zu %s%s%s\n", run->differing_count, run->test_count,
               run->test_count == 1 ? "test" : "tests", run->differing ? ": " : "",
               run->differing ? run->differing : "");
    }
}

// The inputs of the options; with --shard those of the shard, and in `*shard` what is known of it.
static void collect(struct arena *arena, const struct options *options, struct input_list *inputs,
                    struct shard *shard) {
    files_collect(arena, options->inputs, options->input_count, inputs);
    if (options->shard_count == 0) {
        return;
    }
    const char **paths = ARENA_ARRAY(arena, const char *, inputs->count + 1);
    for (size_t i = 0; i < inputs->count; i++) {
        paths[i] = inputs->items[i].path;
    }
    *shard = (struct shard){.number = options->shard,
                            .count = options->shard_count,
                            .inputs = inputs->count,
                            .list = shard_hash(paths, inputs->count)};
    files_take_shard(inputs, options->shard, options->shard_count);
}

// The last line of a shard's results, by which they are joined.
static void end_shard(struct run *run, struct shard *shard, bool is_whole) {
    if (run->options->shard_count == 0 || run->options->format != FORMAT_JSON) {
        return;
    }
    shard->is_complete = is_whole && !run->options->quiet;
    shard->status = run->status;
    print_shard(stdout, shard);
}

enum exit_status run_tests(const struct options *options) {
    struct arena *arena = arena_new();
    struct run run = {.options = options, .status = EXIT_DECIDED};
    struct input_list inputs;
    struct shard shard = {0};
    collect(arena, options, &inputs, &shard);
    if (options_writes_one(options) && inputs.file_count > 1) {
        fprintf(stderr, "ptxlitmus: error: %s, but there are %zu\n", options_writes_one(options),
                inputs.file_count);
        arena_free(arena);
        return EXIT_BAD_INPUT;
    }
    bool loaded = load_systems(&run, arena);
    if (loaded) {
        shard.not_run = inputs.count - run_inputs(&run, &inputs);
        print_summary(&run);
    }
    end_shard(&run, &shard, loaded && !signals_interrupted() && !run.output_failed);
    run_flush(&run);
    free(run.differing);
    arena_free(arena);
    return run.status;
}
