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
    LAUNCH_SAME,      // it is the one before
    LAUNCH_REFUSED,   // an access lies outside of every variable, or there are too many events
    LAUNCH_UNDECIDED, // in the time that it gets
    LAUNCH_DECIDED,
};

// A search for a size.
struct launch_sizing {
    struct run *run;
    struct arena *arena;
    const char *before; // the launch that was tried last, in words
    const char *why;    // it was not taken
};

// The seconds of a trial: a part of what the user gives.
static double seconds_of(const struct run *run) {
    enum { SECONDS = 5, PARTS = 8 };
    double given = run->options->check.solver.timeout_seconds / PARTS;
    return given > 0 && given < SECONDS ? given : SECONDS;
}

static enum launch_trial refuse(struct launch_sizing *sizing,
                                const struct diagnostics *diagnostics) {
    sizing->why = diagnostics->count == 0
                      ? "refused"
                      : arena_format(sizing->arena, "refused (%s)", diagnostics->items[0].message);
    return LAUNCH_REFUSED;
}

static enum launch_trial decide(struct launch_sizing *sizing, struct arena *arena,
                                struct test *test, struct diagnostics *diagnostics) {
    struct run *run = sizing->run;
    test_ask_nothing(arena, test);
    const struct system_list systems = systems_of(&run->systems, test);
    const struct system *system = &systems.items[0];
    struct program_options program_options = run->options->check.program;
    program_options.no_thin_air = systems_forbid_thin_air(&systems, &run->options->check);
    const struct program *program = program_build(arena, test, &program_options, diagnostics);
    if (!program) {
        return refuse(sizing, diagnostics);
    }
    struct solver_options options = run->options->check.solver;
    options.timeout_seconds = seconds_of(run);
    options.dump_smt2 = options.proof = NULL;
    struct report report =
        report_of_program(arena, run->options, system, program, run->options->inputs[0]);
    report.outcomes =
        solver_run(run->solver, arena, program, system->readings.model, &options, diagnostics);
    if (report.outcomes && report_is_clean(&report) != TRUTH_UNKNOWN) {
        return LAUNCH_DECIDED;
    }
    sizing->why = arena_format(sizing->arena, "not decided in %g s", options.timeout_seconds);
    return LAUNCH_UNDECIDED;
}

static enum launch_trial try_block(struct launch_sizing *sizing, struct derived_block block) {
    struct arena *scratch = arena_new();
    struct options options = *sizing->run->options;
    struct diagnostics messages;
    struct test_list tests = {0};
    const char *launched = NULL;
    enum launch_trial trial = LAUNCH_GIVEN;
    diagnostics_init(&messages, scratch);
    options.launch.derived = block;
    const struct source *source = kernel_source(scratch, &options, false, &messages, &launched);
    if (source && launched && strcmp(launched, sizing->before) == 0) {
        trial = LAUNCH_SAME;
    } else if (source && launched) {
        sizing->before = arena_strndup(sizing->arena, launched, strlen(launched));
        bool fine = test_read_all(scratch, source, options.check.syntax, &messages, &tests);
        trial = fine && tests.count == 1 ? decide(sizing, scratch, tests.items[0], &messages)
                                         : refuse(sizing, &messages);
    }
    arena_free(scratch);
    return trial;
}

struct derived_block launch_size_choose(struct run *run, struct arena *arena) {
    static const unsigned sizes[] = {0, 32, 8, 2, 1};
    struct launch_sizing sizing = {run, arena, "", NULL};
    struct derived_block first = {0}; // that is not refused
    bool is_refused = true;
    if (run->options->launch.block || run->options->launch.threads) {
        return first;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !signals_interrupted(); i++) {
        const struct derived_block block = {sizes[i], i == 0 ? NULL : sizing.why};
        enum launch_trial trial = try_block(&sizing, block);
        if (trial == LAUNCH_GIVEN) {
            break;
        }
        if (trial == LAUNCH_DECIDED) {
            return block;
        }
        if (trial == LAUNCH_UNDECIDED && is_refused) {
            first = block;
            is_refused = false;
        }
    }
    return first;
}
