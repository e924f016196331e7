// Runs the threads of a launch in turn, each until it has to wait for others.
#include "launch/internal.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// A thread executes so many instructions before the others have their turn.
enum { SLICE = 1 << 12 };

bool run_give_up(struct run *run, const struct instruction *instruction, const char *why) {
    if (run->is_over)
        return false;
    run->is_over = true;
    run->result.why = why;
    run->result.open = instruction;
    return false;
}

// --- Values ------------------------------------------------------------------------------------

bool run_known(struct run *run, const struct instruction *instruction, struct step_value word,
               const char *what, struct bits128 *bits) {
    *bits = word.bits;
    if (word.knowledge == KNOWN)
        return true;
    const char *reason = word.knowledge == UNKNOWN_SCHEDULE
                             ? "depends on the order in which threads come"
                         : word.knowledge == UNWRITTEN ? "is of a register that nothing has written"
                                                       : "depends on contents that are not known";
    return run_give_up(run, instruction, arena_format(run->arena, "%s %s", what, reason));
}

bool run_number(struct run *run, struct lane *lane, const struct instruction *instruction,
                const struct operand *operand, const char *what, uint32_t *number) {
    struct bits128 bits;
    struct step_value word =
        stepper_value(run->stepper, lane->index, lane->registers, operand, 32, false);
    bool is_known = run_known(run, instruction, word, what, &bits);
    *number = (uint32_t)bits.low;
    return is_known;
}

// --- What is met -------------------------------------------------------------------------------

static struct launch_access access_of(const struct touch *touch) {
    return (struct launch_access){.thread = touch->thread,
                                  .instruction = touch->instruction,
                                  .writes = touch->writes,
                                  .is_atomic = touch->is_atomic,
                                  .is_detached = touch->actor != (uint32_t)touch->thread,
                                  .size = touch->size,
                                  .offset = touch->offset};
}

static bool is_race_of(const struct launch_race *race, const struct touch *a,
                       const struct touch *b) {
    const struct launch_access *x = &race->accesses[0], *y = &race->accesses[1];
    return (x->instruction == a->instruction && y->instruction == b->instruction &&
            x->writes == a->writes && y->writes == b->writes) ||
           (x->instruction == b->instruction && y->instruction == a->instruction &&
            x->writes == b->writes && y->writes == a->writes);
}

static void add_race(struct run *run, const struct touch *earlier, const struct touch *later,
                     unsigned object) {
    struct launch_result *result = &run->result;
    bool is_detached =
        earlier->actor != (uint32_t)earlier->thread || later->actor != (uint32_t)later->thread;
    bool is_mixed =
        !is_detached && (earlier->offset != later->offset || earlier->size != later->size);
    for (size_t i = 0; i < result->race_count; i++) {
        struct launch_race *race = &result->races[i];
        if (is_race_of(race, earlier, later) && race->is_of_mixed_sizes == is_mixed) {
            race->pairs++;
            return;
        }
    }
    result->races =
        arena_grow(run->arena, result->races, result->race_count, sizeof *result->races);
    result->races[result->race_count++] =
        (struct launch_race){.accesses = {access_of(earlier), access_of(later)},
                             .variable = stepper_memory(run->stepper)->objects[object].variable,
                             .is_of_mixed_sizes = is_mixed,
                             .pairs = 1};
}

bool run_is_sensitive(const struct run *run, const struct instruction *instruction) {
    for (size_t i = 0; i < run->sensitive_count; i++)
        if (run->sensitive[i] == instruction)
            return true;
    return false;
}

// What an instruction reads turns out to depend on the schedule: the run is to begin again.
static void add_sensitive(struct run *run, const struct instruction *instruction) {
    if (run_is_sensitive(run, instruction))
        return;
    run->sensitive =
        arena_grow(run->arena, run->sensitive, run->sensitive_count, sizeof *run->sensitive);
    run->sensitive[run->sensitive_count++] = instruction;
}

static void meet(void *context, enum meeting meeting, const struct touch *earlier,
                 const struct touch *later, unsigned object) {
    struct run *run = context;
    if (meeting == MEET_RACE)
        add_race(run, earlier, later, object);
    else if (meeting == MEET_PROXY)
        run_give_up(run, later->instruction, "what it accesses is written through another proxy");
    else if (later->writes && earlier->is_known)
        add_sensitive(run, earlier->instruction);
}

// --- Instructions ------------------------------------------------------------------------------

// Whether an access orders memory in a way that the clocks leave out.
static bool synchronises(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_ACCESS &&
           instruction->order != ORDER_WEAK && instruction->order != ORDER_RELAXED;
}

static bool run_jump(struct run *run, struct lane *lane, const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_BRA: lane->pc = instruction_target(lane->thread, instruction); return true;
    case OP_EXIT: lane->pc = lane->thread->instruction_count; return true;
    default: return run_give_up(run, instruction, "a thread comes to a trap");
    }
}

static bool compute(struct run *run, struct lane *lane, const struct instruction *instruction) {
    if (!stepper_compute(run->stepper, lane->index, lane->registers, instruction))
        return run_give_up(run, instruction, "it is not known what it computes");
    lane->pc++;
    return true;
}

static void hand_over(struct lane *lane, enum state_space space) {
    if (!state_space_is_shared(space))
        moment_hand_over(&lane->at, CLOCK_GLOBAL);
    if (space != SPACE_GLOBAL)
        moment_hand_over(&lane->at, CLOCK_SHARED);
}

static bool fence(struct run *run, struct lane *lane, const struct instruction *instruction) {
    bool is_plain = instruction->opcode == OP_FENCE && instruction->fence.space == SPACE_GENERIC;
    bool is_async = instruction->opcode == OP_FENCE_PROXY && instruction->proxy == PROXY_ASYNC &&
                    instruction->fence.order == ORDER_NONE && !instruction->fence.from_fabric &&
                    !instruction->fence.to_fabric && instruction->operand_count == 0;
    if (!is_plain && !is_async)
        return run_give_up(run, instruction, "fences of this kind are not run");
    run->synchronises_otherwise |= is_plain && !instruction->fence.is_init;
    if (is_async && lane->at.heard->parts > 1)
        hand_over(lane, instruction->fence.space);
    lane->pc++;
    return true;
}

static bool execute(struct run *run, struct lane *lane, const struct instruction *instruction) {
    run->synchronises_otherwise |= synchronises(instruction);
    switch (opcode_family(instruction->opcode)) {
    case FAMILY_COMPUTE: return compute(run, lane, instruction);
    case FAMILY_FLOW: return run_jump(run, lane, instruction);
    case FAMILY_ACCESS: return run_access(run, lane, instruction);
    case FAMILY_FENCE: return fence(run, lane, instruction);
    case FAMILY_BARRIER: return run_barrier(run, lane, instruction);
    case FAMILY_WARP: return run_exchange(run, lane, instruction);
    case FAMILY_MBARRIER: return run_mbarrier(run, lane, instruction);
    case FAMILY_COPY: return run_copy(run, lane, instruction);
    default: return run_give_up(run, instruction, "instructions of this kind are not run");
    }
}

// Marks what a skipped instruction may have written, where its guard is not known.
static bool skip_perhaps(struct run *run, struct lane *lane, const struct instruction *instruction,
                         enum knowledge knowledge) {
    struct step_value unknown = {{0, 0}, knowledge};
    struct bits128 ignored;
    if (opcode_family(instruction->opcode) != FAMILY_COMPUTE || !instruction_defines(instruction))
        return run_known(run, instruction, unknown, "whether it is executed", &ignored);
    const struct operand *target = &instruction->operands[0];
    for (size_t i = 0; target->kind == OPERAND_VECTOR && i < target->element_count; i++)
        stepper_write(lane->thread, lane->registers, &target->elements[i], unknown, 1, false);
    stepper_write(lane->thread, lane->registers, target, unknown, 1, false);
    lane->pc++;
    return true;
}

// Runs the instruction at which a thread is.
static bool step(struct run *run, struct lane *lane) {
    const struct instruction *instruction = &lane->thread->instructions[lane->pc];
    if (instruction->guard < 0)
        return execute(run, lane, instruction);
    struct step_value guard = lane->registers[instruction->guard];
    if (guard.knowledge != KNOWN)
        return skip_perhaps(run, lane, instruction, guard.knowledge);
    if ((guard.bits.low != 0) == !instruction->guard_negated)
        return execute(run, lane, instruction);
    lane->pc++;
    return true;
}

// --- Turns -------------------------------------------------------------------------------------

static bool is_over_limit(struct run *run, const struct instruction *instruction) {
    const struct launch_limits *limits = run->limits;
    if (run->result.instructions >= limits->instructions)
        run_give_up(run, instruction,
                    arena_format(run->arena, "its threads execute more than %llu instructions",
                                 (unsigned long long)limits->instructions));
    else if (limits->is_late != NULL && limits->is_late())
        run_give_up(run, instruction, "the time is over");
    return run->is_over;
}

// Lets a thread run until it waits, ends or has had its turn.
static bool take_turn(struct run *run, struct lane *lane) {
    for (unsigned i = 0; i < SLICE && lane->state == LANE_RUNS; i++) {
        if (lane->pc >= lane->thread->instruction_count) {
            lane->state = LANE_ENDED;
            return run_end(run, lane);
        }
        run->result.instructions++;
        if (!step(run, lane))
            return false;
    }
    return true;
}

static void note_waits(struct run *run) {
    size_t count = run->test->thread_count;
    run->result.waits = ARENA_ARRAY(run->arena, struct launch_wait, count);
    for (size_t i = 0; i < count; i++)
        if (run->lanes[i].state != LANE_ENDED)
            run->result.waits[run->result.wait_count++] =
                (struct launch_wait){(int)i, run->lanes[i].blocked};
}

// Runs all threads until all have ended, or none can go on.
static void run_threads(struct run *run) {
    bool some_run = true, all_ended = false;
    while (some_run && !run->is_over) {
        some_run = false;
        all_ended = true;
        for (size_t i = 0; i < run->test->thread_count && !run->is_over; i++) {
            struct lane *lane = &run->lanes[i];
            all_ended &= lane->state == LANE_ENDED;
            if (lane->state != LANE_RUNS)
                continue;
            some_run = true;
            if (take_turn(run, lane))
                is_over_limit(run, lane->blocked);
        }
    }
    if (!run->is_over && !all_ended)
        note_waits(run);
    if (!run->is_over && all_ended && copies_are_under_way(run))
        run_give_up(run, NULL, "a block ends, and no thread has waited for its copies");
}

// --- Beginning and end -------------------------------------------------------------------------

// Why a test is not run at all; NULL where it is.
static const char *why_not(const struct test *test) {
    if (test->dialect != DIALECT_PTX)
        return "only tests in PTX are run";
    if (test->grid_order_count > 0)
        return "launches that come one after the other are not run";
    for (size_t i = 0; i < test->variable_count; i++)
        if ((test->variables[i].alias_of >= 0 && !test->variables[i].is_same_address) ||
            test->variables[i].is_multimem)
            return "variables with several addresses are not run";
    for (size_t i = 0; i < test->thread_count; i++) {
        if (test->threads[i].place.host)
            return "threads of the host are not run";
        if (test->threads[i].launch != NULL && test->threads[i].launch->modelled != NULL)
            return "the launch leaves threads out";
    }
    return NULL;
}

static struct block *block_of(struct run *run, int leader) {
    struct lane *first = &run->lanes[leader];
    if (first->block == NULL) {
        first->block = &run->blocks[run->block_count++];
        first->block->lanes = ARENA_ARRAY(run->arena, struct lane *, run->test->thread_count);
    }
    return first->block;
}

static void start_lanes(struct run *run) {
    size_t count = run->test->thread_count;
    run->lanes = ARENA_ARRAY(run->arena, struct lane, count + 1);
    run->blocks = ARENA_ARRAY(run->arena, struct block, count + 1);
    run->actors = actors_of(run->test);
    run->latest = ARENA_ARRAY(run->arena, uint32_t, run->actors.count);
    run->accessed = ARENA_ARRAY(run->arena, struct block *, run->actors.count);
    bool is_async = run->actors.has_bulk || run->actors.has_deliveries;
    struct clock *nothing = clock_new(run->actors.count, is_async ? CLOCK_PARTS : 1);
    for (size_t i = 0; i < count; i++) {
        struct lane *lane = &run->lanes[i];
        lane->thread = &run->test->threads[i];
        lane->index = (int)i;
        lane->at = (struct moment){clock_keep(nothing), (uint32_t)i, 1};
        lane->registers =
            ARENA_ARRAY(run->arena, struct step_value, lane->thread->register_count + 1);
        stepper_start(run->stepper, (int)i, lane->registers);
        lane->block = block_of(run, stepper_cta(run->stepper, (int)i, &lane->number));
        lane->block->lanes[lane->block->count++] = lane;
    }
    clock_drop(nothing);
    for (size_t b = 0; b < run->block_count; b++)
        for (unsigned k = 0; k < BLOCK_BARRIERS; k++)
            run->blocks[b].slots[k].waiting =
                ARENA_ARRAY(run->arena, struct lane *, run->blocks[b].count);
}

static void end_lanes(struct run *run) {
    for (size_t i = 0; i < run->test->thread_count; i++)
        clock_drop(run->lanes[i].at.heard);
    for (size_t b = 0; b < run->block_count; b++)
        for (unsigned k = 0; k < BLOCK_BARRIERS; k++) {
            clock_drop(run->blocks[b].slots[k].heard);
            clock_drop(run->blocks[b].slots[k].completed);
        }
    mbarriers_free(run);
}

// Runs the test once; `arena` is for this run alone.
static void run_once(struct run *run, struct arena *arena, const struct program_options *options) {
    struct diagnostics diagnostics;
    const struct shadow_listener listener = {meet, run};
    diagnostics_init(&diagnostics, arena);
    run->stepper = stepper_new(arena, run->test, options, &diagnostics);
    if (run->stepper == NULL) {
        run_give_up(run, NULL, "there is an error in it");
        return;
    }
    run->shadow = shadow_new(arena, run->stepper, run->test, &listener);
    start_lanes(run);
    run_threads(run);
    end_lanes(run);
    shadow_free(run->shadow);
    stepper_free(run->stepper);
}

static void conclude(struct run *run) {
    struct launch_result *result = &run->result;
    bool has_fault = result->race_count > 0 || result->wait_count > 0;
    if (has_fault && run->synchronises_otherwise) {
        result->race_count = result->wait_count = 0;
        run_give_up(run, NULL, "fences or acquiring and releasing accesses may order its accesses");
    }
    result->answer = result->race_count > 0 || result->wait_count > 0 ? LAUNCH_IS_FAULTY
                     : run->is_over                                   ? LAUNCH_IS_OPEN
                                                                      : LAUNCH_IS_FREE;
}

struct launch_result launch_run(struct arena *arena, const struct test *test,
                                const struct program_options *options,
                                const struct launch_limits *limits) {
    enum { RUNS_MAX = 8 };
    struct run run = {.arena = arena, .test = test, .limits = limits};
    const char *why = why_not(test);
    if (why != NULL)
        return (struct launch_result){.answer = LAUNCH_IS_OPEN, .why = why};
    for (unsigned i = 0; i == 0 || run.sensitive_count > run.found_so_far; i++) {
        struct arena *scratch = arena_new();
        run = (struct run){.arena = arena,
                           .test = test,
                           .limits = limits,
                           .sensitive = run.sensitive,
                           .sensitive_count = run.sensitive_count,
                           .found_so_far = run.sensitive_count};
        if (i == RUNS_MAX)
            run_give_up(&run, NULL, "too many values depend on the order in which threads come");
        else
            run_once(&run, scratch, options);
        arena_free(scratch);
    }
    conclude(&run);
    return run.result;
}
