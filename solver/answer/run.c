// Questions of a run to the backend, and what an execution that answers one has to satisfy.

#include "solver/answer/run.h"

#include "program/expr/boolean.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/replace.h"
#include "solver/backend/watchdog.h"
#include "solver/check/execution.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void dump(struct solver_run *run, const literal *assumptions, size_t count) {
    assert(assumptions != NULL || count == 0);
    const char *path = run->options->dump_smt2;
    if (path == NULL || run->dumped)
        return;
    run->dumped = true;
    char *text = backend_dump(run->backend, assumptions, count);
    if (text == NULL)
        return;
    const char *error = replace_file(run->arena, path, text, strlen(text));
    if (error != NULL)
        diag_error_output(run->diagnostics, path, error);
    free(text);
}

bool run_checks_executions(const struct solver_run *run) {
#ifndef NDEBUG
    (void)run;
    return true;
#else
    return run->options->check_executions;
#endif
}

// What the solver shows against the values of its execution.
static void check_shown(struct solver_run *run, struct execution *execution) {
    for (size_t i = 0; i < run->program->observed_count; i++) {
        const struct observed *observed = &run->program->observed[i];
        struct bits128 ours = execution_value(execution, observed->value);
        struct bits128 theirs =
            encode_value_in_model(run->encoder, encode_expr(run->encoder, observed->value));
        if (ours.low != theirs.low || ours.high != theirs.high)
            execution_bug(execution, "the solver shows another value of %s than its execution",
                          observed->log_name);
    }
    bool condition = execution_value(execution, run->program->condition).low == 1;
    if (condition != backend_literal_value(run->backend, run->condition))
        execution_bug(execution, "the solver is wrong about the condition");
}

// An execution in which a loop goes on, or an access lies outside, is cut short and not checked.
// One in which a thread is blocked has no outcome: a bar.red that is not left has no result.
void run_check_found(struct solver_run *run, const struct model_axiom *claim, bool claim_holds) {
    if (!run_checks_executions(run))
        return;
    if (!backend_literal_value(run->backend, run->bounded) ||
        !backend_literal_value(run->backend, run->inside))
        return;
    struct arena *arena = arena_new();
    struct execution *execution = execution_decode(arena, run->encoder, run->program);
    if (execution != NULL) {
        execution_check(execution, run->model, claim, claim_holds);
        if (run->hang != 0 && backend_literal_value(run->backend, run->hang))
            check_hang(execution);
        if (backend_literal_value(run->backend, run->complete))
            check_shown(run, execution);
    }
    arena_free(arena);
}

static bool holds_in(struct arena *arena, const struct model *model,
                     const struct model_facts *facts) {
    struct node_value *values = model_evaluate(arena, model, facts);
    for (size_t i = 0; i < model->axiom_count; i++)
        if (model->axioms[i].use == AXIOM_REQUIRED && !model_axiom_holds(&model->axioms[i], values))
            return false;
    return true;
}

// Shows an execution to those of the other models of which no such one is known.
static void note_execution(struct solver_run *run, struct arena *arena,
                           struct execution *execution) {
    bool satisfies = backend_literal_value(run->backend, run->condition);
    struct model_facts *facts = execution_facts(arena, execution);
    for (size_t i = 0; i < run->options->other_count; i++) {
        struct allowance *allowance = &run->outcomes->allowances[i];
        bool *seen = satisfies ? &allowance->satisfied : &allowance->violated;
        *seen = *seen || holds_in(arena, run->options->others[i], facts);
    }
}

static bool all_allowed(const struct solver_run *run) {
    for (size_t i = 0; i < run->options->other_count; i++)
        if (!run->outcomes->allowances[i].satisfied || !run->outcomes->allowances[i].violated)
            return false;
    return true;
}

void run_note_allowed(struct solver_run *run) {
    enum { NOTED_MAX = 16 };
    if (run->noted == NOTED_MAX || all_allowed(run) ||
        !backend_literal_value(run->backend, run->filter) ||
        !backend_literal_value(run->backend, run->bounded) ||
        !backend_literal_value(run->backend, run->complete) ||
        !backend_literal_value(run->backend, run->inside))
        return;
    struct arena *arena = arena_new();
    struct execution *execution = execution_decode(arena, run->encoder, run->program);
    run->noted++;
    if (execution != NULL)
        note_execution(run, arena, execution);
    arena_free(arena);
}

void run_note_undecided(struct solver_run *run) {
    struct outcomes *outcomes = run->outcomes;
    const char *text = NULL;
    if (outcomes->reason != REASON_NONE)
        return;
    outcomes->reason = backend_reason(run->backend, &text);
    if (text != NULL)
        outcomes->reason_text = arena_format(run->arena, "%s", text);
}

static bool has_false(const literal *literals, size_t count) {
    assert(literals != NULL || count == 0);
    for (size_t i = 0; i < count; i++)
        if (literals[i] == LITERAL_FALSE)
            return true;
    return false;
}

enum truth run_ask(struct solver_run *run, const literal *literals, size_t count,
                   const struct model_axiom *claim, bool claim_holds) {
    assert(literals != NULL || count == 0);
    // A constant can be relied on only if the encoder was not stopped.
    if (!backend_failed(run->backend) && has_false(literals, count))
        return TRUTH_NO;
    encode_finish(run->encoder);
    dump(run, literals, count);
    backend_share_memory(run->backend, arena_used(run->arena));
    switch (backend_check(run->backend, literals, count)) {
    case ANSWER_SAT:
        run_check_found(run, claim, claim_holds);
        if (!backend_failed(run->backend))
            return TRUTH_YES;
        break;
    case ANSWER_UNSAT: return TRUTH_NO;
    case ANSWER_UNKNOWN: break;
    }
    run_note_undecided(run);
    return TRUTH_UNKNOWN;
}

// The program was not encoded: only the reason is known.
void run_stopped_early(struct solver_run *run) {
    struct outcomes *outcomes = run->outcomes;
    switch (watchdog_poll(backend_watchdog(run->backend))) {
    case WATCHDOG_TIMEOUT: outcomes->reason = REASON_TIMEOUT; break;
    case WATCHDOG_INTERRUPTED: outcomes->reason = REASON_INTERRUPTED; break;
    case WATCHDOG_QUIET: outcomes->reason = REASON_MEMORY; break;
    }
}

static bool fits_into_memory(const struct solver_run *run, const struct program *program) {
    enum { DEFAULT_MB = 2048 };
    size_t limit = run->options->memory_mb != 0 ? run->options->memory_mb : DEFAULT_MB;
    size_t bounds = bounds_memory(run->model, program->event_count);
    return (arena_used(run->arena) + bounds) >> 20 <= limit;
}

bool run_has_room(struct solver_run *run, const struct program *program) {
    if (fits_into_memory(run, program))
        return true;
    run_stopped_early(run);
    return false;
}

void run_end_problem(struct solver_run *run) {
    const char *text = NULL;
    if (backend_erred(run->backend)) {
        run->error = backend_reason(run->backend, &text);
        run->error_text = arena_format(run->arena, "%s", text);
    }
    backend_end(run->backend);
}

// What is encoded only after a check has no value in the state that the check found.
static void encode_shown(struct solver_run *run) {
    for (size_t i = 0; i < run->program->observed_count; i++)
        encode_expr(run->encoder, run->program->observed[i].value);
}

// Where no axiom rules out that a value comes out of thin air, a read may take what depends on it
// alone. Then its value has to be one that justifies itself, whether anything asks for it or not.
static void encode_reads(struct solver_run *run) {
    const struct program *program = run->program;
    for (size_t e = 0; e < program->event_count; e++)
        if (program->events[e].kind == EVENT_READ)
            encode_expr(run->encoder, program->events[e].access->value);
}

void run_encode_common(struct solver_run *run) {
    const struct program *program = run->program;
    if (!model_forbids_thin_air(run->model))
        encode_reads(run);
    if (run_checks_executions(run))
        encode_shown(run);
    run->condition = encode_condition(run->encoder, program->condition);
    run->filter = encode_condition(run->encoder, program->filter);
    run->past_bound = encode_condition(run->encoder, program->limits.bound_reached);
    run->trapped = encode_condition(run->encoder, program->limits.trapped);
    run->bounded =
        -encode_condition(run->encoder, expr_or(program->pool, program->limits.bound_reached,
                                                program->limits.trapped));
    run->complete = -encode_blocked(run->encoder);
    run->inside = -encode_condition(run->encoder, program->limits.out_of_bounds);
}
