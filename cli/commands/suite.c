// Runs a suite: its tests as any run does, whose records are what the reports are made of.
#include "cli/commands/commands.h"

#include "check/text/names.h"
#include "cli/commands/merge.h"
#include "cli/commands/parallel.h"
#include "cli/commands/reading.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/signals.h"
#include "cli/print/runner.h"
#include "cli/print/terminal.h"
#include "cli/suite/manifest.h"
#include "cli/suite/suite.h"
#include "cli/suite/update.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// A suite while it runs.
struct suite_run {
    struct run run;
    struct suite suite;
    char *text; // records that the run has written
    size_t size, taken;
    size_t shown; // items that were printed
    FILE *out;
    enum exit_status status; // what the items do not say
};

// --- Results -----------------------------------------------------------------------------------

// People see what failed at once; other formats need the whole.
static void show_items(struct suite_run *running) {
    enum suite_format format = running->run.options->suite.format;
    if (format == SUITE_TEXT || format == SUITE_GITHUB) {
        suite_print_items(running->out, &running->suite, running->shown, format == SUITE_GITHUB);
        fflush(running->out);
    }
    running->shown = running->suite.count;
}

// Takes the records that the run has written since the last time. An input's errors are one item,
// which is complete with the next one, or at the end.
static void take(void *context) {
    struct suite_run *running = context;
    while (running->taken < running->size) {
        struct record record;
        size_t size = record_read(running->suite.arena, running->text + running->taken,
                                  running->size - running->taken, &record);
        if (size == 0)
            bug("a result of a suite is not a whole record");
        suite_take(&running->suite, &record);
        running->taken += size;
    }
    show_items(running);
    running->run.is_over =
        running->run.options->suite.fail_fast && suite_status(&running->suite) != EXIT_DECIDED;
}

// --- Inputs ------------------------------------------------------------------------------------

// The inputs of the options; false after messages about manifests.
static bool collect(struct suite_run *running, struct input_list *list) {
    const struct options *options = running->run.options;
    struct arena *arena = running->suite.arena;
    bool good = true;
    for (size_t i = 0; i < options->input_count; i++) {
        const char *path = options->inputs[i];
        if (manifest_is_named(path)) {
            struct diagnostics diagnostics;
            diagnostics_init(&diagnostics, arena);
            good = manifest_collect(arena, path, &diagnostics, list) && good;
            run_print_diagnostics(&running->run, arena, &diagnostics);
            continue;
        }
        struct input_list found;
        files_collect_compiled(arena, &path, 1, &found);
        for (size_t j = 0; j < found.count; j++)
            files_add(arena, list, &found.items[j]);
    }
    return good;
}

// --- Running -----------------------------------------------------------------------------------

static void worsen(struct suite_run *running, enum exit_status status) {
    running->status = exit_status_worse(running->status, status);
}

static bool run_tests_of(struct suite_run *running, struct shard *shard) {
    struct input_list inputs = {0};
    struct run *run = &running->run;
    run->take = take;
    run->take_context = running;
    bool good = collect(running, &inputs) && run_load_systems(run, running->suite.arena);
    if (good) {
        *shard = shard_take(run->options, &inputs);
        parallel_run(run, &inputs);
        if (signals_interrupted())
            worsen(running, EXIT_UNDECIDED);
        shard->not_run = running->suite.counts[SUITE_NOT_RUN];
    }
    if (run->status == EXIT_BAD_INPUT)
        worsen(running, EXIT_BAD_INPUT);
    else if (run->status == EXIT_INTERNAL)
        worsen(running, EXIT_INTERNAL);
    return good;
}

// Prints the names of an input's tests.
static void list_input(struct suite_run *running, const struct input *input) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    struct test_list tests = {0};
    diagnostics_init(&diagnostics, arena);
    if (input->error)
        diag_error_path(&diagnostics, input->path, "%s", input->error);
    else
        reading_tests(&running->run, arena, input, &diagnostics, &tests);
    run_print_diagnostics(&running->run, arena, &diagnostics);
    for (size_t i = 0; i < tests.count; i++) {
        fprintf(running->out, "%s#%s\n", escaped(arena, input->path),
                escaped(arena, tests.items[i]->name));
    }
    arena_free(arena);
}

static void list_tests(struct suite_run *running) {
    struct input_list inputs = {0};
    collect(running, &inputs);
    for (size_t i = 0; i < inputs.count && !signals_interrupted(); i++)
        list_input(running, &inputs.items[i]);
    worsen(running, running->run.status);
}

// Reads the lines of --results; false after a message.
static bool read_results(struct suite_run *running) {
    struct arena *arena = running->suite.arena;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct source *source =
        source_read(arena, running->run.options->suite.results, &diagnostics);
    bool any = false;
    for (uint32_t i = 0; source && i < source->line_count && !diag_has_errors(&diagnostics); i++) {
        uint32_t begin = source->line_starts[i];
        uint32_t end = i + 1 < source->line_count ? source->line_starts[i + 1] : source->size;
        if (strspn(source->text + begin, " \t\r\n") >= end - begin)
            continue;
        any = true;
        const char *error = suite_take_line(&running->suite, source->text + begin, end - begin);
        if (error)
            diag_error_path(&diagnostics, source->path, "line %u: %s", i + 1, error);
    }
    if (source && !any && !diag_has_errors(&diagnostics))
        diag_error_path(&diagnostics, source->path, "there are no results in this file");
    run_print_diagnostics(&running->run, arena, &diagnostics);
    if (diag_has_errors(&diagnostics)) {
        worsen(running, EXIT_BAD_INPUT);
        return false;
    }
    show_items(running);
    return true;
}

// --- Reports -----------------------------------------------------------------------------------

static void fail_output(struct suite_run *running, const char *what, const char *error) {
    fprintf(running->run.err, "ptxlitmus: error: cannot write %s: %s\n",
            escaped(running->suite.arena, what), error);
    worsen(running, EXIT_INTERNAL);
}

static void write_report(struct suite_run *running, const struct suite_report *report) {
    struct arena *arena = running->suite.arena;
    struct arena_text text;
    suite_print(arena_text_begin(&text), &running->suite, report->format);
    const char *bytes = arena_text_end(arena, &text);
    const char *error = replace_file(arena, report->path, bytes, text.size);
    if (error)
        fail_output(running, report->path, error);
}

// A suite of which nothing was run would be an empty success.
static void refuse_empty(struct suite_run *running) {
    const struct suite *suite = &running->suite;
    size_t run = 0;
    for (int i = 0; i < SUITE_RESULT_COUNT; i++)
        run += i == SUITE_LEFT_OUT ? 0 : suite->counts[i];
    if (run == 0 && running->run.options->shard_count == 0) {
        fprintf(running->run.err, "ptxlitmus: error: '--filter' leaves out all %zu tests\n",
                suite->counts[SUITE_LEFT_OUT]);
        worsen(running, EXIT_BAD_INPUT);
    }
}

static void update(struct suite_run *running) {
    struct arena_text printed;
    if (!suite_update(&running->suite, arena_text_begin(&printed), running->run.err))
        worsen(running, EXIT_INTERNAL);
    const char *text = arena_text_end(running->suite.arena, &printed);
    if (running->run.options->suite.format == SUITE_GITHUB)
        runner_print(running->out, text);
    else
        fputs(text, running->out);
}

static void print_reports(struct suite_run *running, struct shard *shard) {
    const struct suite_options *options = &running->run.options->suite;
    const struct suite *suite = &running->suite;
    if (options->update)
        update(running);
    if (options->format == SUITE_TEXT || options->format == SUITE_GITHUB)
        fprintf(running->out, "%s\n", suite_summary(suite->arena, suite));
    else
        suite_print(running->out, suite, options->format);
    for (size_t i = 0; i < options->report_count; i++)
        write_report(running, &options->reports[i]);
    if (shard->count > 0) {
        shard->is_complete = !signals_interrupted() && !running->run.output_failed;
        shard->status = exit_status_worse(running->status, suite_status(suite));
        print_shard(running->out, shard);
    }
}

static enum exit_status run_whole(const struct options *options, FILE *out, FILE *err) {
    struct arena *arena = arena_new();
    struct suite_run running = {.run = {.options = options, .status = EXIT_DECIDED, .err = err},
                                .out = out};
    struct shard shard = {0};
    suite_begin(&running.suite, arena);
    running.run.out = text_open(&running.text, &running.size);
    if (options->suite.lists)
        list_tests(&running);
    else if (options->suite.results ? read_results(&running) : run_tests_of(&running, &shard)) {
        refuse_empty(&running);
        print_reports(&running, &shard);
    }
    errno = 0;
    if (fflush(out) != 0 || ferror(out)) {
        out_of_memory_if(errno);
        fail_output(&running, "the output", errno ? strerror(errno) : "write error");
    }
    enum exit_status status = exit_status_worse(running.status, suite_status(&running.suite));
    text_close(running.run.out);
    free(running.text);
    arena_free(arena);
    return status;
}

enum exit_status run_suite(const struct options *options) {
    enum suite_format format = options->suite.format;
    struct streams streams = streams_open(format != SUITE_TEXT && format != SUITE_GITHUB);
    FILE *messages = format == SUITE_GITHUB ? runner_stream(streams.err) : streams.err;
    enum exit_status status = run_whole(options, streams.out, messages);
    if (messages != streams.err)
        fclose(messages);
    streams_close(streams);
    return status;
}
