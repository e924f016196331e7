// The command that runs tests: all inputs, and the summary at the end.
#include "cli/commands/commands.h"

#include "check/report/report.h"
#include "cli/commands/merge.h"
#include "cli/commands/parallel.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/signals.h"
#include "cli/print/comparison.h"
#include "cli/print/formats.h"
#include "cli/print/terminal.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <stdlib.h>

// Under a table of verdicts: which of its columns are not real machines.
static void print_systems(const struct run *run) {
    for (size_t i = 0; run->options->check.solver.verdict_only && i < run->systems.count; i++) {
        const struct report report = {.target = run->systems.items[i].target};
        print_simulated(run->out, &(struct comparison){&report, 1});
    }
}

// Says which tests differ, where people read.
static void print_summary(struct run *run) {
    const struct options *options = run->options;
    if (run->systems.count > 1 && format_of(options)->several == SEVERAL_TABLE &&
        !options->print.quiet && run->test_count > 0) {
        print_systems(run);
        fprintf(run->out, "Differences in %zu of %zu %s%s%s\n", run->differing_count,
                run->test_count, run->test_count == 1 ? "test" : "tests",
                run->differing ? ": " : "", run->differing ? run->differing : "");
    }
}

// The last line of a shard's results, by which they are joined.
static void end_shard(struct run *run, struct shard *shard, bool is_whole) {
    if (run->options->shard_count == 0 || !format_of(run->options)->is_data)
        return;
    shard->is_complete = is_whole && !run->options->print.quiet;
    shard->status = run->status;
    print_shard(run->out, shard);
}

static enum exit_status run_all(const struct options *options, FILE *out, FILE *err) {
    struct arena *arena = arena_new();
    struct run run = {.options = options, .status = EXIT_DECIDED, .out = out, .err = err};
    struct input_list inputs;
    files_collect(arena, options->inputs, options->input_count, &inputs);
    struct shard shard = shard_take(options, &inputs);
    if (options_writes_one(options) && inputs.file_count > 1) {
        fprintf(run.err, "ptxlitmus: error: %s, but there are %zu\n", options_writes_one(options),
                inputs.file_count);
        arena_free(arena);
        return EXIT_BAD_INPUT;
    }
    run.is_alone = inputs.count == 1 && options->shard_count == 0;
    bool loaded = run_load_systems(&run, arena);
    if (loaded) {
        shard.not_run = inputs.count - parallel_run(&run, &inputs);
        if (signals_interrupted())
            run_add_status(&run, EXIT_UNDECIDED);
        print_summary(&run);
    }
    end_shard(&run, &shard, loaded && !signals_interrupted() && !run.output_failed);
    run_flush(&run);
    free(run.differing);
    arena_free(arena);
    return run.status;
}

// Reports for code scanning, when all is known.
static enum exit_status run_for_sarif(const struct options *options) {
    struct arena *arena = arena_new();
    struct suite suite;
    struct record record;
    struct arena_text text;
    enum exit_status status = run_all(options, arena_text_begin(&text), stderr);
    const char *bytes = arena_text_end(arena, &text);
    suite_begin(&suite, arena);
    for (size_t at = 0, taken; at < text.size; at += taken) {
        taken = record_read(arena, bytes + at, text.size - at, &record);
        if (taken == 0)
            bug("a result is not a whole record");
        suite_take(&suite, &record);
    }
    suite_print_sarif(stdout, &suite, status);
    arena_free(arena);
    return status;
}

// Data are UTF-8 wherever they go.
enum exit_status run_tests(const struct options *options) {
    if (options->print.is_sarif)
        return run_for_sarif(options);
    struct streams streams = streams_open(format_of(options)->is_data || options->explain.is_drawn);
    enum exit_status status = run_all(options, streams.out, streams.err);
    streams_close(streams);
    return status;
}
