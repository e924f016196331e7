// Spreads inputs over workers. An input is a file with all its tests: what the tests of a file
// share is read once.
#include "cli/parallel.h"

#include "cli/names.h"
#include "cli/pool.h"
#include "cli/progress.h"
#include "cli/run_internal.h"
#include "cli/signals.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct parallel {
    struct run *run;
    const struct input_list *inputs;
    struct progress progress;
    size_t untouched; // inputs that a worker was given, but did not begin with
};

// What a worker tells of an input besides its output; the names of the tests that differ follow.
struct note {
    enum exit_status status;
    size_t test_count, differing_count;
    bool is_untouched;
};

static bool is_stdin(const struct input *input) {
    return strcmp(input->path, "-") == 0;
}

// --- In a worker -------------------------------------------------------------------------------

static void enter(void *context) {
    struct run *run = ((struct parallel *)context)->run;
    run->has_table = true; // its head is the parent's
    run->solver = solver_new();
    signals_aim(run->solver);
}

static void leave(void *context) {
    struct run *run = ((struct parallel *)context)->run;
    signals_forget();
    solver_free(run->solver);
}

static void work(void *context, size_t job, FILE *out) {
    struct parallel *parallel = context;
    struct run *run = parallel->run;
    run->status = EXIT_DECIDED;
    run->test_count = run->differing_count = 0;
    struct note note = {.is_untouched = signals_interrupted()};
    if (!note.is_untouched) {
        run_input(run, &parallel->inputs->items[job]);
    }
    note.status = run->status;
    note.test_count = run->test_count;
    note.differing_count = run->differing_count;
    fwrite(&note, sizeof note, 1, out);
    fputs(run->differing ? run->differing : "", out);
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
    if (parallel->run->output_failed) {
        return;
    }
    progress_clear(&parallel->progress);
    fwrite(text->err, 1, text->err_size, stderr);
    if (text->out_size > 0) {
        run_print_head(parallel->run);
        fwrite(text->out, 1, text->out_size, stdout);
        run_flush(parallel->run);
    }
}

static void done(void *context, size_t job, const char *text, size_t size) {
    (void)job;
    struct parallel *parallel = context;
    struct note note;
    if (size < sizeof note) {
        bug("a worker told nothing of its input");
    }
    memcpy(&note, text, sizeof note);
    run_add_status(parallel->run, note.status);
    parallel->run->test_count += note.test_count;
    parallel->untouched += note.is_untouched;
    if (note.differing_count > 0) {
        run_note_differences(parallel->run, text + sizeof note, note.differing_count);
    }
}

static void failed(void *context, size_t job, const char *why) {
    struct parallel *parallel = context;
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    diag_error_path(&diagnostics, parallel->inputs->items[job].path, "internal error: %s", why);
    progress_clear(&parallel->progress);
    parallel->run->index = parallel->inputs->items[job].index;
    run_print_diagnostics(parallel->run, arena, &diagnostics);
    run_add_status(parallel->run, EXIT_INTERNAL);
    run_flush(parallel->run);
    arena_free(arena);
}

static void tick(void *context, size_t finished, const size_t *running, size_t running_count) {
    struct parallel *parallel = context;
    if (!parallel->progress.is_on) {
        return;
    }
    struct arena *arena = arena_new();
    const char **names = ARENA_ARRAY(arena, const char *, running_count);
    for (size_t i = 0; i < running_count; i++) {
        const char *path = parallel->inputs->items[running[i]].path;
        const char *slash = strrchr(path, '/');
        names[i] = escaped(arena, slash ? slash + 1 : path);
    }
    progress_draw(&parallel->progress, finished, parallel->inputs->count, names, running_count);
    arena_free(arena);
}

// Whether a line on the terminal would be seen, and would disturb nobody who types a test.
static bool shows_progress(const struct options *options, const struct input_list *inputs) {
    if (options->quiet || !progress_is_seen()) {
        return false;
    }
    bool typed = false;
    for (size_t i = 0; i < inputs->count; i++) {
        typed |= is_stdin(&inputs->items[i]);
    }
    return !typed || !isatty(STDIN_FILENO);
}

bool parallel_is_needed(const struct options *options, const struct input_list *inputs) {
    return (options->jobs != 1 && inputs->count > 1) || shows_progress(options, inputs);
}

size_t parallel_run(struct run *run, const struct input_list *inputs) {
    struct parallel parallel = {.run = run, .inputs = inputs};
    const struct pool_jobs jobs = {
        .task = {.context = &parallel, .enter = enter, .leave = leave, .work = work},
        .count = inputs->count,
        .is_alone = is_alone,
        .is_stopped = is_stopped,
        .print = print,
        .done = done,
        .failed = failed,
        .tick = tick,
    };
    size_t workers = run->options->jobs > 0 ? run->options->jobs : pool_processors();
    progress_start(&parallel.progress, shows_progress(run->options, inputs));
    size_t started = pool_run(&jobs, workers < inputs->count ? workers : inputs->count);
    progress_clear(&parallel.progress);
    return started - parallel.untouched;
}
