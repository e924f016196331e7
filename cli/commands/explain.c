// Explains the verdict of one test.
#include "cli/commands/explain.h"

#include "cli/report/added.h"

#include "check/text/names.h"
#include "cli/commands/change_limits.h"
#include "cli/print/formats.h"
#include "cli/print/picture.h"
#include "cli/report/explained.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

// Whether the question of a test is what violates its condition: where all outcomes satisfy it, or
// where that is what it claims.
static bool asks_violation(const struct report *report) {
    if (report->program->test->is_unasked)
        return false; // any execution will do
    return report->outcomes->verdict == VERDICT_ALWAYS ||
           report->program->test->quantifier == QUANTIFIER_FORALL;
}

// The run and the explanation have searched in two ways.
static void check_agreement(const struct report *report, const struct explained *explained) {
    enum verdict verdict = report->outcomes->verdict;
    enum truth reachable = explained->explanation->reachable;
    if (explained->state || reachable == TRUTH_UNKNOWN)
        return;
    enum truth by_run = verdict == VERDICT_UNKNOWN     ? TRUTH_UNKNOWN
                        : verdict == VERDICT_FORBIDDEN ? TRUTH_NO
                                                       : TRUTH_YES;
    if (explained->target.negated) {
        by_run = verdict == VERDICT_ALWAYS      ? TRUTH_NO
                 : verdict == VERDICT_FORBIDDEN ? TRUTH_YES
                                                : TRUTH_UNKNOWN;
    }
    if (by_run != TRUTH_UNKNOWN && by_run != reachable)
        bug("the run and the explanation of %s disagree", report->path);
}

// The cheapest changes that would forbid an allowed outcome. The test may be one that cannot be
// changed, which is not an error here.
static const struct repair *find_repair(struct run *run, struct arena *arena,
                                        const struct model *model, const struct report *report) {
    enum { SECONDS = 20 };
    struct change_limit limits[CHANGE_LIMITS_MAX];
    struct program_options program = report->program->options;
    struct solver_options solver = run->options->check.solver;
    struct costs costs = costs_default();
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    solver.races = false;
    solver.max_states = 0;
    solver.timeout_seconds = solver.timeout_seconds == 0 || solver.timeout_seconds > SECONDS
                                 ? SECONDS
                                 : solver.timeout_seconds;
    struct repair_options options = {.goal = REPAIR_FORBID,
                                     .model = model,
                                     .program = &program,
                                     .solver = &solver,
                                     .limits = limits,
                                     .limit_count =
                                         change_limits(run, report->program->test, limits),
                                     .costs = &costs,
                                     .most = run->options->explain.remedies,
                                     .max_cost = UINT_MAX};
    return repair_search(run->solver, arena, report->program->test, run->test, &options, &ignored);
}

// Whether something may happen besides what the executions of the program show: none ends, some
// goes on past the bound of a loop, or a flag leaves the program undefined.
static bool is_open(const struct outcomes *outcomes) {
    bool open = outcomes->reachable != TRUTH_YES || outcomes_flag(outcomes, FLAG_BOUND) != TRUTH_NO;
    for (size_t i = 0; i < outcomes->flag_count; i++)
        open = open || (outcomes->flags[i].undefined && outcomes->flags[i].holds != TRUTH_NO);
    return open;
}

// The model whose axioms the verdict is of: in a program that a flag leaves undefined, those that
// hold in any.
static const struct model *model_of_verdict(struct arena *arena, const struct report *report,
                                            const struct model *model) {
    bool undefined = false;
    bool excludes = report->outcomes->verdict == VERDICT_FORBIDDEN ||
                    report->outcomes->verdict == VERDICT_ALWAYS;
    for (size_t i = 0; i < report->outcomes->flag_count; i++) {
        const struct flag *flag = &report->outcomes->flags[i];
        undefined = undefined || (flag->undefined && flag->holds == TRUTH_YES);
    }
    const struct model *any = undefined && excludes ? model_in_any_program(arena, model) : NULL;
    return any ? any : model;
}

// What is asked, and whether the answer may be open (is_open), but where the run has decided it.
static void note_open(struct explained *explained, const struct report *report) {
    bool decided = !explained->state && report->outcomes->verdict != VERDICT_UNKNOWN;
    explained->is_open =
        explained->explanation->reachable == TRUTH_NO && !decided && is_open(report->outcomes);
}

// The pair of --why-not. False after an error in `diagnostics`.
static bool answer_pair(const struct run *run, struct arena *arena, const char *path,
                        struct explained *explained, struct diagnostics *diagnostics) {
    const char *const pair[3] = {run->options->explain.why_not[0], run->options->explain.why_not[1],
                                 run->options->explain.why_not[2]};
    const char *error =
        pair[0] ? why_not_find(arena, explained->explanation, pair, &explained->why_not) : NULL;
    if (error)
        diag_error_path(diagnostics, path, "%s", escaped(arena, error));
    return !error;
}

// Whether no execution ends, or one hangs while some thread is in a loop, and it was not asked for
// one that goes on for ever.
static bool wants_endless(const struct outcomes *outcomes, const struct explained *explained) {
    bool hangs = outcomes_flag(outcomes, FLAG_HANG) == TRUTH_YES && !explained->hang;
    return (outcomes_flag(outcomes, FLAG_ENDLESS) == TRUTH_YES || hangs) &&
           !outcomes->termination.is_asked;
}

// Whether there is no execution for some race of those that are searched for.
static bool lacks_race(const struct explained *explained, const struct outcomes *outcomes,
                       size_t most) {
    bool lacks = false;
    for (size_t i = 0; i < outcomes->race_count && i < most; i++) {
        bool named = outcomes->flags[outcomes->races[i].flag].kind == FLAG_MODEL;
        lacks = lacks || (named && !explained->races[i]);
    }
    return lacks;
}

// Executions for the flags that hold.
static void explain_flags(struct run *run, struct arena *arena, const struct model *model,
                          const struct report *report, struct explained *explained,
                          struct diagnostics *diagnostics) {
    enum { RACES_MAX = 12 };
    const struct outcomes *outcomes = report->outcomes;
    const struct solver_options *options = &run->options->check.solver;
    if (outcomes->race_count > 0) {
        explained->races = explain_races(arena, run->solver, report->program, model, outcomes,
                                         RACES_MAX, options, diagnostics);
        explained->lacks_executions = lacks_race(explained, outcomes, RACES_MAX);
    }
    if (outcomes_flag(outcomes, FLAG_HANG) == TRUTH_YES) {
        explained->hang =
            explain_hang(arena, run->solver, report->program, model, options, diagnostics);
    }
    if (wants_endless(outcomes, explained)) {
        struct solver_options endless = *options;
        endless.progress = PROGRESS_FAIR; // whatever the schedule: even one that serves all threads
        endless.verdict_only = true;
        endless.endless_execution = true;
        endless.races = false;
        endless.dump_smt2 = NULL;
        endless.proof = NULL;
        explained->endless =
            solver_run(run->solver, arena, report->program, model, &endless, diagnostics);
    }
    bool never_leaves = outcomes_flag(outcomes, FLAG_HANG) == TRUTH_YES && !explained->hang &&
                        !outcomes->termination.is_asked; // which has an execution of its own
    explained->lacks_executions =
        explained->lacks_executions ||
        (never_leaves && !(explained->endless && explained->endless->termination.fates));
}

bool explain_report(struct run *run, struct arena *arena, const struct model *model,
                    struct report *report, struct diagnostics *diagnostics) {
    assert(report->outcomes);
    struct explained *explained = ARENA_NEW(arena, struct explained);
    report->added->explained = explained;
    explained->state = run->options->explain.state;
    explained->target.negated =
        !explained->state && (run->options->explain.violation || asks_violation(report));
    const char *error =
        explained->state
            ? explained_parse_state(arena, report->program, explained->state, &explained->target)
            : NULL;
    if (error) {
        diag_error_path(diagnostics, report->path, "%s", escaped(arena, error));
        if (report->program->test->is_unasked)
            diag_hint(diagnostics, "'--ask' says what they show, such as 'exists (NAME[0] == 1)'");
        return false;
    }
    error = pictures_check_shown(arena, run->options, model);
    if (error) {
        diag_error_path(diagnostics, report->path, "%s", error);
        return false;
    }
    explained->explanation =
        explain_outcome(arena, run->solver, report->program, model_of_verdict(arena, report, model),
                        &explained->target, &run->options->check.solver, diagnostics);
    if (!explained->explanation)
        return false;
    check_agreement(report, explained);
    if (!answer_pair(run, arena, report->path, explained, diagnostics))
        return false;
    note_open(explained, report);
    bool asks_condition =
        !explained->state && !explained->target.negated && !report->program->test->is_unasked;
    if (asks_condition && explained->explanation->reachable == TRUTH_YES &&
        run->options->explain.remedies > 0)
        explained->repair = find_repair(run, arena, model, report);
    explain_flags(run, arena, model, report, explained, diagnostics);
    return true;
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
           report->outcomes->verdict != VERDICT_UNKNOWN && !report->program->test->is_unasked &&
           is_quick(report->program) && strcmp(report->path, "-") != 0;
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
    struct explained *why = ARENA_NEW(arena, struct explained);
    why->target.negated = asks_violation(report);
    why->explanation =
        explain_outcome(arena, run->solver, report->program, model_of_verdict(arena, report, model),
                        &why->target, &solver, &ignored);
    if (why->explanation) {
        check_agreement(report, why);
        note_open(why, report);
        report->added->why = why;
    }
}
