// Runs on changed tests that are read again from their text.
#include "repair/work.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "repair/edit.h"
#include "solver/backend/watchdog.h"

#include <string.h>

enum { STATES_MAX = 1000 };

struct solver_options work_options(const struct change_work *work) {
    struct solver_options options = *work->options->solver;
    if (options.timeout_seconds > 0) {
        double left =
            work->share * options.timeout_seconds - (watchdog_now_ms() - work->begun) / 1e3;
        options.timeout_seconds = left > 1e-3 ? left : 1e-3;
    }
    return options;
}

struct change_work work_begin(struct arena *arena, struct solver *solver, const struct test *test,
                              size_t index, const struct repair_options *options) {
    struct repair *repair = ARENA_NEW(arena, struct repair);
    repair->state = REPAIR_UNDECIDED;
    return (struct change_work){.arena = arena,
                                .solver = solver,
                                .options = options,
                                .index = index,
                                .test = test,
                                .repair = repair,
                                .begun = watchdog_now_ms(),
                                .share = 1};
}

bool work_is_over(const struct change_work *work) {
    double limit = work->share * work->options->solver->timeout_seconds;
    if (work->options->is_interrupted != NULL && work->options->is_interrupted())
        return true;
    return limit > 0 && (watchdog_now_ms() - work->begun) / 1e3 >= limit;
}

const char *work_limit_text(const struct change_work *work) {
    const struct solver_options *limits = work->options->solver;
    if (work->options->is_interrupted != NULL && work->options->is_interrupted())
        return "interrupted";
    if (limits->timeout_seconds > 0 && (work_is_over(work) || limits->memory_mb == 0))
        return arena_format(work->arena, "the time limit of %g s was reached",
                            limits->timeout_seconds);
    return limits->memory_mb > 0
               ? arena_format(work->arena, "the memory limit of %zu MB was reached",
                              limits->memory_mb)
               : "a limit was reached";
}

// One bit: the observed values are those of a state.
static const struct expr *is_state(const struct program *program, const struct state *state) {
    struct expr_pool *pool = program->pool;
    const struct expr *same = expr_bool(pool, true);
    for (size_t i = 0; i < program->observed_count; i++) {
        const struct observed *observed = &program->observed[i];
        const struct state_value *value = &state->values[i];
        const struct expr *here =
            value->undef
                ? observed->undef
                : expr_binary(pool, EXPR_AND, expr_unary(pool, EXPR_NOT, observed->undef),
                              expr_binary(pool, EXPR_EQ, observed->value,
                                          expr_const(pool, observed->width, value->value)));
        same = expr_binary(pool, EXPR_AND, same, here);
    }
    return same;
}

// A program whose condition is that a state is none of those of the test, for REPAIR_KEEP_OUTCOMES;
// else `program` itself.
static const struct program *with_condition(struct change_work *work,
                                            const struct program *program) {
    const struct outcomes *outcomes = work->repair->outcomes;
    if (work->options->goal != REPAIR_KEEP_OUTCOMES)
        return program;
    struct program *changed = arena_copy(work->arena, program, 1, sizeof *program);
    const struct expr *known = expr_bool(program->pool, false);
    for (size_t i = 0; i < outcomes->state_count; i++)
        known = expr_binary(program->pool, EXPR_OR, known, is_state(program, &outcomes->states[i]));
    changed->condition = expr_unary(program->pool, EXPR_NOT, known);
    return changed;
}

const struct outcomes *work_run(struct change_work *work, const struct program *program,
                                const struct solver_options *options,
                                struct diagnostics *diagnostics) {
    work->repair->stats.runs++;
    return solver_run(work->solver, work->arena, program, work->options->model, options,
                      diagnostics);
}

enum truth work_find(struct change_work *work, struct arena *arena, const struct program *program,
                     const struct model *model, const struct find_question *question,
                     found_visitor visit, void *context) {
    const struct solver_options options = work_options(work);
    enum unknown_reason reason;
    work->repair->stats.runs++;
    return solver_find(work->solver, arena, program, model, &options, question, &reason, visit,
                       context);
}

enum truth work_ask(struct change_work *work, struct arena *arena, const struct program *program,
                    found_visitor visit, void *context) {
    enum truth answer = TRUTH_NO;
    program = with_condition(work, program);
    for (size_t i = 0; i < work->question_count && answer == TRUTH_NO; i++)
        answer = work_is_over(work) ? TRUTH_UNKNOWN
                                    : work_find(work, arena, program, work->options->model,
                                                &work->questions[i], visit, context);
    return answer;
}

const struct program *judge_program(const struct change_work *work, const size_t *choice) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, work->arena);
    struct test *test =
        edit_apply(work->arena, work->changes, choice, NULL, work->index, &ignored, NULL);
    return test == NULL ? NULL : program_build(work->arena, test, work->options->program, &ignored);
}

static bool was_stopped(const struct outcomes *outcomes) {
    return outcomes->reason == REASON_TIMEOUT || outcomes->reason == REASON_MEMORY ||
           outcomes->reason == REASON_INTERRUPTED;
}

// Why a verdict is not known, as a sentence.
static const char *doubt_of(struct arena *arena, const struct outcomes *outcomes) {
    if (outcomes_flag(outcomes, FLAG_BOUND) == TRUTH_YES)
        return "some loop goes on past its bound, and what comes after is not known ('--unroll')";
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (outcomes->flags[i].undefined && outcomes->flags[i].holds != TRUTH_NO)
            return arena_format(arena, "the flag %s leaves the test undefined",
                                outcomes->flags[i].name);
    if (outcomes->reason == REASON_SOLVER)
        return "the solver does not know";
    return "the verdict is not known";
}

static bool has_state(const struct outcomes *outcomes, const struct state *state, size_t width) {
    for (size_t i = 0; i < outcomes->state_count; i++)
        if (state_compare(&outcomes->states[i], state, width) == 0)
            return true;
    return false;
}

const struct state **judge_missing(struct arena *arena, const struct outcomes *from,
                                   const struct outcomes *in, size_t width, size_t *count) {
    const struct state **states = ARENA_ARRAY(arena, const struct state *, from->state_count + 1);
    *count = 0;
    for (size_t i = 0; i < from->state_count; i++)
        if (!has_state(in, &from->states[i], width))
            states[(*count)++] = &from->states[i];
    return states;
}

static enum truth holds_in(const struct outcomes *outcomes, const struct flag *flag) {
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (outcomes->flags[i].kind == flag->kind &&
            (flag->kind != FLAG_MODEL || strcmp(outcomes->flags[i].name, flag->name) == 0))
            return outcomes->flags[i].holds;
    return TRUTH_NO;
}

const char **judge_new_flags(struct arena *arena, const struct outcomes *before,
                             const struct outcomes *after, size_t *count) {
    const char **names = ARENA_ARRAY(arena, const char *, after->flag_count + 1);
    *count = 0;
    for (size_t i = 0; i < after->flag_count; i++)
        if (after->flags[i].holds != TRUTH_NO &&
            holds_in(before, &after->flags[i]) != after->flags[i].holds &&
            holds_in(before, &after->flags[i]) != TRUTH_YES)
            names[(*count)++] = flag_name(&after->flags[i]);
    return names;
}

bool judge_hangs(const struct outcomes *before, const struct outcomes *after) {
    static const enum flag_kind kinds[] = {FLAG_HANG, FLAG_ENDLESS, FLAG_BOUND};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct flag flag = {.kind = kinds[i]};
        if (holds_in(after, &flag) != TRUTH_NO && holds_in(before, &flag) == TRUTH_NO)
            return true;
    }
    return false;
}

// Whether what must remain impossible is so.
static bool keeps(struct change_work *work, const struct program *program,
                  const struct outcomes *outcomes) {
    const struct outcomes *before = work->repair->outcomes;
    size_t count;
    if (work->options->goal != REPAIR_FORBID) {
        judge_new_flags(work->arena, before, outcomes, &count);
        if (count > 0)
            return false;
    }
    if (work->options->goal == REPAIR_KEEP_OUTCOMES) {
        judge_missing(work->arena, outcomes, before, program->observed_count, &count);
        return outcomes->complete && count == 0;
    }
    return outcomes->verdict == (work->violates ? VERDICT_ALWAYS : VERDICT_FORBIDDEN);
}

struct judgement judge_choice(struct change_work *work, const size_t *choice) {
    struct judgement judgement = {.program = judge_program(work, choice)};
    struct solver_options options = work_options(work);
    struct diagnostics ignored;
    diagnostics_init(&ignored, work->arena);
    if (judgement.program == NULL) {
        judgement.doubt = "the changed test is refused";
        return judgement;
    }
    judgement.test = judgement.program->test;
    options.verdict_only = false;
    options.max_states = STATES_MAX;
    options.dump_smt2 = NULL;
    options.proof = NULL;
    const struct outcomes *outcomes = work_run(work, judgement.program, &options, &ignored);
    if (outcomes == NULL) {
        judgement.doubt = "the model leaves the changed test undefined";
        return judgement;
    }
    judgement.outcomes = outcomes;
    judgement.is_stopped = was_stopped(outcomes) || work_is_over(work);
    judgement.is_empty = outcomes->reachable == TRUTH_NO;
    judgement.keeps = keeps(work, judgement.program, outcomes);
    for (size_t i = 0; i < outcomes->flag_count; i++)
        judgement.is_undefined |=
            outcomes->flags[i].undefined && outcomes->flags[i].holds == TRUTH_YES;
    if (!judgement.keeps && outcomes->verdict == VERDICT_UNKNOWN)
        judgement.doubt = doubt_of(work->arena, outcomes);
    return judgement;
}

enum truth judge_outcome(struct change_work *work, const size_t *choice) {
    const struct program *program = judge_program(work, choice);
    return program == NULL ? TRUTH_UNKNOWN : work_ask(work, work->arena, program, NULL, NULL);
}
