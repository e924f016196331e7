// Changes the text of a .cu file, and checks what becomes of it.
#include "cli/commands/source_fix.h"

#include "cli/commands/kernel.h"
#include "cli/commands/launched.h"
#include "cli/commands/run_internal.h"
#include "cli/commands/source_candidates.h"
#include "cli/print/mending.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <sys/resource.h>

#define RUN_SECONDS 1.0 // of each changed text: wrong ones may go round loops for long

struct source_fixing {
    struct run *run;
    const struct model *model;
    const struct report *report;
    const struct solver_options *limits;
    const struct source *text; // of the file
    double begun;              // of processor_seconds
};

// The time of the processor that this process and its compilers have used: what is found does not
// depend on how busy the machine is.
static double processor_seconds(void) {
    double seconds = 0;
    static const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (size_t i = 0; i < sizeof whose / sizeof *whose; i++) {
        struct rusage used;
        if (getrusage(whose[i], &used) == 0) {
            seconds += (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
        }
    }
    return seconds;
}

static double seconds_left(const struct source_fixing *fixing) {
    return fixing->limits->timeout_seconds - (processor_seconds() - fixing->begun);
}

// What a run says of the launch with blocks as large as the kernel allows.
static enum launch_answer run_whole(struct arena *arena, const struct source_fixing *fixing,
                                    const struct options *options, size_t *threads) {
    struct derived_launch whole = {.integer = fixing->run->derived.integer};
    const struct test *test = kernel_test(arena, options, fixing->text->path, &whole);
    const struct launch_result *launched =
        test ? launched_try(fixing->run, arena, test, RUN_SECONDS) : NULL;
    *threads = test ? test->thread_count : 0;
    return launched ? launched->answer : LAUNCH_IS_OPEN;
}

// Whether a search says that the launch of the report is free.
static bool search(struct arena *arena, const struct source_fixing *fixing,
                   const struct options *options) {
    struct diagnostics ignored;
    struct report changed = *fixing->report;
    struct solver_options limits = *fixing->limits;
    diagnostics_init(&ignored, arena);
    struct test *test = kernel_test(arena, options, fixing->text->path, &fixing->run->derived);
    if (!test || seconds_left(fixing) <= 0)
        return false;
    struct program_options program_options = fixing->run->options->check.program;
    program_options.no_thin_air =
        systems_forbid_thin_air(&fixing->run->systems, &fixing->run->options->check);
    changed.program = program_build(arena, test, &program_options, &ignored);
    limits.timeout_seconds = seconds_left(fixing);
    changed.outcomes = changed.program ? solver_run(fixing->run->solver, arena, changed.program,
                                                    fixing->model, &limits, &ignored)
                                       : NULL;
    return changed.outcomes && report_is_clean(&changed) == TRUTH_YES;
}

// The options with the file that is compiled, which a suite has among other ones.
static struct options options_of(const struct run *run) {
    struct options options = *run->options;
    if (run->compiled.path) {
        options.launch.compiled[0] = run->compiled;
        options.launch.compiled_count = 1;
    }
    return options;
}

// Whether the launch of a changed text has no fault, and how many threads were run for that.
static bool mends(const struct source_fixing *fixing, const struct source_candidate *candidate,
                  size_t *threads) {
    struct arena *arena = arena_new();
    struct options options = options_of(fixing->run);
    const char *text = source_candidate_text(arena, fixing->text, candidate);
    bool mended = false;
    if (kernel_compile_text(arena, &options.launch, fixing->text->path, text)) {
        enum launch_answer answer = run_whole(arena, fixing, &options, threads);
        mended = answer == LAUNCH_IS_FREE;
        if (answer == LAUNCH_IS_OPEN && fixing->run->options->method != METHOD_RUN) {
            *threads = 0;
            mended = search(arena, fixing, &options);
        }
    }
    arena_free(arena);
    return mended;
}

static const struct source_fix *fix_of(struct arena *arena, const struct source *text,
                                       const struct source_candidate *candidate, size_t threads) {
    struct source_fix *fix = ARENA_NEW(arena, struct source_fix);
    *fix = (struct source_fix){.count = candidate->edit_count, .threads = threads};
    for (size_t i = 0; i < candidate->edit_count; i++)
        fix->words[i] = source_edit_text(arena, text, &candidate->edits[i]);
    return fix;
}

const struct source_fix *source_fix_find(struct run *run, struct arena *arena,
                                         const struct model *model, const struct report *report,
                                         const struct source_fault *fault,
                                         const struct solver_options *limits) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    const struct source *text = source_read(arena, report->path, &ignored);
    const struct source_fixing fixing = {run, model, report, limits, text, processor_seconds()};
    if (!text)
        return NULL;
    const struct source_candidates candidates = source_candidates_of(arena, text, fault);
    for (size_t i = 0; i < candidates.count && seconds_left(&fixing) > 0; i++) {
        size_t threads = 0;
        if (mends(&fixing, &candidates.items[i], &threads))
            return fix_of(arena, text, &candidates.items[i], threads);
    }
    return NULL;
}
