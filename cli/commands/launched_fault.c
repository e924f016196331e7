// Searches a smaller launch of a kernel in which a run has met a fault, and looks for a fix.
#include "cli/commands/launched_fault.h"

#include "check/report/report.h"
#include "cli/commands/finding.h"
#include "cli/commands/kernel.h"
#include "cli/commands/run_internal.h"
#include "cli/report/added.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

// Searches a launch of fewer threads, the one of run->derived. Returns what that finds, with
// reasons; NULL where it finds no fault.
static struct report *search_smaller(struct run *run, struct arena *arena,
                                     const struct report *report) {
    enum { SECONDS = 5 };
    const struct system *system = &run->systems.items[0];
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    struct program_options program_options = run->options->check.program;
    program_options.no_thin_air = systems_forbid_thin_air(&run->systems, &run->options->check);
    struct test *test = kernel_test(arena, run->options, run->options->inputs[0], &run->derived);
    program_options.is_late = run_build_is_late;
    run_begin_build(SECONDS);
    struct program *program = test ? program_build(arena, test, &program_options, &ignored) : NULL;
    struct solver_options options = run_share(run, 1);
    options.timeout_seconds = options.timeout_seconds > 0 && options.timeout_seconds < SECONDS
                                  ? options.timeout_seconds
                                  : SECONDS;
    if (!program)
        return NULL;
    program->options.is_late = NULL; // what explains it builds it again
    struct report *smaller = ARENA_NEW(arena, struct report);
    *smaller = report_of_program(arena, run->options, system, program, report->path);
    smaller->outcomes =
        solver_run(run->solver, arena, program, system->readings.model, &options, &ignored);
    if (!smaller->outcomes || report_is_clean(smaller) != TRUTH_NO)
        return NULL;
    finding_explain(run, arena, system->readings.model, smaller);
    return smaller;
}

void launched_explain(struct run *run, struct arena *arena, struct report *report) {
    enum { FEWEST = 2 }; // threads of a block in which a changed text is searched
    const struct derived_launch full = run->derived;
    const struct model *model = run->systems.items[0].readings.model;
    struct report *smaller = NULL;
    run->derived = (struct derived_launch){.threads = full.is_searched ? full.searched : FEWEST,
                                           .integer = full.integer,
                                           .distance = full.distance,
                                           .objects = full.objects};
    if (full.is_searched && !run_is_late(run))
        smaller = search_smaller(run, arena, report);
    finding_fix(run, arena, model, report, smaller);
    report->added->smaller = smaller;
    run->derived = full;
}

void launched_fix(struct run *run, struct arena *arena, struct report *report) {
    finding_fix(run, arena, run->systems.items[0].readings.model, report, report);
}
