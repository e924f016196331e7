// Tries launches of fewer and fewer threads. The one that is taken is decided again, in full.
#include "cli/commands/launch_size.h"

#include "check/report/report.h"
#include "cli/commands/kernel.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/signals.h"
#include "cli/report/added.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

// What became of a launch.
enum launch_trial {
    LAUNCH_GIVEN,     // it is not derived
    LAUNCH_REFUSED,   // it has accesses outside of variables, or too many events
    LAUNCH_UNDECIDED, // in the time that it gets
    LAUNCH_DECIDED,
};

// The seconds of a trial: a part of what the user gives.
static double seconds_of(const struct run *run) {
    enum { SECONDS = 5, PARTS = 8 };
    double given = run->options->check.solver.timeout_seconds / PARTS;
    return given > 0 && given < SECONDS ? given : SECONDS;
}

static enum launch_trial decide(struct run *run, struct arena *arena, struct test *test) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    test_ask_nothing(arena, test);
    const struct system_list systems = systems_of(&run->systems, test);
    struct program_options program_options = run->options->check.program;
    program_options.no_thin_air = systems_forbid_thin_air(&systems, &run->options->check);
    const struct program *program = program_build(arena, test, &program_options, &ignored);
    if (!program) {
        return LAUNCH_REFUSED;
    }
    const struct system *system = &systems.items[0];
    struct solver_options options = run->options->check.solver;
    options.timeout_seconds = seconds_of(run);
    options.dump_smt2 = options.proof = NULL;
    struct report report =
        report_of_program(arena, run->options, system, program, run->options->inputs[0]);
    report.outcomes =
        solver_run(run->solver, arena, program, system->readings.model, &options, &ignored);
    return report.outcomes && report_is_clean(&report) != TRUTH_UNKNOWN ? LAUNCH_DECIDED
                                                                        : LAUNCH_UNDECIDED;
}

// Tries a launch with blocks of this size (0: as is derived first). `*launched` is how it reads,
// owned by `arena`.
static enum launch_trial try_size(struct run *run, struct arena *arena, unsigned size,
                                  const char **launched) {
    struct arena *scratch = arena_new();
    struct options options = *run->options;
    struct diagnostics ignored;
    struct test_list tests = {0};
    enum launch_trial trial = LAUNCH_GIVEN;
    diagnostics_init(&ignored, scratch);
    options.launch.block_size = size;
    *launched = NULL;
    const struct source *source = kernel_source(scratch, &options, false, &ignored, launched);
    if (source && *launched) {
        bool fine = test_read_all(scratch, source, options.check.syntax, &ignored, &tests);
        trial = fine && tests.count == 1 ? decide(run, scratch, tests.items[0]) : LAUNCH_REFUSED;
        *launched = arena_strndup(arena, *launched, strlen(*launched));
    }
    arena_free(scratch);
    return trial;
}

void launch_size_choose(struct run *run) {
    static const unsigned sizes[] = {0, 32, 8, 2, 1};
    if (run->options->launch.block || run->options->launch.threads) {
        return;
    }
    struct arena *arena = arena_new();
    unsigned first = 0; // that is not refused
    bool is_first = true;
    const char *before = "";
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !signals_interrupted(); i++) {
        const char *launched;
        enum launch_trial trial = try_size(run, arena, sizes[i], &launched);
        if (trial == LAUNCH_GIVEN || strcmp(before, launched) == 0) {
            break; // what is given, or required, is not changed
        }
        before = launched;
        if (trial == LAUNCH_UNDECIDED && is_first) {
            first = sizes[i];
            is_first = false;
        }
        if (trial == LAUNCH_DECIDED) {
            first = sizes[i];
            break;
        }
    }
    run->block_size = first;
    arena_free(arena);
}
