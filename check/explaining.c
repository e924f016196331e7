// The questions of `explain`, for the program and the library.
#include "check/explaining.h"

#include "check/change_limits.h"
#include "check/report/explained.h"
#include "check/text/names.h"
#include "litmus/source/arena.h"
#include "litmus/source/bug.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <limits.h>

// Whether the question of a test is what violates its condition: where all outcomes satisfy it, or
// where that is what it claims.
static bool asks_violation(const struct report *report) {
    if (!test_has_condition(report->program->test))
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
static const struct repair *find_repair(const struct explaining *with, const struct report *report,
                                        size_t most) {
    enum { SECONDS = 20 };
    struct change_limit limits[CHANGE_LIMITS_MAX];
    struct program_options program = report->program->options;
    struct solver_options solver = report->options->solver;
    struct costs costs = costs_default();
    struct diagnostics ignored;
    diagnostics_init(&ignored, with->arena);
    solver.races = false;
    solver.max_states = 0;
    solver.timeout_seconds = solver.timeout_seconds == 0 || solver.timeout_seconds > SECONDS
                                 ? SECONDS
                                 : solver.timeout_seconds;
    struct repair_options options = {
        .goal = REPAIR_FORBID,
        .model = with->model,
        .program = &program,
        .solver = &solver,
        .limits = limits,
        .limit_count = change_limits(with->systems, report->options, report->program->test, limits),
        .costs = &costs,
        .most = most,
        .max_cost = UINT_MAX};
    return repair_search(with->solver, with->arena, report->program->test, with->index, &options,
                         &ignored);
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

// The pair that is asked about. False after an error in `diagnostics`.
static bool answer_pair(const struct explaining *with, const struct explain_question *question,
                        struct report *report, struct explained *explained,
                        struct diagnostics *diagnostics) {
    const char *error = question->why_not[0] ? why_not_find(with->arena, explained->explanation,
                                                            question->why_not, &explained->why_not)
                                             : NULL;
    if (error)
        diag_error_path(diagnostics, report->path, "%s", escaped(with->arena, error));
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
static void explain_flags(const struct explaining *with, const struct report *report,
                          struct explained *explained, struct diagnostics *diagnostics) {
    enum { RACES_MAX = 12 };
    const struct outcomes *outcomes = report->outcomes;
    const struct solver_options *options = &report->options->solver;
    if (outcomes->race_count > 0) {
        explained->races = explain_races(with->arena, with->solver, report->program, with->model,
                                         outcomes, RACES_MAX, options, diagnostics);
        explained->lacks_executions = lacks_race(explained, outcomes, RACES_MAX);
    }
    if (outcomes_flag(outcomes, FLAG_HANG) == TRUTH_YES) {
        explained->hang = explain_hang(with->arena, with->solver, report->program, with->model,
                                       options, diagnostics);
    }
    if (wants_endless(outcomes, explained)) {
        struct solver_options endless = *options;
        endless.progress = PROGRESS_FAIR; // whatever the schedule: even one that serves all threads
        endless.verdict_only = true;
        endless.endless_execution = true;
        endless.races = false;
        endless.dump_smt2 = NULL;
        endless.proof = NULL;
        explained->endless = solver_run(with->solver, with->arena, report->program, with->model,
                                        &endless, diagnostics);
    }
    bool never_leaves = outcomes_flag(outcomes, FLAG_HANG) == TRUTH_YES && !explained->hang &&
                        !outcomes->termination.is_asked; // which has an execution of its own
    explained->lacks_executions =
        explained->lacks_executions ||
        (never_leaves && !(explained->endless && explained->endless->termination.fates));
}

// Reads the state that is asked about, if one is. False after an error in `diagnostics`.
static bool read_state(const struct explaining *with, const struct report *report,
                       struct explained *explained, struct diagnostics *diagnostics) {
    const char *error = explained->state
                            ? explained_parse_state(with->arena, report->program, explained->state,
                                                    &explained->target)
                            : NULL;
    if (!error)
        return true;
    diag_error_path(diagnostics, report->path, "%s", escaped(with->arena, error));
    if (report->program->test->is_unasked)
        diag_hint(diagnostics, "'--ask' says what they show, such as 'exists (NAME[0] == 1)'");
    return false;
}

// Explains the target, within these limits. False where there is no explanation.
static bool explain_target(const struct explaining *with, const struct report *report,
                           const struct solver_options *options, struct explained *explained,
                           struct diagnostics *diagnostics) {
    explained->explanation = explain_outcome(with->arena, with->solver, report->program,
                                             model_of_verdict(with->arena, report, with->model),
                                             &explained->target, options, diagnostics);
    if (!explained->explanation)
        return false;
    check_agreement(report, explained);
    return true;
}

bool explaining_report(const struct explaining *with, const struct explain_question *question,
                       struct report *report, struct diagnostics *diagnostics) {
    assert(report->outcomes);
    struct explained *explained = ARENA_NEW(with->arena, struct explained);
    report->explained = explained;
    explained->state = question->state;
    explained->target.negated =
        !explained->state && (question->violation || asks_violation(report));
    if (!read_state(with, report, explained, diagnostics) ||
        !explain_target(with, report, &report->options->solver, explained, diagnostics) ||
        !answer_pair(with, question, report, explained, diagnostics))
        return false;
    note_open(explained, report);
    bool asks_condition = !explained->state && !explained->target.negated &&
                          test_has_condition(report->program->test);
    if (asks_condition && explained->explanation->reachable == TRUTH_YES && question->remedies > 0)
        explained->repair = find_repair(with, report, question->remedies);
    explain_flags(with, report, explained, diagnostics);
    return true;
}

const struct explained *explaining_condition(const struct explaining *with,
                                             const struct report *report,
                                             const struct solver_options *options,
                                             struct diagnostics *diagnostics) {
    struct explained *explained = ARENA_NEW(with->arena, struct explained);
    explained->target.negated = asks_violation(report);
    if (!explain_target(with, report, options, explained, diagnostics))
        return NULL;
    note_open(explained, report);
    return explained;
}
