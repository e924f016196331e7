// Runs the threads of a launch in turn, each until it has to wait for others.
#include "launch/aligned.h"
#include "launch/barrier.h"
#include "launch/cancel.h"
#include "launch/cluster.h"
#include "launch/grid.h"
#include "launch/maps.h"
#include "launch/mbarrier.h"
#include "launch/product.h"
#include "launch/races.h"
#include "launch/tensor.h"
#include "launch/tensormap.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// A thread executes so many instructions before the others have their turn.
enum { SLICE = 1 << 12 };

// --- What is met -------------------------------------------------------------------------------

// Threads are to have turns at both accesses, where one of them gives on what it reads, or others
// have turns there.
static void give_turns_at(struct machine *machine, const struct shadow_access *earlier,
                          const struct shadow_access *later, unsigned object) {
    size_t before = machine->sensitive.count;
    if (!earlier->observes && !later->observes &&
        !order_has_place(machine, object, later->offset, later->size))
        return;
    run_note_sensitive(machine, earlier->instruction);
    run_note_sensitive(machine, later->instruction);
    if (machine->sensitive.count > before)
        machine->is_over = true;
}

static bool is_cas(const struct shadow_access *access) {
    return access->is_atomic && access->instruction->atomic == ATOMIC_CAS;
}

// Whether a strong write is ordered before another access since it has been observed; what an
// atomic operation reads is not. Where threads have no turns that is not known, nor whether a
// compare-and-swap writes.
static bool is_ordered_otherwise(struct machine *machine, const struct shadow_access *earlier,
                                 const struct shadow_access *later, unsigned object) {
    bool is_strong = earlier->writes && earlier->scope != SCOPE_NONE;
    if (machine->exploration == NULL) {
        machine->synchronises_otherwise |= is_strong || is_cas(earlier) || is_cas(later);
        return false;
    }
    return is_strong && !(earlier->is_atomic && later->writes) &&
           order_is_observed(machine, earlier, object, &machine->lanes[later->thread].at);
}

static void meet(void *context, enum conflict conflict, const struct shadow_access *earlier,
                 const struct shadow_access *later, unsigned object) {
    struct machine *machine = context;
    bool is_race = conflict == CONFLICT_RACE;
    if (is_race && tensormap_is_one_copy(machine, earlier, later))
        return;
    if (is_race && !is_ordered_otherwise(machine, earlier, later, object))
        races_note(machine->arena, &machine->races, &machine->result, earlier, later,
                   stepper_memory(machine->stepper)->objects[object].variable);
    if (is_race)
        return;
    if (conflict == CONFLICT_PROXY)
        run_give_up(machine, later->instruction,
                    "what it accesses is written through another proxy");
    else if (machine->exploration != NULL)
        give_turns_at(machine, earlier, later, object);
    else if (later->writes && earlier->is_known)
        run_note_sensitive(machine, earlier->instruction);
}

// --- Instructions ------------------------------------------------------------------------------

// Whether an access orders memory in a way that the clocks leave out.
static bool synchronises(const struct machine *machine, const struct instruction *instruction) {
    return machine->exploration == NULL && opcode_family(instruction->opcode) == FAMILY_ACCESS &&
           instruction->order != ORDER_WEAK && instruction->order != ORDER_RELAXED;
}

static bool run_jump(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_BRA: lane->pc = instruction_target(lane->thread, instruction); return true;
    case OP_EXIT:
        lane->exits = true;
        lane->pc = lane->thread->instruction_count;
        return true;
    default: return run_give_up(machine, instruction, "a thread comes to a trap");
    }
}

static bool compute(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction) {
    if (!stepper_compute(machine->stepper, lane->index, lane->registers, instruction))
        return run_give_up(machine, instruction, "it is not known what it computes");
    lane->pc++;
    return true;
}

static bool run_compute(struct machine *machine, struct lane *lane,
                        const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_SETMAXNREG: return run_setmaxnreg(machine, lane, instruction);
    case OP_WARP_MATRIX: return run_warp_matrix(machine, lane, instruction);
    default: return compute(machine, lane, instruction);
    }
}

static void hand_over(struct lane *lane, enum state_space space) {
    if (!state_space_is_shared(space))
        moment_hand_over(&lane->at, CLOCK_GLOBAL);
    if (space != SPACE_GLOBAL)
        moment_hand_over(&lane->at, CLOCK_SHARED);
}

// Executes a fence of the generic proxy. Returns false where the thread waits for its turn.
static bool pass_fence(struct machine *machine, struct lane *lane,
                       const struct instruction *instruction) {
    bool in_turns = instruction->order == ORDER_SC && machine->order.counts_sc;
    const struct shadow_access touch = {.instruction = instruction,
                                        .thread = lane->index,
                                        .actor = lane->at.actor,
                                        .time = lane->at.time,
                                        .size = 1,
                                        .writes = true};
    if (machine->exploration == NULL) {
        machine->synchronises_otherwise = true;
        return true;
    }
    if (in_turns && !lane->turn.is_granted) {
        turn_wait(machine, lane, &touch, SC_OBJECT);
        return false;
    }
    if (in_turns)
        turn_take(machine, lane, &touch);
    order_fence(machine, lane, instruction);
    return true;
}

static bool fence(struct machine *machine, struct lane *lane,
                  const struct instruction *instruction) {
    if (instruction->opcode == OP_FENCE_PROXY && instruction->proxy == PROXY_TENSORMAP &&
        instruction->fence.order != ORDER_NONE)
        return run_tensormap_fence(machine, lane, instruction);
    bool is_plain = instruction->opcode == OP_FENCE && instruction->fence.space == SPACE_GENERIC;
    bool is_async = instruction->opcode == OP_FENCE_PROXY && instruction->proxy == PROXY_ASYNC &&
                    instruction->fence.order == ORDER_NONE && !instruction->fence.from_fabric &&
                    !instruction->fence.to_fabric && instruction->operand_count == 0;
    if (!is_plain && !is_async)
        return run_give_up(machine, instruction, "fences of this kind are not run");
    if (instruction->fence.is_init)
        lane->init_fence = ++lane->at.time;
    if (is_plain && !instruction->fence.is_init && !pass_fence(machine, lane, instruction))
        return true;
    if (is_async && lane->at.heard->parts > 1)
        hand_over(lane, instruction->fence.space);
    lane->pc++;
    return true;
}

static bool run_any_mbarrier(struct machine *machine, struct lane *lane,
                             const struct instruction *instruction) {
    bool is_wait =
        instruction->opcode == OP_MBARRIER_WAIT || instruction->opcode == OP_MBARRIER_WAIT_PARITY;
    return is_wait ? run_wait(machine, lane, instruction)
                   : run_mbarrier(machine, lane, instruction);
}

static bool execute(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction) {
    enum opcode_family family = opcode_family(instruction->opcode);
    machine->synchronises_otherwise |= synchronises(machine, instruction);
    bool is_async = family == FAMILY_MBARRIER || family == FAMILY_COPY || family == FAMILY_WGMMA ||
                    family == FAMILY_TENSOR || family == FAMILY_CANCEL;
    if (lane->products.group != NULL && family != FAMILY_WGMMA &&
        !uses_note(machine, lane, instruction))
        return false;
    if (family == FAMILY_BARRIER || is_async)
        order_leave(machine, lane, NULL);
    lane->block->changes += is_async;
    switch (family) {
    case FAMILY_COMPUTE: return run_compute(machine, lane, instruction);
    case FAMILY_FLOW: return run_jump(machine, lane, instruction);
    case FAMILY_ACCESS:
    case FAMILY_MULTIMEM: return run_access(machine, lane, instruction);
    case FAMILY_FENCE: return fence(machine, lane, instruction);
    case FAMILY_BARRIER: return run_barrier(machine, lane, instruction);
    case FAMILY_WARP: return run_exchange(machine, lane, instruction);
    case FAMILY_MBARRIER: return run_any_mbarrier(machine, lane, instruction);
    case FAMILY_COPY: return run_copy(machine, lane, instruction);
    case FAMILY_CANCEL: return run_cancel(machine, lane, instruction);
    case FAMILY_GRID: return run_grid(machine, lane, instruction);
    case FAMILY_WGMMA: return run_product(machine, lane, instruction);
    case FAMILY_TENSOR: return run_tensor(machine, lane, instruction);
    case FAMILY_TENSORMAP: return run_tensormap(machine, lane, instruction);
    default: return run_give_up(machine, instruction, "instructions of this kind are not run");
    }
}

// Marks what a skipped instruction may have written, where its guard is not known.
static bool skip_perhaps(struct machine *machine, struct lane *lane,
                         const struct instruction *instruction, enum knowledge knowledge) {
    struct step_value unknown = {{0, 0}, knowledge};
    struct bits128 ignored;
    if (opcode_family(instruction->opcode) != FAMILY_COMPUTE || !instruction_defines(instruction) ||
        lane->products.group != NULL)
        return run_known(machine, instruction, unknown, "whether it is executed", &ignored);
    const struct operand *target = &instruction->operands[0];
    for (size_t i = 0; target->kind == OPERAND_VECTOR && i < target->element_count; i++)
        stepper_write(lane->thread, lane->registers, &target->elements[i], unknown, 1, false);
    stepper_write(lane->thread, lane->registers, target, unknown, 1, false);
    lane->pc++;
    return true;
}

// Runs the instruction at which a thread is.
static bool step(struct machine *machine, struct lane *lane) {
    const struct instruction *instruction = &lane->thread->instructions[lane->pc];
    if (instruction->guard < 0)
        return execute(machine, lane, instruction);
    struct step_value guard = lane->registers[instruction->guard];
    if (guard.knowledge != KNOWN)
        return skip_perhaps(machine, lane, instruction, guard.knowledge);
    if ((guard.bits.low != 0) == !instruction->guard_negated)
        return execute(machine, lane, instruction);
    lane->pc++;
    return true;
}

// --- Turns -------------------------------------------------------------------------------------

// The time is looked at when `*next_look` instructions have been executed.
static bool is_over_limit(struct machine *machine, const struct instruction *instruction,
                          uint64_t *next_look) {
    enum { INSTRUCTIONS_UNASKED = 1 << 10 };
    const struct launch_limits *limits = machine->limits;
    bool asks = machine->result.instructions >= *next_look;
    if (asks)
        *next_look = machine->result.instructions + INSTRUCTIONS_UNASKED;
    if (machine->result.instructions >= limits->instructions)
        run_give_up(machine, instruction,
                    arena_format(machine->arena, "its threads execute more than %llu instructions",
                                 (unsigned long long)limits->instructions));
    else if (asks && limits->is_late != NULL && limits->is_late())
        run_give_up(machine, instruction, "the time is over");
    return machine->is_over;
}

// Lets a thread run until it waits, ends or has had its turn.
static bool take_turn(struct machine *machine, struct lane *lane) {
    for (unsigned i = 0; i < SLICE && lane->state == LANE_RUNS; i++) {
        if (lane->pc >= lane->thread->instruction_count) {
            lane->state = LANE_ENDED;
            grid_end(machine, lane);
            return run_end(machine, lane);
        }
        machine->result.instructions++;
        if (!step(machine, lane))
            return false;
    }
    return true;
}

static void note_waits(struct machine *machine) {
    size_t count = machine->test->thread_count;
    machine->result.waits = ARENA_ARRAY(machine->arena, struct launch_wait, count);
    for (size_t i = 0; i < count; i++)
        if (machine->lanes[i].state != LANE_ENDED && machine->lanes[i].state != LANE_BEFORE_GRID)
            machine->result.waits[machine->result.wait_count++] = (struct launch_wait){
                (int)i, machine->lanes[i].blocked,
                machine->goes_round && machine->lanes[i].state == LANE_AT_TURN};
}

static bool give_turn(struct machine *machine) {
    return machine->exploration != NULL && turn_give(machine);
}

// Runs all threads until all have ended, or none can go on.
static void run_threads(struct machine *machine) {
    bool some_run = true, all_ended = false;
    uint64_t next_look = 0;
    while ((some_run || give_turn(machine)) && !machine->is_over) {
        some_run = false;
        all_ended = true;
        for (size_t i = 0; i < machine->test->thread_count && !machine->is_over; i++) {
            struct lane *lane = &machine->lanes[i];
            all_ended &= lane->state == LANE_ENDED;
            if (lane->state != LANE_RUNS)
                continue;
            some_run = true;
            if (take_turn(machine, lane))
                is_over_limit(machine, lane->blocked, &next_look);
        }
    }
    if (machine->exploration != NULL && machine->exploration->is_redundant)
        machine->is_over = true;
    for (size_t i = 0; i < machine->test->thread_count && !machine->is_over; i++)
        if (product_is_awaited(&machine->lanes[i]))
            run_give_up(machine, machine->lanes[i].blocked,
                        "not all threads of its warpgroup come to it");
        else if (tensor_is_awaited(&machine->lanes[i]))
            run_give_up(machine, machine->lanes[i].blocked,
                        "not all threads of its warp come to it");
    if (!machine->is_over && !all_ended)
        note_waits(machine);
    if (!machine->is_over && all_ended)
        aligned_end(machine);
    if (!machine->is_over && all_ended)
        tensor_is_returned(machine);
    if (!machine->is_over)
        tensormaps_end(machine);
    for (size_t b = 0; b < machine->block_count && !machine->is_over && all_ended; b++)
        block_leave(machine, &machine->blocks[b]);
}

// --- Beginning and end -------------------------------------------------------------------------

// Why a test is not run at all; NULL where it is.
static const char *why_not(const struct test *test) {
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

// Makes the blocks, each with room for its threads.
static void make_blocks(struct machine *machine) {
    size_t count = machine->test->thread_count, blocks = 0;
    unsigned number, *sizes = ARENA_ARRAY(machine->scratch, unsigned, count + 1);
    for (size_t i = 0; i < count; i++)
        blocks += sizes[stepper_cta(machine->stepper, (int)i, &number)]++ == 0;
    machine->blocks = ARENA_ARRAY(machine->scratch, struct block, blocks + 1);
    for (size_t i = 0; i < count; i++) {
        if (sizes[i] == 0)
            continue;
        struct block *block = &machine->blocks[machine->block_count++];
        machine->lanes[i].block = block;
        block->lanes = ARENA_ARRAY(machine->scratch, struct lane *, sizes[i]);
    }
}

// Clocks tell CTAs apart where these can hear of each other.
static void start_clocks(struct machine *machine) {
    bool is_async = machine->actors.has_bulk || machine->actors.has_deliveries ||
                    machine->actors.has_products || machine->actors.has_tensors;
    bool is_together = machine->exploration == NULL && machine->test->grid_order_count == 0 &&
                       machine->cluster_count == machine->block_count;
    size_t ctas = is_together ? 1 : machine->block_count;
    size_t parts = is_async ? CLOCK_PARTS + 2 * (ctas - 1) : 1;
    if (machine->actors.has_tensors)
        parts += TENSOR_CLOCK_PARTS;
    struct clock *nothing = clock_new(machine->actors.count, parts);
    for (size_t i = 0; i < machine->test->thread_count; i++) {
        struct lane *lane = &machine->lanes[i];
        lane->at.heard = clock_keep(nothing);
        lane->at.cta = is_together ? 0 : (uint32_t)(lane->block - machine->blocks);
    }
    clock_drop(nothing);
}

// Finds which warps there are, and where their lanes are.
static void start_warps(struct machine *machine) {
    for (size_t b = 0; b < machine->block_count; b++) {
        struct block *block = &machine->blocks[b];
        block->is_dense = true;
        for (unsigned k = 0; k < block->count; k++)
            block->is_dense &= block->lanes[k]->number == k;
        block->first_warp = machine->elections.warp_count;
        machine->elections.warp_count += (block->count + LANES_OF_WARP - 1) / LANES_OF_WARP;
    }
    machine->elections.masks =
        ARENA_ARRAY(machine->scratch, uint32_t, machine->elections.warp_count + 1);
}

static void start_lanes(struct machine *machine) {
    size_t count = machine->test->thread_count;
    machine->lanes = ARENA_ARRAY(machine->scratch, struct lane, count + 1);
    make_blocks(machine);
    machine->actors = actors_of(machine->test);
    for (size_t i = 0; i < count; i++) {
        struct lane *lane = &machine->lanes[i];
        lane->thread = &machine->test->threads[i];
        lane->index = (int)i;
        lane->at = (struct moment){.actor = (uint32_t)i, .time = 1};
        lane->registers =
            ARENA_ARRAY(machine->scratch, struct step_value, lane->thread->register_count + 1);
        stepper_start(machine->stepper, (int)i, lane->registers);
        lane->block = machine->lanes[stepper_cta(machine->stepper, (int)i, &lane->number)].block;
        lane->block->lanes[lane->block->count++] = lane;
    }
    start_warps(machine);
    clusters_start(machine);
    products_start(machine);
    tensors_start(machine);
    tensormaps_start(machine);
    start_clocks(machine);
    grids_start(machine);
    cancel_start(machine);
}

static void end_lanes(struct machine *machine) {
    for (size_t i = 0; i < machine->test->thread_count; i++)
        clock_drop(machine->lanes[i].at.heard);
    for (size_t i = 0; i < machine->test->thread_count; i++)
        lane_order_free(&machine->lanes[i].order);
    for (size_t b = 0; b < machine->block_count; b++)
        for (unsigned k = 0; k < BLOCK_BARRIERS; k++) {
            clock_drop(machine->blocks[b].slots[k].heard);
            clock_drop(machine->blocks[b].slots[k].completed);
            barrier_forget(&machine->blocks[b].slots[k]);
        }
    clusters_free(machine);
    rounds_free(machine);
    mbarriers_free(machine);
    products_free(machine);
    tensors_free(machine);
    grids_free(machine);
    order_free(&machine->order);
}

// Runs the test once.
static void run_once(struct machine *machine, const struct program_options *options) {
    struct arena *arena = machine->scratch;
    struct diagnostics diagnostics;
    const struct shadow_listener listener = {meet, machine};
    diagnostics_init(&diagnostics, arena);
    machine->stepper = stepper_new(arena, machine->test, options, &diagnostics);
    if (machine->stepper == NULL) {
        run_give_up(machine, NULL, "there is an error in it");
        return;
    }
    machine->shadow = shadow_new(arena, machine->stepper, machine->test, &listener);
    start_lanes(machine);
    run_threads(machine);
    if (machine->maps.finder != NULL)
        maps_conclude(machine);
    end_lanes(machine);
    cancel_end(machine);
    machine->result.is_shared |= shadow_is_shared(machine->shadow);
    shadow_free(machine->shadow);
    races_forget(&machine->races);
    stepper_free(machine->stepper);
}

static bool has_fault(const struct machine *machine) {
    const struct launch_result *result = &machine->result;
    return result->race_count > 0 || result->wait_count > 0 || result->misuse != NULL;
}

static void forget_faults(struct launch_result *result) {
    result->race_count = result->wait_count = 0;
    result->misuse = NULL;
}

// Whether all that a run of an order has met are races in tensor memory: what orders execution does
// so whatever it acquires, and the clocks leave nothing of that out (tensor_order.c).
static bool is_of_tensors(const struct machine *machine) {
    const struct launch_result *result = &machine->result;
    const struct variable *variables = machine->test->variables;
    bool all = machine->exploration != NULL && result->race_count > 0 && result->wait_count == 0 &&
               result->misuse == NULL;
    for (size_t i = 0; i < result->race_count && all; i++)
        all = result->races[i].variable == LAUNCH_TENSOR_MEMORY ||
              variables[result->races[i].variable].space == SPACE_TENSOR;
    return all;
}

static void conclude(struct machine *machine) {
    struct launch_result *result = &machine->result;
    if (cancel_is_unasked(machine)) {
        forget_faults(result);
        machine->is_over = result->why != NULL;
    }
    if (has_fault(machine) && machine->synchronises_otherwise && !is_of_tensors(machine)) {
        forget_faults(result);
        run_give_up(machine, NULL,
                    "fences or acquiring and releasing accesses may order its accesses");
    }
    result->answer = has_fault(machine) ? LAUNCH_IS_FAULTY
                     : machine->is_over ? LAUNCH_IS_OPEN
                                        : LAUNCH_IS_FREE;
}

// Runs the test once more, from the start; only what depends on the schedule is known from before.
static void run_again(struct machine *machine, const struct elections *elections,
                      const struct program_options *options) {
    const struct machine before = *machine;
    *machine = (struct machine){
        .arena = before.arena,
        .test = before.test,
        .limits = before.limits,
        .reached = before.reached,
        .is_at_destination = before.is_at_destination,
        .elections = *elections,
        .exploration = before.exploration,
        .order.counts_sc = before.order.counts_sc,
        .order.loose = before.order.loose,
        .sensitive = {before.sensitive.items, before.sensitive.count, before.sensitive.count},
        .maps = {.finder = before.maps.finder},
        .cancels = before.cancels,
        .result.is_shared = before.result.is_shared,
        .result.reaches_out = before.result.reaches_out,
        .result.orders = before.result.orders};
    machine->scratch = arena_new();
    run_once(machine, options);
    arena_free(machine->scratch);
}

// --- Orders ------------------------------------------------------------------------------------

// What a run of one order shows.
static void conclude_order(struct machine *machine) {
    struct launch_result *result = &machine->result;
    const struct loose_reads *loose = &machine->order.loose;
    result->orders++;
    if (has_fault(machine) && !turns_interleave(machine)) {
        forget_faults(result);
        run_give_up(machine, NULL,
                    "it has a fault where reads return old values, if the model allows that");
    } else if (!has_fault(machine) && loose->why != NULL) {
        run_give_up(machine, loose->instruction, loose->why);
    }
    conclude(machine);
}

// Whether threads are to take turns at each fence.sc from now on: where a fault is met without what
// these order, in one order or another.
static bool takes_sc_turns(struct machine *machine) {
    struct run_order *order = &machine->order;
    if (!has_fault(machine) || !order->has_sc || order->counts_sc)
        return false;
    return order->counts_sc = true;
}

// Runs the test in each order in which its unordered accesses can take place.
static void explore(struct machine *machine, const struct elections *elections,
                    const struct program_options *options) {
    enum { RUNS_MAX = 1000, TURNS_IN_ALL = 200000 };
    unsigned runs = 0;
    size_t turns = 0;
    struct arena *kept = arena_new();
    struct exploration *exploration = exploration_new(kept, machine->test->thread_count);
    bool goes_on = true;
    machine->exploration = exploration;
    machine->order.loose = (struct loose_reads){0};
    machine->result.orders = 0;
    while (goes_on) {
        run_again(machine, elections, options);
        if (machine->sensitive.count > machine->sensitive.found_so_far || takes_sc_turns(machine)) {
            exploration_cut(exploration, 0);
            exploration->at = 0;
            machine->result.orders = 0;
            continue;
        }
        if (exploration->is_redundant && machine->order.loose.why == NULL)
            machine->result.answer = LAUNCH_IS_FREE;
        else
            conclude_order(machine);
        goes_on = machine->result.answer == LAUNCH_IS_FREE && exploration_next(exploration);
        turns += exploration->at;
        if (goes_on && (++runs == RUNS_MAX || turns > TURNS_IN_ALL)) {
            run_give_up(machine, NULL, "its accesses can take place in too many orders");
            machine->result.answer = LAUNCH_IS_OPEN;
            goes_on = false;
        }
    }
    exploration_cut(exploration, 0);
    machine->exploration = NULL;
    machine->order.counts_sc = false;
    arena_free(kept);
}

// Whether the order in which threads come is why a run says nothing.
static bool is_open_by_order(const struct machine *machine) {
    return machine->result.answer == LAUNCH_IS_OPEN &&
           (machine->depends_on_order || machine->synchronises_otherwise);
}

// Runs the test with these elections, again where a run has found values that depend on the
// schedule, and in all orders where these matter.
static void run_with(struct machine *machine, const struct elections *elections,
                     const struct program_options *options) {
    enum { RUNS_MAX = 8 };
    machine->sensitive.count = 0;
    machine->result.orders = 0;
    unsigned runs = 0;
    do {
        run_again(machine, elections, options);
        if (++runs == RUNS_MAX && machine->sensitive.count > machine->sensitive.found_so_far)
            run_give_up(machine, NULL, "too many values depend on the order in which threads come");
    } while (machine->sensitive.count > machine->sensitive.found_so_far && runs < RUNS_MAX);
    conclude(machine);
    if (is_open_by_order(machine))
        explore(machine, elections, options);
}

// The same for each way in which the machine can cancel blocks.
static void run_ways(struct machine *machine, const struct elections *elections,
                     const struct program_options *options) {
    enum { WAYS_MAX = 1000 };
    struct arena *kept = arena_new();
    unsigned ways = 0, tried = 0;
    machine->cancels = cancel_ways_new(kept, machine->test);
    do {
        run_with(machine, elections, options);
        ways += !cancel_is_unasked(machine);
    } while (machine->result.answer == LAUNCH_IS_FREE && machine->cancels != NULL &&
             ++tried < WAYS_MAX && cancel_ways_next(machine->cancels));
    if (tried == WAYS_MAX && machine->result.answer == LAUNCH_IS_FREE) {
        machine->is_over = false;
        run_give_up(machine, NULL, "blocks can be cancelled in too many ways");
        machine->result.answer = LAUNCH_IS_OPEN;
    }
    machine->result.ways = machine->cancels != NULL ? ways : 0;
    machine->cancels = NULL;
    arena_free(kept);
}

// How many runs there are where warps elect: one for each way in which they can, or, where these
// are too many, one for each lane.
static unsigned count_runs(struct elections *elections, size_t warps) {
    enum { WAYS_MAX = 64 };
    unsigned ways = 1;
    for (size_t i = 0; i < warps && ways <= WAYS_MAX; i++)
        ways *= elections->base;
    elections->are_alike = ways > WAYS_MAX;
    return elections->are_alike ? elections->base : ways;
}

static struct launch_result run_all(struct arena *arena, const struct test *test,
                                    const struct program_options *options,
                                    const struct launch_limits *limits) {
    struct machine machine = {.arena = arena,
                              .test = test,
                              .limits = limits,
                              .is_at_destination = options->async_destination};
    struct elections elections = {.base = 1};
    bool are_several = false;
    const char *why = why_not(test);
    if (why != NULL)
        return (struct launch_result){.test = test, .answer = LAUNCH_IS_OPEN, .why = why};
    machine.reached = ARENA_ARRAY(arena, uint64_t, test->variable_count + 1);
    for (unsigned runs = 1; elections.number < runs; elections.number++) {
        run_ways(&machine, &elections, options);
        are_several |= machine.elections.are_several;
        machine.result.choices = elections.number + 1;
        machine.result.is_of_alike = elections.are_alike || are_several;
        if (machine.result.answer != LAUNCH_IS_FREE)
            break;
        if (machine.elections.widest > elections.base) { // the first run of all is one of these
            elections.base = machine.elections.widest;
            elections.number = 0;
            runs = count_runs(&elections, machine.elections.warp_count);
        }
    }
    machine.result.test = test;
    machine.result.reached = machine.reached;
    return machine.result;
}

struct launch_result launch_run(struct arena *arena, const struct test *test,
                                const struct program_options *options,
                                const struct launch_limits *limits) {
    struct launch_result result = run_all(arena, test, options, limits);
    struct program_options other = *options;
    other.async_destination = !options->async_destination;
    if (result.race_count > 0 && result.reaches_out) {
        struct launch_result there = run_all(arena, test, &other, limits);
        result.is_by_place = there.answer == LAUNCH_IS_FREE;
    }
    return result;
}

struct launch_maps launch_find_maps(struct arena *arena, const struct test *test,
                                    const struct program_options *options,
                                    const struct launch_limits *limits,
                                    const struct launch_maps *known) {
    enum { RUNS_MAX = 16 };
    struct machine machine = {
        .arena = arena, .test = test, .limits = limits, .maps.finder = maps_new(arena, known)};
    const struct elections elections = {.base = 1};
    if (why_not(test) != NULL)
        return (struct launch_maps){NULL, 0};
    machine.reached = ARENA_ARRAY(arena, uint64_t, test->variable_count + 1);
    for (unsigned runs = 0; runs < RUNS_MAX; runs++) {
        run_again(&machine, &elections, options);
        if (maps_is_done(machine.maps.finder) &&
            machine.sensitive.count == machine.sensitive.found_so_far)
            break;
    }
    return maps_found(machine.maps.finder);
}
