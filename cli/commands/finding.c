// What `check` finds, with its reasons, and a fix of it.
#include "cli/commands/finding.h"

#include "check/change_limits.h"
#include "check/race_reasons.h"
#include "cli/commands/launched.h"
#include "cli/commands/run_internal.h"
#include "cli/commands/source_fix.h"
#include "cli/jobs/signals.h"
#include "cli/print/mending.h"
#include "check/report/findings.h"
#include "cli/report/added.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "repair/mend.h"
#include "solver/backend/watchdog.h"

// The options of a search that may take what is left of the time, or a few seconds.
static struct solver_options few_seconds(const struct run *run, double seconds) {
    struct solver_options options = run_share(run, 1);
    if (options.timeout_seconds == 0 || options.timeout_seconds > seconds)
        options.timeout_seconds = seconds;
    options.races = false;
    options.dump_smt2 = NULL;
    options.proof = NULL;
    return options;
}

#define LEAST_SECONDS 0.5 // for changes of the PTX

// --- Fixes -------------------------------------------------------------------------------------

// What looking for a fix needs.
struct fixing {
    struct run *run;
    struct arena *arena;
    const struct model *model;
    const struct report *report; // what has the fault
    struct source_fault fault;
    struct solver_options solver;
    const struct source_fix *source; // a fix of a .cu file's own text, or NULL
    bool has_tried_source;
};

// Whether a changed test is free of all that `check` looks for.
static enum truth is_clean(void *context, const struct program *program,
                           const struct outcomes *outcomes) {
    struct report changed = *((const struct fixing *)context)->report;
    changed.program = program;
    changed.outcomes = outcomes;
    return report_is_clean(&changed);
}

// What one run of a changed test says.
static enum truth run_changed(void *context, struct arena *arena, const struct test *test) {
    enum { SECONDS = 1 }; // wrong ones may go round loops for long
    const struct fixing *fixing = context;
    const struct launch_result *launched = launched_try(fixing->run, arena, test, SECONDS);
    return !launched                              ? TRUTH_UNKNOWN
           : launched->answer == LAUNCH_IS_FREE   ? TRUTH_NO
           : launched->answer == LAUNCH_IS_FAULTY ? TRUTH_YES
                                                  : TRUTH_UNKNOWN;
}

// The instructions whose accesses race first, in what a run or a search has found.
static void take_raced(const struct report *report, const struct instruction *raced[2]) {
    const struct findings *findings = report->added->findings;
    const struct launch_result *launched = report->added->launched;
    for (unsigned i = 0; i < 2; i++) {
        if (findings && findings->count > 0) {
            const struct race *race = findings->items[0].race;
            raced[i] = report->program->events[race->events[i]].instruction;
        } else if (launched && launched->race_count > 0) {
            raced[i] = launched->races[0].accesses[i].instruction;
        }
    }
}

static bool fix_source(void *context) {
    struct fixing *fixing = context;
    if (report_is_of_cuda(fixing->report) && !fixing->has_tried_source) {
        fixing->source = source_fix_find(fixing->run, fixing->arena, fixing->model, fixing->report,
                                         &fixing->fault, &fixing->solver);
    }
    fixing->has_tried_source = true;
    return fixing->source != NULL;
}

// A fix for a single test, or for one of a suite that failed; a run of many may not wait for each.
static bool wants_fix(const struct run *run, const struct report *report) {
    bool is_single = run->options->suite.asked || (run->is_alone && run->tests == 1);
    return is_single && run->systems.count == 1 && !run->options->print.no_fix &&
           !run->options->print.quiet && report_is_clean(report) == TRUTH_NO && !run_is_late(run);
}

static const struct mend *mend(struct fixing *fixing, const struct report *searched) {
    struct change_limit limits[CHANGE_LIMITS_MAX];
    const struct run *run = fixing->run;
    const struct test *test = searched->program->test;
    struct costs costs = costs_default();
    struct diagnostics ignored;
    diagnostics_init(&ignored, fixing->arena);
    struct mend_options options = {
        .model = fixing->model,
        .program = &searched->program->options,
        .solver = &fixing->solver,
        .limits = limits,
        .limit_count = change_limits(&run->systems, &run->options->check, test, limits),
        .costs = &costs,
        .is_clean = is_clean,
        .elsewhere = fix_source,
        .run = run_changed,
        .context = fixing,
        .only_runs = searched->added->launched != NULL, // it is too large to be searched
        .is_interrupted = signals_interrupted};
    take_raced(searched, options.raced);
    return mend_search(run->solver, fixing->arena, test, run->test, &options, &ignored);
}

void finding_fix(struct run *run, struct arena *arena, const struct model *model,
                 struct report *report, const struct report *searched) {
    enum { SECONDS = 6 };
    if (!wants_fix(run, report))
        return;
    struct fixing fixing = {.run = run,
                            .arena = arena,
                            .model = model,
                            .report = report,
                            .fault = source_fault_of(arena, report),
                            .solver = few_seconds(run, SECONDS)};
    struct mending *mending = ARENA_NEW(arena, struct mending);
    fixing.solver.races = true;
    bool is_of_source = searched != report || source_fault_is_special(&fixing.fault);
    double begun = watchdog_now_ms();
    if (!is_of_source || !fix_source(&fixing)) {
        double left = fixing.solver.timeout_seconds - (watchdog_now_ms() - begun) / 1e3;
        mending->seconds = fixing.solver.timeout_seconds;
        fixing.solver.timeout_seconds = left > LEAST_SECONDS ? left : LEAST_SECONDS;
        mending->mend = searched ? mend(&fixing, searched) : NULL;
    }
    mending->source = fixing.source;
    size_t threads = searched ? searched->program->test->thread_count : 0;
    mending->searched_threads = searched != report ? threads : 0;
    mending->run_threads = searched == report && report->added->launched ? threads : 0;
    bool has_answer = mending->source || mending->mend;
    report->added->mending = has_answer ? mending : NULL;
}

void finding_reasons(struct run *run, struct arena *arena, const struct model *model,
                     struct report *report) {
    enum { SECONDS = 5 };
    struct findings *findings = ARENA_NEW(arena, struct findings);
    *findings = findings_of(arena, report);
    report->added->findings = findings;
    if (findings->count > 0 && !run_is_late(run)) {
        const struct solver_options options = few_seconds(run, SECONDS);
        race_reasons(run->solver, arena, model, report, &options, findings);
    }
}

void finding_explain(struct run *run, struct arena *arena, const struct model *model,
                     struct report *report) {
    if (report->options->asks_clean)
        finding_reasons(run, arena, model, report);
}
