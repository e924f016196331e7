// Questions about executions that do not end: problems of their own, on another program.
//
// That every spin loop ends is assumed of executions with outcomes, and the encoder makes use of it
// everywhere. Here it must not be: a thread may spin for what another one writes only beyond the
// bound, and then no execution within the bound ends (memory-model: waits beyond the bound); or it
// may spin for ever, and others wait at a barrier for it (section 6). So these questions are put to
// programs in which threads may stay in their loops.

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/answer/choices.h"
#include "solver/answer/fates.h"
#include "solver/answer/found.h"
#include "solver/answer/run.h"
#include "solver/check/execution.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Whether some execution of the problem is as all the literals say.
static enum truth check(struct solver_run *run, const literal *literals, size_t count) {
    assert(literals != NULL || count == 0);
    encode_finish(run->encoder);
    if (encoder_failed(run->encoder))
        return TRUTH_UNKNOWN;                               // the run's own problem says why
    switch (backend_check(run->backend, literals, count)) { // unknown too when the encoder stopped
    case ANSWER_SAT: return TRUTH_YES;
    case ANSWER_UNSAT: return TRUTH_NO;
    case ANSWER_UNKNOWN: break;
    }
    run_note_undecided(run);
    return TRUTH_UNKNOWN;
}

// Checks the last model of the problem again, an execution that never ends: with fates, as the
// schedule has it; else since some thread waits at a barrier for ever.
static void check_again(struct solver_run *run, const struct program *program,
                        const struct thread_fate *fates) {
    if (!run_checks_executions(run) || backend_failed(run->backend))
        return;
    struct arena *arena = arena_new();
    struct execution *execution = execution_decode(arena, run->encoder, program);
    if (execution != NULL) {
        execution_check(execution, run->model, NULL, false);
        if (fates != NULL)
            check_endless(execution, &run->outcomes->termination.schedule, fates);
        else
            check_hang(execution);
    }
    arena_free(arena);
}

static enum truth check_passes(struct solver_run *run, const struct program *program) {
    literal passes = encode_condition(run->encoder, program->limits.bound_reached);
    return check(run, &passes, 1);
}

static enum truth check_trap(struct solver_run *run, const struct program *program) {
    literal literals[] = {encode_condition(run->encoder, program->limits.trapped),
                          -encode_condition(run->encoder, program->limits.out_of_bounds)};
    return check(run, literals, 2);
}

// Asks of each flag that is there at once whether an execution has it that hangs: `literals`, of
// which the last is free, say so.
static void check_flags(struct solver_run *run, const struct program *program,
                        literal literals[static 4]) {
    run->flags_after_loop = ARENA_ARRAY(run->arena, enum truth, run->model->axiom_count + 1);
    for (size_t i = 0; i < run->model->axiom_count; i++) {
        const struct model_axiom *axiom = &run->model->axioms[i];
        run->flags_after_loop[i] = TRUTH_NO;
        if (axiom->use != AXIOM_FLAG || !axiom->at_once)
            continue;
        literals[3] = encode_axiom(run->encoder, axiom, true);
        if (literals[3] != LITERAL_FALSE || backend_failed(run->backend))
            run->flags_after_loop[i] = check(run, literals, 4);
        if (run->flags_after_loop[i] == TRUTH_YES)
            check_again(run, program, NULL);
    }
}

static enum truth check_hangs(struct solver_run *run, const struct program *program) {
    literal literals[4] = {encode_hang(run->encoder),
                           -encode_condition(run->encoder, program->endings->beyond),
                           -encode_condition(run->encoder, program->limits.out_of_bounds)};
    if (literals[0] == LITERAL_FALSE && !backend_failed(run->backend))
        return TRUTH_NO;
    enum truth hangs = check(run, literals, 3);
    if (hangs == TRUTH_YES)
        check_again(run, program, NULL);
    if (hangs != TRUTH_NO)
        check_flags(run, program, literals);
    return hangs;
}

// --- Executions that never end -----------------------------------------------------------------

static enum truth ask_choices(void *run, const literal *literals, size_t count) {
    return check(run, literals, count);
}

// As many threads as can, in their order, come to their end; the others stay in the first loop that
// they can.
static bool choose_fates(struct choices *choices) {
    const struct program *program = choices->program;
    const struct endings *endings = program->endings;
    for (size_t t = 0; t < program->test->thread_count; t++) {
        literal ends = encode_condition(choices->encoder, endings->ends[t]);
        if (!choices_take(choices, &ends, 1))
            return false;
    }
    for (size_t i = 0; i < endings->stay_count; i++) {
        literal stays = encode_condition(choices->encoder, endings->stays[i].condition);
        if (!choices_take(choices, &stays, 1))
            return false;
    }
    return true;
}

// Makes the last model that of one execution, the same every time; `literals` say what it is like.
// False when a limit was reached.
static bool choose_execution(struct solver_run *run, const struct program *program,
                             const literal *literals, size_t count) {
    struct choices choices = {
        .encoder = run->encoder, .program = program, .ask = ask_choices, .context = run};
    for (size_t i = 0; i < count; i++)
        literals_add(&choices.asked, literals[i]);
    bool chosen =
        choose_fates(&choices) && choices_make(&choices) && choices_ask(&choices) == TRUTH_YES;
    free(choices.asked.at);
    return chosen;
}

static void show_endless(struct solver_run *run, const struct program *program,
                         const literal *literals, size_t count) {
    struct termination *termination = &run->outcomes->termination;
    if (run->options->endless_execution) {
        if (!choose_execution(run, program, literals, count))
            return;
        termination->execution = found_decode(run->arena, run->encoder, program, run->model, false);
    }
    termination->fates = fates_in_model(run->arena, run->encoder, program);
    check_again(run, program, termination->fates);
}

// Whether some execution never ends, as the schedule has it, and how its threads fare there.
static enum truth find_endless(struct solver_run *run, const struct program *program) {
    struct termination *termination = &run->outcomes->termination;
    literal inside = -encode_condition(run->encoder, program->limits.out_of_bounds);
    literal literals[] = {encode_endless(run->encoder, &termination->schedule), inside,
                          -encode_condition(run->encoder, program->endings->beyond)};
    literal beyond[] = {encode_condition(run->encoder, program->limits.bound_reached), inside};
    enum truth endless = literals[0] == LITERAL_FALSE && !backend_failed(run->backend)
                             ? TRUTH_NO
                             : check(run, literals, 3);
    if (endless == TRUTH_YES)
        show_endless(run, program, literals, 3);
    if (endless != TRUTH_NO || expr_is_false(program->limits.bound_reached))
        return endless;
    enum truth past = check(run, beyond, 2);
    termination->past_bound = past == TRUTH_YES;
    return past == TRUTH_NO ? TRUTH_NO : TRUTH_UNKNOWN;
}

// Puts a question to a program, if there is one and it has room; meanwhile the run has its encoder.
static enum truth ask(struct solver_run *run, const struct program *program,
                      enum truth (*question)(struct solver_run *, const struct program *)) {
    struct watchdog *watchdog = backend_watchdog(run->backend);
    struct diagnostics unused; // the run's own problem has the same errors
    diagnostics_init(&unused, run->arena);
    if (program == NULL || !run_has_room(run, program))
        return TRUTH_UNKNOWN;
    struct facts *facts = facts_new(run->arena, program);
    struct bounds *bounds = bounds_new(run->arena, facts, run->model, watchdog, &unused);
    if (bounds == NULL)
        return TRUTH_UNKNOWN; // and so will be what follows
    bounds_narrow(run->arena, facts, bounds);
    backend_begin(run->backend, run->options->memory_mb, false);
    backend_share_memory(run->backend, arena_used(run->arena));
    run->encoder =
        encoder_new(run->arena, run->backend, program, bounds, run->options->chain_min, &unused);
    encode_counters(run->encoder, run->options->chain_min);
    enum truth answer = question(run, program);
    encoder_free(run->encoder);
    run->encoder = NULL;
    run_end_problem(run);
    return answer;
}

enum truth run_ask_past_bound(struct solver_run *run) {
    return ask(run, run->program->spinning, check_passes);
}

enum truth run_ask_trap(struct solver_run *run) {
    return ask(run, run->program->spinning, check_trap);
}

static enum truth ask_endless(struct solver_run *run) {
    enum { ROUNDS = 4 };
    struct diagnostics unused;
    diagnostics_init(&unused, run->arena);
    if (run->program->test->grid_order_count > 0 && possible_loop(run->program))
        return TRUTH_UNKNOWN; // a grid that never ends keeps others from starting: not encoded
    bool starve = run->outcomes->termination.progress != PROGRESS_FAIR;
    return ask(run,
               program_build_endless(run->arena, run->program->test, &run->program->options, ROUNDS,
                                     starve, &unused),
               find_endless);
}

void run_ask_termination(struct solver_run *run) {
    enum truth endless = ask_endless(run);
    run->outcomes->termination.always = endless == TRUTH_YES  ? TRUTH_NO
                                        : endless == TRUTH_NO ? TRUTH_YES
                                                              : TRUTH_UNKNOWN;
}

static bool allocates_in_pairs(const struct test *test) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            const struct instruction *instruction = &test->threads[t].instructions[i];
            if (instruction->of_pair &&
                opcode_has(instruction->opcode, TRAIT_ALLOCATES | TRAIT_FREES))
                return true;
        }
    return false;
}

// Whether an instruction gives its thread what is in memory: not in an mbarrier, where waits are
// seen, nor in tensor memory, which gives nothing to wait for.
static bool is_load(const struct instruction *instruction) {
    unsigned loads = EFFECT_READS | EFFECT_DEFINES;
    return (opcode_effects(instruction->opcode) & loads) == loads &&
           !instruction_is_tensor(instruction) &&
           opcode_family(instruction->opcode) != FAMILY_MBARRIER;
}

// Whether a thread goes round in a loop that reads memory, for which it may wait.
static bool reads_in_loop(const struct thread *thread) {
    for (size_t end = 0; end < thread->instruction_count; end++) {
        const struct instruction *jump = &thread->instructions[end];
        if ((opcode_effects(jump->opcode) & EFFECT_JUMPS) == 0)
            continue;
        for (size_t i = instruction_target(thread, jump); i < end; i++)
            if (is_load(&thread->instructions[i]))
                return true;
    }
    return false;
}

// "The first warp to perform could block until the second warp in the Peer CTA also performs the
// operation" (PTX ISA 9.7.16.5). That one CTA may wait for the other over barriers and mbarriers is
// misuse, and over memory it is in the loop of a thread.
void run_doubt_termination(struct solver_run *run) {
    struct termination *termination = &run->outcomes->termination;
    const struct test *test = run->program->test;
    bool blocks = true;
    if (termination->always != TRUTH_YES || test == NULL || !allocates_in_pairs(test))
        return;
    for (size_t i = 0; i < run->outcomes->flag_count; i++) {
        const struct flag *flag = &run->outcomes->flags[i];
        if (flag->kind == FLAG_MODEL && strcmp(flag->name, "tensor-misuse") == 0)
            blocks = flag->holds != TRUTH_NO;
    }
    for (size_t t = 0; t < test->thread_count && !blocks; t++)
        blocks = reads_in_loop(&test->threads[t]);
    if (!blocks)
        return;
    termination->may_block = true;
    termination->always = TRUTH_UNKNOWN;
}

enum truth run_ask_hang_after_loop(struct solver_run *run) {
    struct diagnostics unused;
    diagnostics_init(&unused, run->arena);
    return ask(run,
               program_build_endless(run->arena, run->program->test, &run->program->options, 2,
                                     false, &unused),
               check_hangs);
}
