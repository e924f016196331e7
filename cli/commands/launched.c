// When a test is run, and what the run answers.
#include "cli/commands/launched.h"

#include "check/launched.h"
#include "check/report/report.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/signals.h"
#include "cli/report/added.h"
#include "litmus/columns.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/backend/watchdog.h"

enum { INSTRUCTIONS_MAX = 1000000000 };

// When the run at hand gives up, in milliseconds of watchdog_now_ms's clock.
static double last_moment;

static bool is_late(void) {
    return signals_interrupted() || watchdog_now_ms() > last_moment;
}

const struct launch_result *launched_try(const struct run *run, struct arena *arena,
                                         const struct test *test, double most_seconds) {
    const struct options *options = run->options;
    const struct launch_limits limits = {INSTRUCTIONS_MAX, is_late};
    if (options->method == METHOD_SEARCH || !launched_may_answer(&run->systems, &options->check) ||
        test->promise.progress != PROGRESS_OFF)
        return NULL;
    double parts = options->method == METHOD_RUN ? 1 : 2; // nothing comes after it, or a search
    double seconds = options->check.solver.timeout_seconds / parts;
    seconds = seconds > 0 && seconds < most_seconds ? seconds : most_seconds;
    last_moment = watchdog_now_ms() + 1e3 * seconds;
    struct launch_result *launched = ARENA_NEW(arena, struct launch_result);
    *launched = launch_run(arena, test, &options->check.program, &limits);
    launched->is_by_place &= options->check.readings.async_place == READING_BOTH;
    return launched;
}

struct launch_maps launched_find_maps(const struct run *run, struct arena *arena,
                                      const struct test *test, double seconds,
                                      const struct launch_maps *known) {
    const struct launch_limits limits = {INSTRUCTIONS_MAX, is_late};
    last_moment = watchdog_now_ms() + 1e3 * seconds;
    return launch_find_maps(arena, test, &run->options->check.program, &limits, known);
}

size_t launched_count_effects(const struct test *test) {
    size_t count = 0;
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            count += (opcode_effects(test->threads[t].instructions[i].opcode) &
                      (EFFECT_READS | EFFECT_WRITES | EFFECT_ORDERS)) != 0;
    return count;
}

bool launched_is_too_large(const struct test *test) {
    enum { SEARCHED_THREADS = 32, SEARCHED_EFFECTS = 600 };
    return test->thread_count > SEARCHED_THREADS && launched_count_effects(test) > SEARCHED_EFFECTS;
}

// Whether a search refuses a launch whatever its size: tensor memory that kernels allocate has no
// variable there.
static bool is_run_alone(const struct test *test) {
    return test->thread_count > 0 && test->threads[0].launch && columns_are_allocated(test);
}

bool launched_decides(const struct run *run, const struct test *test,
                      const struct launch_result *launched) {
    switch (run->options->method) {
    case METHOD_RUN_FIRST:
        return launched && (is_run_alone(test) || launched->answer == LAUNCH_IS_FREE ||
                            (launched->answer == LAUNCH_IS_FAULTY &&
                             (run->derived.is_shown || launched_is_too_large(test))));
    case METHOD_RUN: return launched != NULL;
    default: return false;
    }
}

const struct launch_result *launched_met(const struct run *run, const struct test *test,
                                         const struct launch_result *launched) {
    bool is_fault = launched && launched->answer == LAUNCH_IS_FAULTY && run->systems.count == 1;
    bool is_first = run->options->method == METHOD_RUN_FIRST;
    return is_fault && (is_first || launched->test != test) ? launched : NULL;
}

struct report launched_report(struct run *run, struct arena *arena, const char *path,
                              const struct launch_result *launched) {
    const struct test *test = launched->test;
    struct program *program = ARENA_NEW(arena, struct program);
    *program = (struct program){.test = test,
                                .arena = arena,
                                .assumptions = test->assumptions,
                                .assumption_count = test->assumption_count};
    const struct system *system = &run->systems.items[0];
    struct report report = report_of_program(arena, run->options, system, program, path);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    systems_take_test(&run->systems, system, test, &diagnostics);
    report.outcomes = launched_outcomes(arena, program, system->readings.model,
                                        &run->options->check.solver, launched);
    report.added->launched = launched;
    if (run->derived.relies)
        report_rely(arena, &report, run->derived.relies);
    report.index = run->index;
    report.seconds = watchdog_now_ms() / 1e3 - run->begun;
    return report;
}

void launched_compare(struct run *run, struct arena *arena, const struct report *searched,
                      const struct launch_result *launched) {
    enum truth clean = searched->outcomes ? report_is_clean(searched) : TRUTH_UNKNOWN;
    bool has_missed = clean == TRUTH_YES && launched->answer == LAUNCH_IS_FAULTY &&
                      launched->test == searched->program->test;
    if (!has_missed && !(clean == TRUTH_NO && launched->answer == LAUNCH_IS_FREE))
        return;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    diag_error_path(&diagnostics, searched->path,
                    "%s: a run of it says that it is %s, and a search that it is not",
                    searched->program->test->name,
                    launched->answer == LAUNCH_IS_FREE ? "free" : "not free");
    run_print_diagnostics(run, arena, &diagnostics);
}
