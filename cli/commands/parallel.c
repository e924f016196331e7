// Spreads inputs over workers, of which there may be one. An input is a file with all its tests:
// what the tests of a file share is read once.
#include "cli/commands/parallel.h"

#include "check/text/names.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/limits.h"
#include "cli/jobs/memory.h"
#include "cli/jobs/pool.h"
#include "cli/jobs/progress.h"
#include "cli/jobs/signals.h"
#include "cli/print/formats.h"
#include "cli/print/terminal.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct parallel {
    struct run *run;
    struct run own; // a worker's, which begins as a copy
    enum input_fate *fates;
    const struct input_list *inputs;
    struct progress progress;
    size_t untouched; // inputs that were not run, although a worker was given them
};

// What a worker writes for an input that it did not begin with.
static const char untouched_note[] = "-";

static bool is_stdin(const struct input *input) {
    return strcmp(input->path, "-") == 0;
}

// Z3 4.8.12 fills two tables of 8.5 MB when it makes a context.
enum { CONTEXT_BYTES = 18 << 20 };

// --- In a worker -------------------------------------------------------------------------------

static void enter(void *context) {
    struct parallel *parallel = context;
    struct run *run = &parallel->own;
    *run = *parallel->run;
    run->has_table = true; // its head is the parent's
    run->take = NULL;
    if (run->options->check.solver.engine == ENGINE_Z3 || run->options->check.solver.both_engines)
        memory_use_large_pages(CONTEXT_BYTES);
    run->solver = solver_new();
    signals_aim(run->solver);
}

static void leave(void *context) {
    const struct run *run = &((struct parallel *)context)->own;
    signals_forget();
    solver_free(run->solver);
}

static void work(void *context, size_t job, size_t part, const struct worker_streams *streams) {
    struct parallel *parallel = context;
    struct run *run = &parallel->own;
    run->out = streams->out; // the parent sees to characters
    run->err = streams->err;
    run->status = EXIT_DECIDED;
    run->test_count = run->differing_count = 0;
    if (signals_interrupted()) {
        fputs(untouched_note, streams->note);
        return;
    }
    if (run->instead) {
        run_begin_limits(run);
        run->instead(run);
        limits_end();
    } else {
        run_input(run, &parallel->inputs->items[job], part);
    }
    run_write_note(run, streams->note);
    free(run->differing);
    run->differing = NULL;
}

// --- In the parent -----------------------------------------------------------------------------

static bool is_alone(void *context, size_t job) {
    return is_stdin(&((struct parallel *)context)->inputs->items[job]);
}

static bool is_stopped(void *context) {
    return ((struct parallel *)context)->run->output_failed || signals_interrupted();
}

static void print(void *context, size_t job, const struct worker_text *text) {
    (void)job;
    struct parallel *parallel = context;
    if (parallel->run->output_failed)
        return;
    progress_clear(&parallel->progress);
    fwrite(text->err, 1, text->err_size, parallel->run->err);
    if (text->out_size > 0) {
        run_print_head(parallel->run);
        signals_set_stage(STAGE_WRITING);
        fwrite(text->out, 1, text->out_size, parallel->run->out);
        run_flush(parallel->run);
        signals_set_stage(STAGE_RUNNING);
    }
}

static void done(void *context, size_t job, const char *note, size_t size) {
    struct parallel *parallel = context;
    if (size == strlen(untouched_note) && memcmp(note, untouched_note, size) == 0) {
        parallel->untouched++;
        return;
    }
    parallel->fates[job] = INPUT_RUN;
    if (!run_add_note(parallel->run, note, size))
        bug("a worker did not say which input it had");
}

static bool is_over(void *context) {
    return ((struct parallel *)context)->run->is_over;
}

struct loss parallel_loss(struct arena *arena, const struct run *run, enum limit limit,
                          const char *why) {
    const struct options *options = run->options;
    const char *when = options->emit_ptx || run->instead ? "" : " before the test was read";
    if (limit == LIMIT_TIME) {
        return (struct loss){EXIT_UNDECIDED, "undecided",
                             arena_format(arena, "the time limit of %g s was reached%s",
                                          options->check.solver.timeout_seconds, when)};
    }
    if (limit == LIMIT_MEMORY && options->check.solver.memory_mb > 0) {
        return (struct loss){EXIT_UNDECIDED, "undecided",
                             arena_format(arena, "the memory limit of %zu MB was reached%s",
                                          options->check.solver.memory_mb, when)};
    }
    if (limit == LIMIT_INTERRUPT)
        return (struct loss){EXIT_UNDECIDED, "undecided", "interrupted"};
    if (limit == LIMIT_MEMORY)
        return (struct loss){EXIT_INTERNAL, "error", "out of memory"};
    return (struct loss){EXIT_INTERNAL, "error", arena_format(arena, "internal error: %s", why)};
}

// An interrupt that ends an input before its first test is run has left it out.
static void failed(void *context, size_t job, enum limit limit, const char *why) {
    struct parallel *parallel = context;
    struct run *run = parallel->run;
    if (limit == LIMIT_INTERRUPT) {
        parallel->untouched++;
        return;
    }
    struct arena *arena = arena_new();
    const char *path = parallel->inputs->items[job].path;
    struct loss loss = parallel_loss(arena, run, limit, why);
    progress_clear(&parallel->progress);
    fprintf(run->err, "%s: %s: %s\n", escaped(arena, path), loss.word, loss.message);
    const struct format *format = format_of(run->options);
    if (run->options->suite.asked) {
        run_print_input(run, arena, path, parallel->inputs->items[job].index,
                        loss.status == EXIT_UNDECIDED ? SUITE_UNDECIDED : SUITE_INTERNAL, 1,
                        loss.message);
    } else if (format->error) {
        struct diagnostic diagnostic = {.path = path, .message = loss.message};
        if (run->options->print.is_advice) {
            diagnostic.severity = SEVERITY_NOTE;
            diagnostic.message = arena_format(arena, "kernel '%s': %s: %s",
                                              run->options->launch.kernel, loss.word, loss.message);
        }
        format->error(run->out, arena, &diagnostic, parallel->inputs->items[job].index);
    }
    parallel->fates[job] = loss.status == EXIT_UNDECIDED ? INPUT_UNREAD : INPUT_RUN;
    run_add_status(run, loss.status);
    run_flush(run);
    arena_free(arena);
}

static void broken(void *context, const char *err, const char *why) {
    struct parallel *parallel = context;
    fputs(err, parallel->run->err);
    fprintf(parallel->run->err, "ptxlitmus: internal error: %s\n", why);
    run_add_status(parallel->run, EXIT_INTERNAL);
}

static void tick(void *context, size_t finished, const size_t *running, size_t running_count) {
    struct parallel *parallel = context;
    if (!parallel->progress.is_on)
        return;
    struct arena *arena = arena_new();
    const char **names = ARENA_ARRAY(arena, const char *, running_count);
    for (size_t i = 0; i < running_count; i++) {
        const char *path = parallel->inputs->items[running[i]].path;
        const char *slash = strrchr(path, '/');
        const char *name = escaped(arena, slash ? slash + 1 : path);
        names[i] = parallel->run->err == stderr ? name : ascii_text(arena, name);
    }
    progress_draw(&parallel->progress, finished, parallel->inputs->count, names, running_count);
    arena_free(arena);
}

// Whether a line on the terminal would be seen, and would not disturb a user who types a test.
static bool shows_progress(const struct options *options, const struct input_list *inputs) {
    if (options->print.quiet || !progress_is_seen())
        return false;
    bool typed = false;
    for (size_t i = 0; i < inputs->count; i++)
        typed |= is_stdin(&inputs->items[i]);
    return !typed || !isatty(STDIN_FILENO);
}

// Inputs that were left out have a line among results that are data: nothing is said of them by
// silence.
static void print_left_out(const struct parallel *parallel, size_t count) {
    struct run *run = parallel->run;
    struct arena *arena = arena_new();
    if (count > 0 && signals_interrupted() && (!run->instead || run->options->change.what)) {
        fprintf(run->err, "ptxlitmus: interrupted: %zu of %zu tests were not run\n", count,
                parallel->inputs->count);
    }
    const char *why = signals_interrupted() ? "interrupted" : SUITE_AFTER_FAILURE;
    bool is_printed = format_of(run->options)->input != NULL;
    for (size_t i = 0; is_printed && !run->output_failed && i < parallel->inputs->count; i++) {
        const struct input *input = &parallel->inputs->items[i];
        if (parallel->fates[i] == INPUT_NOT_RUN)
            run_print_input(run, arena, input->path, input->index, SUITE_NOT_RUN, 1, why);
    }
    arena_free(arena);
}

size_t parallel_run(struct run *run, const struct input_list *inputs) {
    struct arena *arena = arena_new();
    struct parallel parallel = {.run = run, .inputs = inputs, .fates = run->fates};
    if (!parallel.fates)
        parallel.fates = ARENA_ARRAY(arena, enum input_fate, inputs->count + 1);
    const struct pool_jobs jobs = {
        .task = {.context = &parallel, .enter = enter, .leave = leave, .work = work},
        .count = inputs->count,
        .is_alone = is_alone,
        .is_stopped = is_stopped,
        .is_over = is_over,
        .print = print,
        .done = done,
        .failed = failed,
        .broken = broken,
        .tick = tick,
    };
    size_t workers = run->options->jobs > 0 ? run->options->jobs : pool_processors();
    progress_start(&parallel.progress, shows_progress(run->options, inputs));
    size_t started = pool_run(&jobs, workers < inputs->count ? workers : inputs->count);
    progress_clear(&parallel.progress);
    assert(started <= inputs->count);
    run->is_over = false;
    size_t done = started - parallel.untouched;
    print_left_out(&parallel, inputs->count - done);
    run_flush(run);
    arena_free(arena);
    return done;
}

enum exit_status parallel_run_alone(const struct options *options, const char *command,
                                    void (*instead)(struct run *run)) {
    struct run run = {.options = options,
                      .status = EXIT_DECIDED,
                      .out = stdout,
                      .err = stderr,
                      .instead = instead};
    struct input input = {.path = command, .index = 1};
    parallel_run(&run, &(struct input_list){.items = &input, .count = 1, .file_count = 1});
    if (signals_interrupted()) {
        fprintf(run.err, "ptxlitmus: interrupted: '%s' is not complete\n", command);
        run_add_status(&run, EXIT_UNDECIDED);
    }
    run_flush(&run);
    return run.status;
}
