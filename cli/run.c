// Takes each test through the rooms: source, test, program, outcomes, print.
#include "cli/run.h"

#include "cli/comparison.h"
#include "cli/emit.h"
#include "cli/files.h"
#include "cli/flags.h"
#include "cli/limits.h"
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
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void run_add_status(struct run *run, enum exit_status status) {
    run->status = exit_status_worse(run->status, status);
}

// Hands what was printed on. (A reader that went away, as `| head` does, ends the program by
// SIGPIPE, and is a failure like others where that is ignored.)
void run_flush(struct run *run) {
    errno = 0;
    if (fflush(run->out) == 0 && !ferror(run->out)) {
        if (run->out == stdout) {
            worker_flush();
        }
        return;
    }
    if (!run->output_failed) {
        fprintf(run->err, "ptxlitmus: error: cannot write the output: %s\n",
                errno ? strerror(errno) : "write error");
    }
    run->output_failed = true;
    run_add_status(run, EXIT_INTERNAL);
}

// The limits of a test begin: those of a file's first one with the reading of the file, and with
// several systems those of each anew.
static void begin_limits(struct run *run) {
    const struct solver_options *options = &run->options->solver;
    run->begun = now();
    limits_begin(options->timeout_seconds, options->memory_mb);
}

// All is said of a test but what follows from it: nothing but handing on is left to be done.
static void end_limits(const struct run *run) {
    if (run->out == stdout) {
        limits_end();
    }
}

// The solver's options with what is left of the time.
static struct solver_options remaining(const struct run *run) {
    static const double least_seconds = 1e-3; // for 0 is no limit
    struct solver_options options = run->options->solver;
    if (options.timeout_seconds > 0) {
        double left = options.timeout_seconds - (now() - run->begun);
        options.timeout_seconds = left > least_seconds ? left : least_seconds;
    }
    return options;
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
        fputs(diag_render(arena, &shown), run->err);
        if (is_error && run->options->format == FORMAT_JSON) {
            print_json_error(run->out, arena, diagnostic, run->index);
        }
    }
    errors += diagnostics->repeated_errors;
    if (diagnostics->error_count > errors) {
        fprintf(run->err, "%s: %zu more errors are not shown\n",
                escaped(arena, diagnostics->items[0].path), diagnostics->error_count - errors);
    }
    if (diag_has_errors(diagnostics)) {
        run_add_status(run, EXIT_BAD_INPUT);
    }
}

// The flags that are not known, where the verdict is: "flag data-race: ", "flags hang, data-race:
// ".
static const char *open_flags(struct arena *arena, const struct report *report) {
    const struct shown_flags flags = flags_shown(arena, report->outcomes);
    const char *names = "";
    size_t count = 0;
    if (report->outcomes->verdict == VERDICT_UNKNOWN || !outcomes_has_open_flag(report->outcomes)) {
        return "";
    }
    for (size_t i = 0; i < flags.count; i++) {
        if (flags.items[i].holds == TRUTH_UNKNOWN) {
            names =
                arena_format(arena, "%s%s %s", names, count == 0 ? "" : ",", flags.items[i].name);
            count++;
        }
    }
    return arena_format(arena, "flag%s%s: ", count == 1 ? "" : "s", names);
}

static void print_failure(const struct run *run, struct arena *arena, const struct report *report,
                          const struct failure *failure) {
    const char *path = escaped(arena, report->path);
    if (failure->span.source) {
        struct position at = source_position(failure->span.source, failure->span.begin);
        fprintf(run->err, "%s:%u:%u: failed: %s\n", path, at.line, at.column, failure->sentence);
    } else {
        fprintf(run->err, "%s: failed: %s\n", path, failure->sentence);
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
    const struct failures failures = report_failures(arena, report);
    for (size_t i = 0; is_judged && i < failures.count; i++) {
        print_failure(run, arena, report, &failures.items[i]);
    }
    bool failed = is_judged && failures.count > 0;
    bool open = !report_is_decided(report) || (is_judged && report_meets(report) != TRUTH_YES);
    if (!failed && open) {
        fprintf(run->err, "%s: undecided%s: %s%s\n", path, on, open_flags(arena, report),
                report_reason(arena, report));
    }
    if (run->options->solver.races && run->options->format == FORMAT_LOG) {
        races_print(run->err, arena, report);
    }
    if (run->options->stats && run->options->format != FORMAT_JSON) {
        fputs(several ? on + 1 : "", run->err);
        fputs(several ? " " : "", run->err);
        print_stats(run->err, arena, report);
    }
}

static void print_report(struct run *run, struct arena *arena, const struct report *report) {
    if (!run->options->quiet) {
        switch (run->options->format) {
        case FORMAT_LOG: print_log(run->out, arena, report); break;
        case FORMAT_JSON: print_json(run->out, arena, report); break;
        case FORMAT_TEXT: print_text(run->out, arena, report); break;
        }
    }
    end_limits(run);
    run_flush(run);
    print_remarks(run, arena, report, true);
    run_add_status(run, report_status(report));
}

static struct report report_of(const struct run *run, const struct system *system,
                               const struct program *program, const char *path) {
    return (struct report){.path = path,
                           .model = system->readings.model->name,
                           .target = system->target,
                           .index = run->index,
                           .options = run->options,
                           .program = program};
}

// The verdict on one system; `report.outcomes` is NULL after messages or an interrupt.
static struct report run_system(struct run *run, struct arena *arena, const struct system *system,
                                const struct program *program, const char *path) {
    const struct readings *model = &system->readings;
    struct report report = report_of(run, system, program, path);
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
    struct solver_options options = remaining(run);
    struct outcomes *outcomes =
        solver_run(run->solver, arena, program, model->model, &options, &diagnostics);
    if (outcomes) {
        options = remaining(run);
        readings_compare(model, &options, run->solver, arena, program, outcomes);
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
        out_of_memory();
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
    print_verdict_head(run->out, arena, &alone);
    run->has_table = true;
    arena_free(arena);
}

static void print_table(struct run *run, struct arena *arena, const struct comparison *compared) {
    if (run->options->solver.verdict_only) {
        run_print_head(run);
        print_verdict_line(run->out, arena, compared);
    } else {
        print_comparison(run->out, arena, compared);
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
            print_json(run->out, arena, report);
        }
        bool decided = report_is_decided(report);
        run_add_status(run, i == 0    ? report_status(report)
                            : decided ? EXIT_DECIDED
                                      : EXIT_UNDECIDED);
    }
    if (!is_json && !run->options->quiet) {
        print_table(run, arena, compared);
    }
    run->test_count += any;
    if (comparison_difference(arena, compared)) {
        run_note_differences(run, escaped(arena, compared->reports[0].program->test->name), 1);
    }
    end_limits(run);
    run_flush(run);
    for (size_t i = 0; i < compared->count; i++) {
        if (compared->reports[i].outcomes) {
            print_remarks(run, arena, &compared->reports[i], i == 0);
        }
    }
}

// Prints the results of a test on all systems.
static void print_results(struct run *run, struct arena *arena, const struct report *reports) {
    if (run->systems.count > 1) {
        print_compared(run, arena, &(struct comparison){reports, run->systems.count});
    } else if (reports[0].outcomes) {
        print_report(run, arena, &reports[0]);
    }
}

// --- When a limit ends the process -------------------------------------------------------------

static char *copy_of(const char *text) {
    size_t size = text ? strlen(text) + 1 : 0;
    return text ? memcpy(allocate(size, 1), text, size) : NULL;
}

// What is printed and noted instead of a result when nothing is known of a test, for this reason.
static struct worker_text result_unknown(const struct run *run, const struct program *program,
                                         const char *path, enum unknown_reason reason) {
    struct worker_text text;
    struct run last = *run;
    struct arena *arena = arena_new();
    struct report *reports = ARENA_ARRAY(arena, struct report, run->systems.count);
    for (size_t i = 0; i < run->systems.count; i++) {
        const struct readings *readings = &run->systems.items[i].readings;
        struct outcomes *outcomes =
            outcomes_unknown(arena, program, readings->model, &run->options->solver, reason);
        readings_list(readings, arena, program, outcomes);
        reports[i] = report_of(run, &run->systems.items[i], program, path);
        reports[i].outcomes = outcomes;
        reports[i].seconds = run->options->solver.timeout_seconds;
    }
    last.out = text_open(&text.out, &text.out_size);
    last.err = text_open(&text.err, &text.err_size);
    last.differing = copy_of(run->differing);
    print_results(&last, arena, reports);
    text_close(last.out);
    text_close(last.err);
    FILE *note = text_open(&text.note, &text.note_size);
    run_write_note(&last, note);
    text_close(note);
    free(last.differing);
    arena_free(arena);
    return text;
}

// The same when an interrupt ends it: the tests of the file from it on were not run.
static struct worker_text result_interrupted(const struct run *run, const char *path) {
    struct worker_text text;
    struct run last = *run;
    struct arena *arena = arena_new();
    text.out = allocate(1, 1);
    text.out_size = 0;
    FILE *err = text_open(&text.err, &text.err_size);
    fprintf(err, "%s: interrupted: %zu of %zu tests were not run\n", escaped(arena, path),
            run->tests - run->test, run->tests);
    text_close(err);
    FILE *note = text_open(&text.note, &text.note_size);
    run_add_status(&last, EXIT_UNDECIDED);
    run_write_note(&last, note);
    text_close(note);
    arena_free(arena);
    return text;
}

// Leaves what is to be printed of a test when a limit ends the process. (An interrupted file of
// which no test was run is one that was not run.)
static void leave_results(struct run *run, const struct program *program, const char *path) {
    const struct solver_options *options = &run->options->solver;
    struct worker_text texts[LIMIT_COUNT] = {0};
    if (options->timeout_seconds > 0) {
        texts[LIMIT_TIME] = result_unknown(run, program, path, REASON_TIMEOUT);
    }
    if (options->memory_mb > 0) {
        texts[LIMIT_MEMORY] = result_unknown(run, program, path, REASON_MEMORY);
    }
    if (run->test > 0) {
        texts[LIMIT_INTERRUPT] = result_interrupted(run, path);
    }
    worker_leave(texts, run->test + 1 < run->tests ? run->test + 1 : 0);
    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        free(texts[i].out);
        free(texts[i].err);
        free(texts[i].note);
    }
}

// --- Tests and files ---------------------------------------------------------------------------

static void run_program(struct run *run, struct arena *arena, const struct program *program,
                        const char *path, double reading_seconds) {
    struct report *reports = ARENA_ARRAY(arena, struct report, run->systems.count);
    for (size_t i = 0; i < run->systems.count; i++) {
        if (i > 0) {
            begin_limits(run);
        }
        reports[i] = run_system(run, arena, &run->systems.items[i], program, path);
        reports[i].seconds += reading_seconds;
    }
    if (run->systems.count == 1 || !signals_interrupted()) {
        print_results(run, arena, reports);
    }
}

// Everything about one test, but what was read, lives in `arena`. `diagnostics` has the warnings
// that reading gave. The test's limits have begun.
static void run_test(struct run *run, struct arena *arena, const char *path,
                     const struct test *test, struct diagnostics *diagnostics) {
    bool good = systems_check_test(arena, &run->systems, run->options, test, diagnostics);
    if (run->options->emit_ptx) {
        if (good && systems_take_test(&run->systems, &run->systems.items[0], test, diagnostics)) {
            emit_write(arena, &run->systems, run->options, test, diagnostics);
        }
        run_print_diagnostics(run, arena, diagnostics);
        return;
    }
    if (good) { // of the program, nothing is known but its test
        leave_results(run, &(struct program){.test = test, .arena = arena}, path);
    }
    struct program_options options = run->options->program;
    options.no_thin_air = systems_forbid_thin_air(&run->systems, run->options);
    struct program *program = good ? program_build(arena, test, &options, diagnostics) : NULL;
    run_print_diagnostics(run, arena, diagnostics);
    if (program) {
        worker_flush(); // the messages
        leave_results(run, program, path);
        run_program(run, arena, program, path, now() - run->begun);
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
        begin_limits(run);
        run_further_test(run, path, tests->items[next]);
    }
    if (next < tests->count && signals_interrupted()) {
        struct arena *arena = arena_new();
        fprintf(run->err, "%s: interrupted: %zu of %zu tests were not run\n", escaped(arena, path),
                tests->count - next, tests->count);
        arena_free(arena);
    }
}

// Reads the tests of a file; false after messages.
static bool read_tests(struct run *run, struct arena *arena, const char *path,
                       struct diagnostics *diagnostics, struct test_list *tests) {
    const struct source *source = source_read(arena, path, diagnostics);
    if (!source || !test_read_all(arena, source, run->options->syntax, diagnostics, tests)) {
        return false;
    }
    if (tests->count > 1 && options_writes_one(run->options)) {
        diag_error_path(diagnostics, path, "%s, but there are %zu",
                        options_writes_one(run->options), tests->count);
        return false;
    }
    return true;
}

static void run_file(struct run *run, struct arena *arena, const char *path) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct test_list tests = {0};
    if (!read_tests(run, arena, path, &diagnostics, &tests)) {
        run_print_diagnostics(run, arena, &diagnostics);
        return;
    }
    run->tests = tests.count;
    if (run->test > 0) { // what reading has to say was said when the first test was run
        diagnostics_init(&diagnostics, arena);
    }
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
    begin_limits(run);
    if (input->error) {
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics, arena);
        diag_error_path(&diagnostics, input->path, "%s", input->error);
        run_print_diagnostics(run, arena, &diagnostics);
    } else if (first > 0 && !is_readable_again(input->path)) {
        fprintf(run->err,
                "%s: undecided: the tests after a limit was reached were not run: this "
                "input cannot be read again\n",
                escaped(arena, input->path));
        run_add_status(run, EXIT_UNDECIDED);
    } else {
        run_file(run, arena, input->path);
    }
    limits_end();
    run_flush(run);
    arena_free(arena);
}

// --- What processes tell each other ------------------------------------------------------------

struct note {
    enum exit_status status;
    size_t test_count, differing_count; // the names of the tests that differ follow
};

void run_write_note(const struct run *run, FILE *out) {
    struct note note = {run->status, run->test_count, run->differing_count};
    fwrite(&note, sizeof note, 1, out);
    fputs(run->differing ? run->differing : "", out);
}

bool run_add_note(struct run *run, const char *text, size_t size) {
    struct note note;
    if (size < sizeof note) {
        return false;
    }
    memcpy(&note, text, sizeof note);
    run_add_status(run, note.status);
    run->test_count += note.test_count;
    if (note.differing_count > 0) {
        run_note_differences(run, text + sizeof note, note.differing_count);
    }
    return true;
}

// --- The run -----------------------------------------------------------------------------------

// Returns how many were run.
static size_t run_inputs(struct run *run, const struct input_list *inputs) {
    signals_install(NULL);
    size_t done = parallel_run(run, inputs);
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
        print_simulated(run->out, &(struct comparison){&report, 1});
    }
}

// Says which tests differ, where people read.
static void print_summary(struct run *run) {
    const struct options *options = run->options;
    if (run->systems.count > 1 && options->format == FORMAT_TEXT && !options->quiet &&
        run->test_count > 0) {
        print_systems(run);
        fprintf(run->out, "Differences in %zu of %zu %s%s%s\n", run->differing_count,
                run->test_count, run->test_count == 1 ? "test" : "tests",
                run->differing ? ": " : "", run->differing ? run->differing : "");
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
    print_shard(run->out, shard);
}

enum exit_status run_tests(const struct options *options) {
    struct arena *arena = arena_new();
    struct run run = {.options = options, .status = EXIT_DECIDED, .out = stdout, .err = stderr};
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
