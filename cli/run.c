// Takes each test through the rooms: source, test, program, outcomes, print.
#include "cli/run.h"

#include "cli/files.h"
#include "cli/names.h"
#include "cli/print.h"
#include "cli/readings.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/model.h"

#include <errno.h>
#include <string.h>
#include <time.h>

struct run {
    const struct options *options;
    struct readings readings;
    struct solver *solver;
    enum exit_status status;
    bool output_failed; // the standard output is gone: nothing more is run
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void add_status(struct run *run, enum exit_status status) {
    run->status = exit_status_worse(run->status, status);
}

// Hands what was printed on. A reader that went away (`| head`) is told by silence; any other
// failure is reported.
static void flush_output(struct run *run) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return;
    }
    if (!run->output_failed && errno != EPIPE) {
        fprintf(stderr, "ptxlitmus: error: cannot write the output: %s\n",
                errno ? strerror(errno) : "write error");
    }
    run->output_failed = true;
    add_status(run, EXIT_INTERNAL);
}

// Prints messages about one input, and in JSON an object for each error.
static void print_diagnostics(struct run *run, struct arena *arena,
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
            print_json_error(stdout, arena, diagnostic);
        }
    }
    if (diagnostics->error_count > errors) {
        fprintf(stderr, "%s: %zu more errors are not shown\n",
                escaped(arena, diagnostics->items[0].path), diagnostics->error_count - errors);
    }
    if (diag_has_errors(diagnostics)) {
        add_status(run, EXIT_BAD_INPUT);
    }
}

// The messages of a result: a failed expectation, an undecided verdict, statistics.
static void print_remarks(const struct run *run, struct arena *arena, const struct report *report) {
    const char *path = escaped(arena, report->path);
    const char *failure = report_failure(arena, report);
    const struct test *test = report->program->test;
    if (failure && test->expectation != EXPECT_NONE && test->expectation_span.source) {
        struct position at =
            source_position(test->expectation_span.source, test->expectation_span.begin);
        fprintf(stderr, "%s:%u:%u: failed: %s\n", path, at.line, at.column, failure);
    } else if (failure) {
        fprintf(stderr, "%s: failed: %s\n", path, failure);
    } else if (report->outcomes->verdict == VERDICT_UNKNOWN) {
        fprintf(stderr, "%s: undecided: %s\n", path, report_reason(arena, report));
    }
    if (run->options->stats && run->options->format != FORMAT_JSON) {
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
        flush_output(run);
    }
    print_remarks(run, arena, report);
    add_status(run, report_status(report));
}

// Everything about one test lives in `arena`.
static void run_file(struct run *run, struct arena *arena, const char *path) {
    const struct options *options = run->options;
    double start = now();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_read(arena, path, &diagnostics);
    struct test *test = source ? test_read(arena, source, options->syntax, &diagnostics) : NULL;
    struct program *program =
        test ? program_build(arena, test, &options->program, &diagnostics) : NULL;
    struct outcomes *outcomes = NULL;
    if (program && !signals_interrupted()) {
        outcomes = solver_run(run->solver, arena, program, run->readings.model, &options->solver,
                              &diagnostics);
    }
    if (outcomes) {
        readings_compare(&run->readings, options, run->solver, arena, program, outcomes);
    }
    print_diagnostics(run, arena, &diagnostics);
    if (outcomes) {
        struct report report = {
            .path = path,
            .model = run->readings.model->name,
            .options = options,
            .program = program,
            .outcomes = outcomes,
            .seconds = now() - start,
        };
        print_report(run, arena, &report);
    } else if (!diag_has_errors(&diagnostics) && !signals_interrupted()) {
        bug("%s: no result and no error", path);
    }
}

static void run_input(struct run *run, const struct input *input) {
    struct arena *arena = arena_new();
    if (input->error) {
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics, arena);
        diag_error_path(&diagnostics, input->path, "%s", input->error);
        print_diagnostics(run, arena, &diagnostics);
    } else {
        run_file(run, arena, input->path);
    }
    flush_output(run);
    arena_free(arena);
}

static void run_inputs(struct run *run, const struct input_list *inputs) {
    size_t done = 0;
    while (done < inputs->count && !run->output_failed && !signals_interrupted()) {
        run_input(run, &inputs->items[done]);
        done++;
    }
    if (signals_interrupted()) {
        add_status(run, EXIT_UNDECIDED);
        if (done < inputs->count) {
            fprintf(stderr, "ptxlitmus: interrupted: %zu of %zu tests were not run\n",
                    inputs->count - done, inputs->count);
        }
    }
}

enum exit_status run_tests(const struct options *options) {
    struct arena *arena = arena_new();
    struct run run = {.options = options, .status = EXIT_DECIDED};
    struct diagnostics diagnostics;
    struct input_list inputs;
    diagnostics_init(&diagnostics, arena);
    files_collect(arena, options->inputs, options->input_count, &inputs);
    if (options->solver.dump_smt2 && inputs.file_count > 1) {
        fprintf(stderr,
                "ptxlitmus: error: '--dump-smt2' writes the query of one test, but there are %zu\n",
                inputs.file_count);
        arena_free(arena);
        return EXIT_BAD_INPUT;
    }
    run.readings = readings_load(arena, options, &diagnostics);
    print_diagnostics(&run, arena, &diagnostics);
    if (run.readings.model) {
        run.solver = solver_new();
        signals_install(run.solver);
        run_inputs(&run, &inputs);
        signals_forget();
        solver_free(run.solver);
    }
    flush_output(&run);
    arena_free(arena);
    return run.status;
}
