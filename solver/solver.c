// A run: from a program and a model to outcomes.

#include "solver/solver.h"

#include "program/expr/boolean.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/check/execution.h"
#include "solver/answer/find.h"
#include "solver/backend/watchdog.h"
#include "solver/invariants.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct solver {
    struct backend *backend;
};

struct solver *solver_new(void) {
    struct solver *solver = allocate(1, sizeof *solver);
    solver->backend = backend_new();
    return solver;
}

struct solver_run run_start(struct solver *solver, struct arena *arena,
                            const struct program *program, const struct model *model,
                            const struct solver_options *options, struct diagnostics *diagnostics) {
    struct solver_run run = {.arena = arena,
                             .backend = solver->backend,
                             .program = program,
                             .model = model,
                             .options = options,
                             .diagnostics = diagnostics,
                             .possible = possible_flags(arena, program, model),
                             .outcomes =
                                 outcomes_unknown(arena, program, model, options, REASON_NONE)};
    backend_choose(solver->backend, options->engine);
    watchdog_start(backend_watchdog(solver->backend), options->timeout_seconds);
    return run;
}

void solver_free(struct solver *solver) {
    if (solver == NULL)
        return;
    backend_free(solver->backend);
    free(solver);
}

void solver_abandon(struct solver *solver) {
    backend_abandon(solver->backend);
}

void solver_spare_process(struct solver *solver) {
    backend_spare_process(solver->backend);
}

void solver_end_at(struct solver *solver, double end_ms) {
    watchdog_end_at(backend_watchdog(solver->backend), end_ms);
}

void solver_interrupt(struct solver *solver) {
    watchdog_interrupt(backend_watchdog(solver->backend));
}

// Encodes the program. False where the run had to stop before, or after errors in the diagnostics.
static bool encode(struct solver_run *run) {
    struct watchdog *watchdog = backend_watchdog(run->backend);
    if (!run_has_room(run, run->program))
        return false;
    struct facts *facts = facts_new(run->arena, run->program);
    facts_assert(run->arena, facts);
    struct bounds *bounds = bounds_new(run->arena, facts, run->model, watchdog, run->diagnostics);
    if (bounds == NULL) {
        run_stopped_early(run);
        return false;
    }
    bounds_narrow(run->arena, facts, bounds);
    facts_assert(run->arena, facts);
    bounds_assert(run->arena, bounds);
    possible_within(run->possible, run->model, bounds);
    run_list_flags(run->arena, run->outcomes, run->model, run->possible);
    double start = watchdog_now_ms();
    backend_share_memory(run->backend, arena_used(run->arena));
    run->encoder = encoder_new(run->arena, run->backend, run->program, bounds,
                               run->options->chain_min, run->diagnostics);
    run_encode_common(run);
    run->outcomes->stats.chains = encode_chains(run->encoder, run->options->chain_min);
    run->outcomes->stats.encode_ms = watchdog_now_ms() - start;
    return true;
}

// False after errors in the diagnostics.
static bool solve(struct solver_run *run) {
    if (!encode(run))
        return !diag_has_errors(run->diagnostics);
    enum truth defined = run_is_defined(run);
    if (defined == TRUTH_YES) {
        outcomes_find(run);
        run_find_flags(run);
    }
    bool ok = defined != TRUTH_NO && !encoder_failed(run->encoder);
    encode_count_pairs(run->encoder, &run->outcomes->stats.pairs_may,
                       &run->outcomes->stats.pairs_must);
    encoder_free(run->encoder);
    return ok;
}

// What is asked of executions that do not end, before all else.
static void ask_endless(struct solver_run *run) {
    const struct program *program = run->program;
    run->hangs_after_loop = TRUTH_NO;
    if (program->spinning != NULL && !expr_is_false(program->limits.bound_reached))
        outcomes_set_flag(run->arena, run->outcomes, FLAG_BOUND, run_ask_past_bound(run));
    if (program->spinning != NULL && !expr_is_false(program->limits.trapped))
        outcomes_set_flag(run->arena, run->outcomes, FLAG_TRAP, run_ask_trap(run));
    bool has_loop =
        !expr_is_true(program->assumption) || !expr_is_false(program->limits.bound_reached);
    if (has_loop && possible_barrier(program))
        run->hangs_after_loop = run_ask_hang_after_loop(run);
    if (run->outcomes->termination.is_asked)
        run_ask_termination(run);
}

// What is left when something went wrong: the reason, and no state, verdict or flag.
static struct outcomes *without_answers(const struct solver_run *run) {
    struct outcomes *outcomes =
        outcomes_unknown(run->arena, run->program, run->model, run->options, run->error);
    outcomes->reason_text = run->error_text;
    outcomes->stats = run->outcomes->stats;
    return outcomes;
}

// Where a flag leaves the program undefined, the verdict is that of the axioms that hold in any
// program: on a program in which a value may be whatever it depends on.
static void decide_in_any_program(struct solver *solver, struct solver_run *run) {
    const struct model *model = model_in_any_program(run->arena, run->model);
    struct program_options program_options = run->program->options;
    struct solver_options options = *run->options;
    struct diagnostics ignored; // what had no errors before may have some without thin air
    diagnostics_init(&ignored, run->arena);
    program_options.no_thin_air = false;
    options.verdict_only = true;
    options.dump_smt2 = NULL;
    options.proof = NULL;
    options.both_engines = false;
    options.other_count = 0;
    if (!run->taken_back || run->is_open || model == NULL)
        return;
    const struct program *program =
        program_build(run->arena, run->program->test, &program_options, &ignored);
    const struct outcomes *outcomes =
        program == NULL ? NULL : solver_run(solver, run->arena, program, model, &options, &ignored);
    if (outcomes == NULL ||
        (outcomes->verdict != VERDICT_FORBIDDEN && outcomes->verdict != VERDICT_ALWAYS))
        return;
    run->outcomes->verdict = outcomes->verdict;
}

static struct outcomes *run_once(struct solver *solver, struct arena *arena,
                                 const struct program *program, const struct model *model,
                                 const struct solver_options *options,
                                 struct diagnostics *diagnostics) {
    struct solver_run run = run_start(solver, arena, program, model, options, diagnostics);
    ask_endless(&run);
    backend_begin(solver->backend, options->memory_mb,
                  options->dump_smt2 != NULL || options->proof != NULL);
    bool ok = solve(&run);
    run_doubt_termination(&run);
    run.outcomes->stats.events = program->event_count;
    backend_count(run.backend, &run.outcomes->stats);
    run_end_problem(&run);
    watchdog_finish(backend_watchdog(solver->backend));
    if (ok && run.error == REASON_NONE)
        decide_in_any_program(solver, &run);
    if (!ok)
        return NULL;
    struct outcomes *outcomes = run.error != REASON_NONE ? without_answers(&run) : run.outcomes;
    outcomes_assert(program, outcomes);
    return outcomes;
}

// What is left of the seconds that the options give a run.
static double time_left(const struct solver_options *options, double begun_ms) {
    static const double least_seconds = 1e-3; // for 0 means no limit
    double left = options->timeout_seconds - (watchdog_now_ms() - begun_ms) / 1e3;
    return options->timeout_seconds <= 0 ? 0 : left > least_seconds ? left : least_seconds;
}

// --- What relies on threads that are left out ---------------------------------------------------

static bool is_found(const struct flag *flag, const struct outcomes *certain) {
    for (size_t i = 0; certain != NULL && i < certain->flag_count; i++) {
        const struct flag *other = &certain->flags[i];
        bool same = flag->kind == other->kind &&
                    (flag->name == NULL || strcmp(flag->name, other->name) == 0);
        if (same && other->holds == TRUTH_YES)
            return true;
    }
    return false;
}

// Events of a program and of one that was built of the same test again.
static bool is_same_event(const struct event *a, const struct event *b) {
    return a->thread == b->thread && a->instruction == b->instruction && a->kind == b->kind;
}

static bool is_race_of(const struct program *program, const struct race *race,
                       const struct program *other_program, const struct race *other) {
    const struct event *a = &program->events[race->events[0]],
                       *b = &program->events[race->events[1]],
                       *x = &other_program->events[other->events[0]],
                       *y = &other_program->events[other->events[1]];
    return (is_same_event(a, x) && is_same_event(b, y)) ||
           (is_same_event(a, y) && is_same_event(b, x));
}

// Whether a flag says that something is wrong with an execution. That no execution ends is said of
// all of them: there are no others.
static bool is_fault(const struct flag *flag) {
    return flag->race || flag->undefined || flag->kind == FLAG_HANG || flag->kind == FLAG_TRAP;
}

// What is found, and what of it is found among the executions that rely on nothing; NULL: nothing.
static void tell_apart(const struct program *program, struct outcomes *outcomes,
                       const struct program *certain_program, const struct outcomes *certain) {
    for (size_t i = 0; i < outcomes->flag_count; i++)
        outcomes->flags[i].possible = outcomes->flags[i].holds == TRUTH_YES &&
                                      is_fault(&outcomes->flags[i]) &&
                                      !is_found(&outcomes->flags[i], certain);
    for (size_t i = 0; i < outcomes->race_count; i++) {
        bool found = false;
        for (size_t k = 0; certain != NULL && !found && k < certain->race_count; k++)
            found = is_race_of(program, &outcomes->races[i], certain_program, &certain->races[k]);
        outcomes->races[i].possible = !found;
    }
    outcomes->termination.possible = outcomes->termination.always == TRUTH_NO &&
                                     (certain == NULL || certain->termination.always != TRUTH_NO);
}

static bool finds_fault(const struct outcomes *outcomes) {
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (outcomes->flags[i].holds == TRUTH_YES && is_fault(&outcomes->flags[i]))
            return true;
    return outcomes->termination.always == TRUTH_NO;
}

// Marks what is found only in executions that rely on what is taken for granted of threads that a
// launch leaves out, with what is left of the time.
static void find_certain(struct solver *solver, struct arena *arena, const struct program *program,
                         const struct model *model, const struct solver_options *all_options,
                         struct outcomes *outcomes, double begun_ms) {
    struct solver_options options = *all_options;
    struct program_options program_options = program->options;
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    if (program_options.certain || !finds_fault(outcomes) || expr_is_false(program->relies))
        return;
    tell_apart(program, outcomes, NULL, NULL);
    program_options.certain = true;
    options.verdict_only = true;
    options.dump_smt2 = NULL;
    options.proof = NULL;
    options.both_engines = false;
    options.timeout_seconds = time_left(all_options, begun_ms);
    const struct program *certain = program_build(arena, program->test, &program_options, &ignored);
    if (certain == NULL || expr_is_false(certain->given))
        return;
    const struct outcomes *found = run_once(solver, arena, certain, model, &options, &ignored);
    if (found != NULL)
        tell_apart(program, outcomes, certain, found);
}

// The options of the second engine, with what is left of the time.
static struct solver_options second_options(const struct solver_options *options, double begun_ms) {
    struct solver_options second = *options;
    second.engine = options->engine == ENGINE_Z3 ? ENGINE_CADICAL : ENGINE_Z3;
    second.dump_smt2 = second.proof = NULL;
    second.timeout_seconds = time_left(options, begun_ms);
    return second;
}

struct outcomes *solver_run(struct solver *solver, struct arena *arena,
                            const struct program *program, const struct model *model,
                            const struct solver_options *options, struct diagnostics *diagnostics) {
    double begun_ms = watchdog_now_ms();
    struct outcomes *outcomes = run_once(solver, arena, program, model, options, diagnostics);
    if (outcomes != NULL)
        find_certain(solver, arena, program, model, options, outcomes, begun_ms);
    if (!options->both_engines || outcomes == NULL)
        return outcomes;
    const struct solver_options second = second_options(options, begun_ms);
    const struct outcomes *other = run_once(solver, arena, program, model, &second, diagnostics);
    if (other == NULL)
        bug("a program that one engine takes is refused with the other");
    run_compare_engines(program, options, outcomes, other, second.engine);
    return other->reason == REASON_NONE || outcomes->reason != REASON_NONE
               ? outcomes
               : run_unchecked(arena, program, model, options, outcomes, other);
}

enum truth solver_find(struct solver *solver, struct arena *arena, const struct program *program,
                       const struct model *model, const struct solver_options *options,
                       const struct find_question *question, enum unknown_reason *reason,
                       found_visitor visit, void *context) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    struct solver_run run = run_start(solver, arena, program, model, options, &ignored);
    enum truth answer = TRUTH_UNKNOWN;
    backend_begin(solver->backend, options->memory_mb, false);
    if (encode(&run)) {
        if (run_is_defined(&run) == TRUTH_YES)
            answer = run_find(&run, question, visit, context);
        if (encoder_failed(run.encoder))
            answer = TRUTH_UNKNOWN;
        encoder_free(run.encoder);
    }
    run_end_problem(&run);
    watchdog_finish(backend_watchdog(solver->backend));
    *reason = run.error != REASON_NONE ? run.error : run.outcomes->reason;
    return run.error != REASON_NONE ? TRUTH_UNKNOWN : answer;
}
