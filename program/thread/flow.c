// Control flow: loops unrolled to a bound, spin loops cut to their last iteration, and branches
// turned into conditions (memory-model section 11).
//
// A place in the unrolled thread is an instruction and, for each loop around it, how often that
// loop has jumped back. Every jump goes to a later place in the lexicographic order of (where the
// outermost loop begins, its count, where the next loop begins, ...), so taking the earliest
// pending place first visits each place once, after all ways to it have joined there.

#include "program/thread/flow.h"
#include "program/builder.h"
#include "program/dependency/influence.h"
#include "program/dependency/dependencies.h"
#include "program/loop/loops.h"
#include "program/thread/async.h"
#include "program/thread/access.h"
#include "program/thread/tensor.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// The most instructions that all threads together may unroll to.
enum { MAX_STEPS = 1 << 16 };

static unsigned depth_at(const struct flow *flow, size_t pc) {
    int loop = flow->loop_of[pc];
    return loop == NO_LOOP ? 0 : flow->loops[loop].depth + 1;
}

// The loop of this depth around an instruction.
static int loop_at(const struct flow *flow, size_t pc, unsigned depth) {
    assert(depth < depth_at(flow, pc));
    int loop = flow->loop_of[pc];
    while (flow->loops[loop].depth > depth)
        loop = flow->loops[loop].parent;
    return loop;
}

// --- Places ------------------------------------------------------------------------------------

static int compare_places(const struct flow *flow, const struct flow_state *a,
                          const struct flow_state *b) {
    unsigned depth_a = depth_at(flow, a->pc), depth_b = depth_at(flow, b->pc);
    for (unsigned depth = 0;; depth++) {
        size_t at_a = depth < depth_a ? a->begins[depth] : a->pc;
        size_t at_b = depth < depth_b ? b->begins[depth] : b->pc;
        if (at_a != at_b)
            return at_a < at_b ? -1 : 1;
        if (depth == depth_a || depth == depth_b)
            return 0; // no loop begins at an instruction that is in none of this depth
        if (a->counts[depth] != b->counts[depth])
            return a->counts[depth] < b->counts[depth] ? -1 : 1;
    }
}

// How many loops are around both of two instructions.
static unsigned common_loops(const struct flow *flow, size_t a, size_t b) {
    unsigned depth = depth_at(flow, a) < depth_at(flow, b) ? depth_at(flow, a) : depth_at(flow, b);
    if (depth == 0)
        return 0;
    int x = loop_at(flow, a, depth - 1), y = loop_at(flow, b, depth - 1);
    while (x != y) {
        x = flow->loops[x].parent;
        y = flow->loops[y].parent;
        depth--;
    }
    return depth;
}

// Notes that a loop jumps back once more in a trial. Returns whether it may.
static bool try_round(struct flow *flow, struct loop *loop, const struct flow_state *state,
                      unsigned count) {
    const struct rounds_trial *trial = flow->builder->plan->trial;
    struct loop_rounds *rounds = &trial->rounds[flow->thread.index][loop->begin];
    loop->uncertain += state->path != loop->path;
    if (count >= trial->most || loop->uncertain > trial->most_uncertain) {
        rounds->goes_on = true;
        return false;
    }
    if (count + 1 > rounds->most)
        rounds->most = count + 1;
    return true;
}

// Whether a state may jump back to where a loop begins when it has done so `count` times.
static bool may_go_round(struct flow *flow, const struct flow_state *state, unsigned count) {
    const struct builder *builder = flow->builder;
    struct loop *loop = &flow->loops[flow->loop_of[state->pc]];
    if (builder->plan->trial != NULL)
        return try_round(flow, loop, state, count);
    if (builder->plan->rounds != NULL) {
        const struct loop_rounds *rounds = &builder->plan->rounds[flow->thread.index][loop->begin];
        if (!rounds->goes_on && count < rounds->most)
            return true;
    }
    // A waiting loop that is cut in its middle jumps back before its first turn begins or is done.
    bool late = loop->of_cta && builder->plan->cuts_late;
    unsigned more = loop->cut == SPIN_NO_CUT ? 0 : late ? 3 : loop->cut != loop->begin ? 2 : 0;
    if (builder->plan->stay_rounds > 0 && loop->cut != SPIN_NO_CUT)
        more = builder->plan->stay_rounds + 2;
    return count < builder->plan->options->unroll || count < more;
}

// Places a state at an instruction: compare_places looks at the loops around it very often.
static void place_at(const struct flow *flow, struct flow_state *state, size_t pc) {
    state->pc = pc;
    for (int i = flow->loop_of[pc]; i != NO_LOOP; i = flow->loops[i].parent)
        state->begins[flow->loops[i].depth] = flow->loops[i].begin;
}

static void leave_loop(struct loop *loop) {
    loop->turns = loop->rounds_noted = loop->turn_list.count = 0;
    loop->entered = loop->widened = false;
}

// Moves a state to another instruction. Returns false when it would pass a loop's bound.
static bool move_to(struct flow *flow, struct flow_state *state, size_t target) {
    unsigned depth = depth_at(flow, target), common = common_loops(flow, target, state->pc);
    for (unsigned i = common; i < flow->max_depth; i++)
        state->counts[i] = 0;
    for (int i = flow->loop_of[target]; i != NO_LOOP && flow->loops[i].depth >= common;
         i = flow->loops[i].parent)
        leave_loop(&flow->loops[i]); // before it is entered again
    bool back = target <= state->pc;
    place_at(flow, state, target);
    return !back || may_go_round(flow, state, state->counts[depth - 1]++);
}

// --- Joins -------------------------------------------------------------------------------------

// Which of two ways was taken: the first way's condition, without what both have in common.
static const struct expr *first_way(const struct expr *a, const struct expr *b) {
    if (a->op != EXPR_AND || b->op != EXPR_AND)
        return a;
    for (unsigned i = 0; i < 2; i++)
        if (a->args[i] == b->args[0] || a->args[i] == b->args[1])
            return a->args[1 - i];
    return a;
}

static void meet(struct flow *flow, struct flow_state *state, const struct flow_state *other) {
    struct builder *builder = flow->builder;
    const struct expr *way = first_way(state->path, other->path);
    const struct expr *undef = expr_or(builder->pool, state->undef, other->undef);
    for (size_t i = 0; i < flow->thread.thread->register_count; i++) {
        struct value *a = &state->registers[i];
        const struct value *b = &other->registers[i];
        bool differ = a->bits != b->bits;
        *a = program_value_meet(builder, way, *a, state->path, *b, other->path);
        if (differ)
            a->undef = expr_or(builder->pool, a->undef, undef);
    }
    state->undef = undef;
    state->unblocked = expr_ite(builder->pool, way, state->unblocked, other->unblocked);
    state->cluster_arrival =
        expr_ite(builder->pool, way, state->cluster_arrival, other->cluster_arrival);
    for (unsigned i = 0; i < ASYNC_SEQUENCES; i++)
        state->commits[i] = expr_ite(builder->pool, way, state->commits[i], other->commits[i]);
    state->path = expr_or(builder->pool, state->path, other->path);
}

// States that have met another serve again: there are never more than places waited for.
static void release(struct flow *flow, struct flow_state *state) {
    state->next = flow->released;
    flow->released = state;
}

static void add_pending(struct flow *flow, struct flow_state *state) {
    struct flow_state **place = &flow->pending;
    int order = 1;
    while (*place != NULL && (order = compare_places(flow, *place, state)) < 0)
        place = &(*place)->next;
    if (*place != NULL && order == 0) {
        meet(flow, *place, state);
        release(flow, state);
        return;
    }
    state->next = *place;
    *place = state;
}

// --- Leaving out iterations --------------------------------------------------------------------

static void drop(struct flow *flow, struct flow_state *state) {
    if (flow->dropped != NULL)
        release(flow, flow->dropped);
    flow->dropped = state;
}

// The next write of an iteration from an event on that a state has done, or NULL.
static const struct event *next_write(struct builder *builder, const struct flow_state *state,
                                      size_t first_event) {
    for (size_t i = first_event; i < builder->program->event_count; i++)
        if (builder->program->events[i].kind == EVENT_WRITE &&
            !excludes(builder, state->path, builder->reaches[i]))
            return &builder->program->events[i];
    return NULL;
}

// Whether the writes that a state has done in the iteration, if any, can be left out. If so, they
// are noted. `wait`: the loop as one of the whole CTA, or NULL.
static bool leaves_out_writes(const struct flow *flow, const struct flow_state *state,
                              const struct loop *loop, const struct cta_wait *wait) {
    struct builder *builder = flow->builder;
    const struct event *write = next_write(builder, state, loop->first_event);
    if (loop->first_commit != flow->thread.commit_count)
        return false; // the number of groups goes from round to round
    for (; write != NULL; write = next_write(builder, state, (size_t)write->id + 1))
        if ((builder->plan->keeps_writes && wait == NULL) ||
            !spin_may_leave_out(builder, write, state->path, wait != NULL))
            return false;
    write = next_write(builder, state, loop->first_event);
    for (; write != NULL; write = next_write(builder, state, (size_t)write->id + 1)) {
        if (private_is_restored(&flow->thread, write, loop->first_event, state->path))
            continue;
        struct left_write *left = ARENA_NEW(builder->arena, struct left_write);
        *left = (struct left_write){write->id, loop->first_event, state->path, wait,
                                    builder->others.writes};
        builder->others.writes = left;
    }
    return true;
}

// Notes a round of a loop that may be a waiting loop of the CTA or warp. It must end in one way.
static void note_round(const struct flow *flow, const struct flow_state *state, struct loop *loop) {
    unsigned round = loop->turns - 1;
    if (round >= 2)
        return;
    if (round < loop->rounds_noted && loop->of_cta)
        flow->builder->loops.cta_parts = true;
    if (round < loop->rounds_noted && loop->of_warp)
        flow->builder->loops.warp_parts = true;
    loop->rounds_noted = round + 1;
    loop->rounds[round] = (struct cta_round){.begin = loop->first_event,
                                             .end = flow->builder->program->event_count,
                                             .path = loop->turn_path,
                                             .again = state->path};
}

// Leaves out further rounds of the whole CTA or warp, if that may be; whether it may, loop/waits.c
// and loop/warp_waits.c find out at last.
static bool group_spins(const struct flow *flow, const struct flow_state *state,
                        const struct loop *loop) {
    struct builder *builder = flow->builder;
    struct cta_wait **waits = loop->of_cta ? &builder->loops.cta_waits : &builder->loops.warp_waits;
    if (loop->turns > 2)
        return false;
    struct cta_wait *wait = ARENA_NEW(builder->arena, struct cta_wait);
    *wait = (struct cta_wait){
        flow->thread.index, {loop->rounds[0], loop->rounds[1]}, loop->turns, *waits};
    if (!leaves_out_writes(flow, state, loop, loop->of_cta ? wait : NULL))
        return false;
    *waits = wait;
    return true;
}

// How many turns a waiting loop does before the last one: none, or one where that may race.
static unsigned turns_kept(const struct flow *flow, const struct loop *loop) {
    return (loop->may_race || loop->of_cta) && flow->builder->plan->options->unroll > 0;
}

// Whether a state has done a turn of a waiting loop without having written to memory, or nothing
// that matters: then the turn can be left out (see loop/spin.c).
static bool spins(const struct flow *flow, const struct flow_state *state, size_t target) {
    int index = flow->loop_of[target];
    if (index == NO_LOOP || flow->loops[index].cut != target || flow->loops[index].turns == 0)
        return false;
    struct loop *loop = &flow->loops[index];
    if (state->pc < loop->begin || state->pc > loop->last)
        return false; // it enters the loop again
    bool of_group = loop->of_cta || loop->of_warp;
    if (of_group)
        note_round(flow, state, loop);
    if (loop->turns <= turns_kept(flow, loop))
        return false;
    return of_group ? group_spins(flow, state, loop) : leaves_out_writes(flow, state, loop, NULL);
}

// What an expression is where the path is taken, as far as it chooses by conditions that the path
// decides.
static const struct expr *on_path(struct expr_pool *pool, const struct expr *expr,
                                  const struct expr *path) {
    while (expr->op == EXPR_ITE) {
        const struct expr *condition = expr->args[0];
        if (expr_is_false(expr_and(pool, path, condition)))
            expr = expr->args[2];
        else if (expr_is_false(expr_and(pool, path, expr_not(pool, condition))))
            expr = expr->args[1];
        else
            break;
    }
    return expr;
}

// No thread repeats a spin loop. So it does not matter what happens to this state, and the
// place that comes next may take it in: often its path is certain then. (One after other barriers
// must not, for executions that are stuck at one of them.) Where threads may stay in spin loops,
// this one does.
static void leave_out(struct flow *flow, struct flow_state *state) {
    struct expr_pool *pool = flow->builder->pool;
    struct program *program = flow->builder->program;
    if (flow->builder->plan->stays_in_loops) {
        drop(flow, state);
        return;
    }
    const struct expr *goes_on = expr_and(pool, state->path, state->unblocked);
    const struct expr *is_left = expr_not(pool, goes_on);
    program->assumption = expr_and(pool, program->assumption, is_left);
    flow->thread.left_spins = expr_and(pool, flow->thread.left_spins, is_left);
    struct flow_state *next = flow->pending;
    if (next != NULL && on_path(pool, next->unblocked, state->path) == state->unblocked) {
        next->path = expr_or(pool, next->path, state->path);
        next->undef = expr_or(pool, next->undef, state->undef);
    }
    drop(flow, state);
}

// Whether a state ends a turn of a loop that leaves nothing in registers.
static struct loop *ended_turn(const struct flow *flow, const struct flow_state *state,
                               size_t target) {
    int index = flow->loop_of[target];
    struct loop *loop = index == NO_LOOP ? NULL : &flow->loops[index];
    bool ends = loop != NULL && loop->cut == target && loop->turns > 0 &&
                state->pc >= loop->begin && state->pc <= loop->last;
    return ends ? loop : NULL;
}

// A state goes on to what is not unrolled.
static void go_beyond(struct flow *flow, struct flow_state *state) {
    struct endings *endings = flow->builder->program->endings;
    struct expr_pool *pool = flow->builder->pool;
    const struct expr *goes_on = expr_and(pool, state->path, state->unblocked);
    if (endings != NULL)
        endings->beyond = expr_or(pool, endings->beyond, goes_on);
    drop(flow, state);
}

// Keeps where a loop begins that would pass the bound.
static void note_loop(struct flow *flow, size_t target) {
    struct program *program = flow->builder->program;
    const struct thread *thread = flow->thread.thread;
    if (target >= thread->instruction_count)
        return;
    const struct instruction *begin = &thread->instructions[target],
                             *first = program->limits.bound_loop;
    program->limits.has_other_bound_loop |= first != NULL && first->span.begin != begin->span.begin;
    if (first == NULL)
        program->limits.bound_loop = begin;
}

// A state would pass the bound, with a jump to `target`.
static void pass_bound(struct flow *flow, struct flow_state *state, size_t target) {
    struct program *program = flow->builder->program;
    note_loop(flow, target);
    struct expr_pool *pool = flow->builder->pool;
    const struct expr *goes_on = expr_and(pool, state->path, state->unblocked);
    program->limits.bound_reached = expr_or(pool, program->limits.bound_reached, goes_on);
    go_beyond(flow, state);
}

static void forget(struct flow *flow, struct flow_state *state, const struct operand *operand) {
    for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
        forget(flow, state, &operand->elements[i]);
    if (operand->kind != OPERAND_REGISTER)
        return;
    unsigned width = flow->thread.thread->registers[operand->reg].width;
    state->registers[operand->reg] = program_value_unknown(flow->builder, width);
}

// Lets one more round stand for all that come after the bound: on any path, with any value in the
// registers that the loop writes, and in memory that only the thread has. Returns false where there
// is no such round, or no second one.
static bool widen(struct flow *flow, struct flow_state *state) {
    struct loop *loop = &flow->loops[flow->loop_of[state->pc]];
    if (!flow->builder->plan->widens || loop->widened)
        return false;
    loop->widened = true;
    if (!flow->builder->loops.widened)
        flow->builder->loops.widened_from = flow->builder->program->event_count;
    flow->builder->loops.widened = true;
    state->path = state->undef = state->unblocked = flow->builder->always;
    for (size_t pc = loop->begin; pc <= loop->last; pc++) {
        const struct instruction *instruction = &flow->thread.thread->instructions[pc];
        if (instruction_defines(instruction))
            forget(flow, state, &instruction->operands[0]);
    }
    private_forget(&flow->thread);
    return true;
}

// Whether a state goes round a loop once more only for what a clock shows in this turn, and nothing
// else happens there. A turn leaves nothing in registers, so that each is like this one: it comes
// to an end, since a clock counts cycles (PTX ISA 10, %clock).
static bool waits_for_time(const struct flow *flow, const struct loop *loop,
                           const struct flow_state *state) {
    const struct expr *clock = flow->thread.clock;
    if (!loop->only_computes || clock == NULL || clock->index < loop->turn_unknowns)
        return false;
    struct arena *scratch = arena_new();
    struct influences *influences = influences_new(scratch, flow->builder->pool);
    bool matters = leaf_list_has(&influence_of(influences, state->path)->certain, clock);
    influences_free(influences);
    arena_free(scratch);
    return matters;
}

// A state does not go round such a loop for ever.
static void leave_for_time(struct flow *flow, struct flow_state *state) {
    struct program *program = flow->builder->program;
    struct expr_pool *pool = flow->builder->pool;
    const struct expr *goes_on = expr_and(pool, state->path, state->unblocked);
    program->given = expr_and(pool, program->given, expr_not(pool, goes_on));
    drop(flow, state);
}

// Lets a state stay in the loop of which it ends a turn. Returns whether nothing of it is left.
static bool stay(struct flow *flow, struct flow_state *state, size_t target) {
    const struct loop *loop = ended_turn(flow, state, target);
    if (loop == NULL)
        return false;
    if (waits_for_time(flow, loop, state)) {
        leave_for_time(flow, state);
        return true;
    }
    state->path = stays_end_round(flow->builder, flow->thread.index, target, &loop->turn_list,
                                  state->path, state->unblocked);
    if (!expr_is_false(state->path) && loop->turn_list.count < flow->builder->plan->stay_rounds)
        return false;
    if (!expr_is_false(state->path) &&
        stays_may_change_longer(flow->builder, flow->thread.index, &loop->turn_list))
        pass_bound(flow, state, target);
    else
        go_beyond(flow, state);
    return true;
}

// Sends a state on, or notes that it would pass the bound.
static void send(struct flow *flow, struct flow_state *state, size_t target) {
    if (expr_is_false(state->path))
        return;
    if (flow->builder->plan->stay_rounds > 0) {
        if (stay(flow, state, target))
            return;
    } else if (spins(flow, state, target)) {
        flow->builder->program->time_passes |=
            waits_for_time(flow, &flow->loops[flow->loop_of[target]], state);
        leave_out(flow, state);
        return;
    }
    if (move_to(flow, state, target) || widen(flow, state))
        add_pending(flow, state);
    else if (flow->builder->plan->widens)
        drop(flow, state); // the round that stands for all has come before
    else
        pass_bound(flow, state, target);
}

static struct flow_state *new_state(struct flow *flow) {
    struct arena *arena = flow->builder->arena;
    struct flow_state *state = flow->released;
    if (state != NULL) {
        flow->released = state->next;
        return state;
    }
    state = ARENA_NEW(arena, struct flow_state);
    state->counts = ARENA_ARRAY(arena, unsigned, flow->max_depth + 1);
    state->begins = ARENA_ARRAY(arena, size_t, flow->max_depth + 1);
    state->registers = ARENA_ARRAY(arena, struct value, flow->thread.thread->register_count + 1);
    return state;
}

static struct flow_state *copy_state(struct flow *flow, const struct flow_state *state) {
    struct flow_state *copy = new_state(flow);
    size_t count = flow->thread.thread->register_count;
    place_at(flow, copy, state->pc);
    copy->path = state->path;
    copy->undef = state->undef;
    copy->unblocked = state->unblocked;
    copy->cluster_arrival = state->cluster_arrival;
    memcpy(copy->commits, state->commits, sizeof copy->commits);
    memcpy(copy->counts, state->counts, flow->max_depth * sizeof *state->counts);
    memcpy(copy->registers, state->registers, count * sizeof *state->registers);
    return copy;
}

// --- Instructions ------------------------------------------------------------------------------

// Sets the guard of an instruction; all that follows depends on it.
static void set_guard(struct flow *flow, const struct flow_state *state,
                      const struct instruction *instruction) {
    struct thread_builder *thread = &flow->thread;
    struct builder *builder = flow->builder;
    thread->registers = state->registers;
    thread->path = state->path;
    thread->unblocked = state->unblocked;
    thread->cluster_arrival = state->cluster_arrival;
    memcpy(thread->commits, state->commits, sizeof thread->commits);
    thread->guard = builder->always;
    thread->guard_undef = builder->never;
    if (instruction->guard >= 0) {
        struct value guard = thread_register(thread, instruction->guard, instruction->span);
        dependencies_control(thread, guard.dependencies, thread->path);
        thread->guard_undef = guard.undef;
        thread->guard = expr_resize(builder->pool, guard.bits, 1, false);
        if (instruction->guard_negated)
            thread->guard = expr_not(builder->pool, thread->guard);
    }
    thread->active = expr_and(builder->pool, thread->path, thread->guard);
}

// Sends a state on to the next instruction where the guard of this one does not hold. Which way it
// goes depends on an unknown value where the guard does, if it comes here.
static void pass_by(struct flow *flow, struct flow_state *state) {
    struct expr_pool *pool = flow->builder->pool;
    const struct expr *rest = expr_and(pool, state->path, expr_not(pool, flow->thread.guard));
    const struct expr *unknown = expr_and(pool, state->path, flow->thread.guard_undef);
    state->undef = expr_or(pool, state->undef, unknown);
    if (expr_is_false(rest))
        return;
    struct flow_state *other = copy_state(flow, state);
    other->path = rest;
    send(flow, other, state->pc + 1);
}

static void jump(struct flow *flow, struct flow_state *state, size_t target) {
    pass_by(flow, state);
    state->path = flow->thread.active;
    send(flow, state, target);
}

// A thread ends by a trap, and with it the launch: what threads do then is not described.
static void run_trap(struct flow *flow, struct flow_state *state) {
    struct builder *builder = flow->builder;
    struct program *program = builder->program;
    const struct expr *traps = expr_and(builder->pool, flow->thread.active, state->unblocked);
    program->limits.trapped = expr_or(builder->pool, program->limits.trapped, traps);
    if (program->endings != NULL)
        program->endings->beyond = expr_or(builder->pool, program->endings->beyond, traps);
    pass_by(flow, state);
    drop(flow, state);
}

// Runs an instruction that goes on to the next one.
static void run_straight(struct flow *flow, struct flow_state *state,
                         const struct instruction *instruction) {
    struct thread_builder *thread = &flow->thread;
    if (expr_is_false(thread->active))
        return;
    execute_instruction(thread, instruction);
    state->unblocked = thread->unblocked;
    state->cluster_arrival = thread->cluster_arrival;
    memcpy(state->commits, thread->commits, sizeof state->commits);
}

// Where loops with barriers are cut late, the first turn begins after the first barrier: then it
// does so in all threads, wherever the compiler has cut the loop in each.
static bool may_begin_turn(const struct flow *flow, const struct loop *loop) {
    const struct program *program = flow->builder->program;
    if (!loop->of_cta || !flow->builder->plan->cuts_late || loop->turns > 0)
        return true;
    for (size_t i = loop->events_before; i < program->event_count; i++)
        if (program->events[i].kind == EVENT_BARRIER)
            return true;
    return false;
}

// Notes where an iteration begins, of the loop that begins here, or a turn of one that is cut here.
static void begin_iteration(struct flow *flow, const struct flow_state *state) {
    int index = flow->loop_of[state->pc];
    if (index == NO_LOOP)
        return;
    for (int i = index; i != NO_LOOP; i = flow->loops[i].parent) {
        if (!flow->loops[i].entered)
            flow->loops[i].events_before = flow->builder->program->event_count;
        flow->loops[i].entered = true;
    }
    struct loop *loop = &flow->loops[index];
    if (loop->begin == state->pc) {
        loop->path = state->path;
        if (state->counts[loop->depth] == 0)
            loop->uncertain = 0;
    }
    if (loop->cut == state->pc && may_begin_turn(flow, loop)) {
        loop->turns++;
        loop->turn_path = state->path;
        if (loop->turn_list.count < STAYS_ROUNDS_MAX)
            loop->turn_list.begins[loop->turn_list.count++] = flow->builder->program->event_count;
        loop->first_event = flow->builder->program->event_count;
        loop->first_commit = flow->thread.commit_count;
        loop->turn_unknowns = flow->builder->unknown_count;
    }
}

// Lets the schedule leave a thread out before it accesses memory or comes to a barrier.
static void starve(struct flow *flow, struct flow_state *state,
                   const struct instruction *instruction) {
    const struct endings *endings = flow->builder->program->endings;
    unsigned effects = opcode_effects(instruction->opcode);
    if ((effects & (EFFECT_READS | EFFECT_WRITES | EFFECT_BARRIER)) != 0)
        state->path = stays_choose(flow->builder, state->path, state->unblocked,
                                   &endings->starved[flow->thread.index]);
}

// An exit that ends the thread.
static void note_end(struct flow *flow, const struct flow_state *state) {
    struct builder *builder = flow->builder;
    const struct expr **ends = &builder->ends.ends[flow->thread.index];
    *ends = expr_or(builder->pool, *ends, expr_and(builder->pool, state->path, state->unblocked));
}

static void run_instruction(struct flow *flow, struct flow_state *state) {
    const struct thread *thread = flow->thread.thread;
    const struct instruction *instruction = &thread->instructions[state->pc];
    begin_iteration(flow, state);
    int loop = flow->loop_of[state->pc];
    flow->thread.lets_time_pass = loop != NO_LOOP && flow->loops[loop].only_computes;
    if (flow->builder->plan->starves)
        starve(flow, state, instruction);
    set_guard(flow, state, instruction);
    if ((opcode_effects(instruction->opcode) & EFFECT_FAILS) != 0) {
        run_trap(flow, state);
        return;
    }
    if (instruction_exits(instruction))
        note_end(flow, state);
    if ((opcode_effects(instruction->opcode) & EFFECT_JUMPS) != 0) {
        jump(flow, state, instruction_target(thread, instruction));
        return;
    }
    run_straight(flow, state, instruction);
    send(flow, state, state->pc + 1);
}

// --- Threads -----------------------------------------------------------------------------------

static void set_initial_registers(struct thread_builder *thread, struct value *values) {
    struct builder *builder = thread->builder;
    const struct thread *source = thread->thread;
    for (size_t i = 0; i < source->register_count; i++) {
        const struct test_register *r = &source->registers[i];
        struct bits128 bits = r->initial;
        values[i].undef = builder->never;
        if (!r->has_initial)
            continue;
        if (r->initial_variable >= 0)
            bits = (struct bits128){.low = thread_address(thread, r->initial_variable, r->span)};
        values[i] = program_value_const(builder, r->width, bits);
    }
}

// Reports a test that unrolls to too much; returns whether it does.
static bool too_many_steps(struct flow *flow) {
    struct builder *builder = flow->builder;
    if (builder->too_many_events)
        return true;
    if (++*flow->steps <= MAX_STEPS)
        return false;
    diag_error(builder->diagnostics, flow->thread.thread->span,
               "the threads unroll to more than %d instructions", (int)MAX_STEPS);
    diag_hint(builder->diagnostics, "--unroll takes a smaller bound than %u",
              builder->plan->options->unroll);
    builder->too_many_events = true;
    return true;
}

static struct flow_state *start_state(struct flow *flow) {
    struct flow_state *state = new_state(flow);
    state->path = flow->builder->always;
    state->undef = flow->builder->never;
    state->unblocked = flow->builder->always;
    state->cluster_arrival = expr_const_u64(flow->builder->pool, 32, UINT32_MAX);
    for (unsigned i = 0; i < ASYNC_SEQUENCES; i++)
        state->commits[i] = expr_const_u64(flow->builder->pool, 32, 0);
    set_initial_registers(&flow->thread, state->registers);
    if (flow->builder->plan->starves && flow->thread.thread->instruction_count > 0) {
        const struct expr *waits = flow->builder->never;
        state->path = stays_choose(flow->builder, state->path, state->unblocked, &waits);
        flow->builder->program->endings->starts[flow->thread.index] = state->path;
    }
    return state;
}

// A thread of a CTA that is cancelled ends before its first instruction.
static void leave_if_cancelled(struct flow *flow) {
    struct builder *builder = flow->builder;
    const struct expr *cancelled = cancel_of_thread(builder, flow->thread.index);
    struct flow_state *state = flow->pending;
    if (expr_is_false(cancelled))
        return;
    struct flow_state *other = copy_state(flow, state);
    other->path = cancelled;
    state->path = expr_and(builder->pool, state->path, expr_not(builder->pool, cancelled));
    send(flow, other, flow->thread.thread->instruction_count);
}

// A thread that never ends within the bound has no final registers; they are only asked for by
// the condition, whose value does not count then.
static struct value *registers_without_end(struct flow *flow) {
    const struct thread *thread = flow->thread.thread;
    struct value *registers = flow->dropped->registers;
    for (size_t i = 0; i < thread->register_count; i++)
        if (registers[i].bits == NULL)
            registers[i] =
                program_value_const(flow->builder, thread->registers[i].width, (struct bits128){0});
    return registers;
}

// Returns the registers at the thread's end; NULL when it was given up.
static struct value *run_thread(struct builder *builder, int index, size_t *steps) {
    const struct thread *thread = &builder->test->threads[index];
    struct flow flow = {.thread = {.builder = builder,
                                   .thread = thread,
                                   .index = index,
                                   .left_spins = builder->always},
                        .builder = builder,
                        .steps = steps};
    flow_find_loops(&flow, thread);
    flow_find_spin_loops(&flow, thread);
    flow.thread.clocks_stopped = flow_find_clocks(&flow) && (builder->plan->options->no_timeouts ||
                                                             builder->test->no_timeouts);
    flow.pending = start_state(&flow);
    leave_if_cancelled(&flow);
    while (flow.pending != NULL) {
        struct flow_state *state = flow.pending;
        if (state->pc == thread->instruction_count) { // the last place of all
            builder->ends.exits[index] = expr_and(builder->pool, state->path, state->unblocked);
            builder->loops.leaves[index] = flow.thread.left_spins;
            memcpy(flow.thread.commits, state->commits, sizeof flow.thread.commits);
            uses_at_end(&flow.thread, state->path);
            return state->registers;
        }
        if (too_many_steps(&flow))
            break;
        flow.pending = state->next;
        run_instruction(&flow, state);
    }
    return flow.dropped == NULL ? NULL : registers_without_end(&flow);
}

void threads_build(struct builder *builder, struct value **final_registers) {
    size_t steps = 0;
    builder->always_control = ARENA_ARRAY(builder->arena, bool, BUILDER_MAX_EVENTS);
    builder->alone.source = ARENA_ARRAY(builder->arena, int, BUILDER_MAX_EVENTS);
    builder->alone.known = ARENA_ARRAY(builder->arena, bool, BUILDER_MAX_EVENTS);
    for (size_t i = 0; i < BUILDER_MAX_EVENTS; i++)
        builder->alone.source[i] = -1;
    builder->ends.exits =
        ARENA_ARRAY(builder->arena, const struct expr *, builder->test->thread_count);
    builder->ends.ends =
        ARENA_ARRAY(builder->arena, const struct expr *, builder->test->thread_count);
    builder->loops.leaves =
        ARENA_ARRAY(builder->arena, const struct expr *, builder->test->thread_count);
    cancel_find_threads(builder);
    for (size_t i = 0; i < builder->test->thread_count; i++) {
        builder->ends.exits[i] = builder->ends.ends[i] = builder->never;
        builder->loops.leaves[i] = builder->always;
        if (builder->plan->only_thread == 0 || builder->plan->only_thread == (int)i + 1)
            final_registers[i] = run_thread(builder, (int)i, &steps);
    }
    excludes_end(builder);
    cancel_set_given(builder);
}
