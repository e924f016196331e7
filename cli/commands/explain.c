// Explains the verdict of one test.
#include "cli/commands/explain.h"

#include "cli/print/formats.h"
#include "cli/print/picture.h"
#include "cli/report/added.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

bool explain_report(struct run *run, struct arena *arena, const struct model *model,
                    struct report *report, struct diagnostics *diagnostics) {
    const char *error = pictures_check_shown(arena, run->options, model);
    if (error) {
        diag_error_path(diagnostics, report->path, "%s", error);
        return false;
    }
    const struct explaining with = {run->solver, arena, &run->systems, model, run->test};
    return explaining_report(&with, &run->options->explain.question, report, diagnostics);
}

// Whether searches without some of the axioms take little time: sums of floats, which may then
// depend on themselves, do not.
static bool is_quick(const struct program *program) {
    enum { EVENTS_MAX = 40 };
    bool quick = program->event_count <= EVENTS_MAX;
    for (size_t e = 0; quick && e < program->event_count; e++) {
        const struct instruction *instruction = program->events[e].instruction;
        quick = !instruction || !scalar_type_is_float(instruction->type);
    }
    return quick;
}

// Whether a line that says why has its place, and costs little, for no run may wait long for it.
static bool wants_reason(const struct run *run, const struct report *report) {
    const struct options *options = run->options;
    bool limited = options->check.solver.timeout_seconds > 0 || options->check.solver.memory_mb > 0;
    return run->is_alone && run->tests == 1 && run->systems.count == 1 &&
           format_of(options)->says_why && !options->print.quiet && !options->check.asks_clean &&
           !options->explain.asked && !options->check.solver.verdict_only && !limited &&
           report->outcomes->verdict != VERDICT_UNKNOWN &&
           test_has_condition(report->program->test) && is_quick(report->program) &&
           strcmp(report->path, "-") != 0;
}

void explain_briefly(struct run *run, struct arena *arena, const struct model *model,
                     struct report *report) {
    enum { SECONDS = 5 };
    struct solver_options solver = run->options->check.solver;
    struct diagnostics ignored;
    if (!wants_reason(run, report))
        return;
    solver.timeout_seconds = SECONDS;
    solver.races = false;
    solver.dump_smt2 = NULL;
    solver.proof = NULL;
    diagnostics_init(&ignored, arena);
    const struct explaining with = {run->solver, arena, &run->systems, model, run->test};
    report->added->why = explaining_condition(&with, report, &solver, &ignored);
}
