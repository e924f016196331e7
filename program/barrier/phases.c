// Phases of barriers, once all threads have been run: how many threads a phase has, which arrivals
// and waits may be of one phase, and what a bar.red returns (memory-model section 6).

#include "program/builder.h"
#include "program/barrier/barriers.h"
#include "program/thread/others.h"
#include "program/thread/values.h"
#include "program/thread/warp.h"

#include <assert.h>

struct phase_builder {
    struct builder *builder;
    struct expr_pool *pool;
    const struct event *events;
    unsigned *arrivals; // all of them, in the order of their ids, so thread by thread
    size_t arrival_count;
    size_t *first_of_thread;   // by thread, and one more: into arrivals
    const struct expr **ranks; // by event: see count_all; NULL where phases are not of all threads
    struct counted *counted;   // by group
    // By arrival: what threads that are left out add to the bar.red of a phase of which it is the
    // first; NULL: not asked for yet.
    const struct expr **others;
};

// Which barriers of a group are used with a thread count.
struct counted {
    bool some;          // any of them
    bool some_computed; // some arrival's barrier is not a constant
    uint32_t ids;       // by the constant number of a barrier
};

static const struct expr *number(const struct phase_builder *p, uint64_t value) {
    return expr_const_u64(p->pool, 32, value);
}

static const struct expr *same_id(const struct phase_builder *p, const struct event *a,
                                  const struct event *b) {
    return expr_eq(p->pool, a->barrier->id, b->barrier->id);
}

// --- Phases of all threads ---------------------------------------------------------------------

// How many arrivals of a thread, with ids up to `last`, come to the barrier of an event.
static const struct expr *count_arrivals(const struct phase_builder *p, const struct event *at,
                                         int thread, unsigned last) {
    const struct expr *some = number(p, 0);
    unsigned certain = 0;
    for (size_t i = p->first_of_thread[thread]; i < p->first_of_thread[thread + 1]; i++) {
        const struct event *a = &p->events[p->arrivals[i]];
        if (a->id > last || a->barrier->group != at->barrier->group ||
            a->barrier->instance != at->barrier->instance)
            continue;
        const struct expr *comes = p->builder->reaches[a->id];
        if (a->barrier->id != at->barrier->id)
            comes = expr_and(p->pool, comes, same_id(p, a, at));
        if (expr_is_true(comes))
            certain++;
        else
            some = expr_binary(p->pool, EXPR_ADD, some, expr_resize(p->pool, comes, 32, false));
    }
    return expr_binary(p->pool, EXPR_ADD, some, number(p, certain));
}

// Whether a barrier without a count waits for a thread: one of the CTA or cluster, or of the mask.
static bool takes_part(const struct phase_builder *p, const struct event *at, int thread) {
    if (!barrier_has_thread(p->builder, at->barrier->group, thread))
        return false;
    unsigned lane = barrier_lane(p->builder, thread);
    return p->builder->barrier_groups[at->barrier->group].level != BARRIER_OF_WARP ||
           (at->barrier->id->value.low >> lane & 1);
}

// Whether a thread comes to a barrier as often as `rank` says.
static const struct expr *comes(const struct phase_builder *p, const struct event *at, int thread,
                                const struct expr *rank) {
    return expr_binary(p->pool, EXPR_ULE, rank, count_arrivals(p, at, thread, UINT32_MAX));
}

// A barrier without a count waits for all threads, but those that exit do not hold it up (PTX ISA,
// exit): where an arrival is its thread's n-th, as `rank` says, its phase is of the threads that
// come at least n times, and of those that never exit since they are blocked somewhere else.
static const struct expr *count_all(const struct phase_builder *p, const struct event *at,
                                    const struct expr *rank) {
    struct builder *builder = p->builder;
    const struct expr *count = number(p, 0);
    for (size_t t = 0; t < builder->test->thread_count; t++) {
        if (!takes_part(p, at, (int)t))
            continue;
        const struct expr *stays = expr_not(p->pool, builder->ends.exits[t]);
        const struct expr *counts = expr_or(p->pool, comes(p, at, (int)t, rank), stays);
        count = expr_binary(p->pool, EXPR_ADD, count, expr_resize(p->pool, counts, 32, false));
    }
    return count;
}

// Dat3M waits for all threads of the CTA that contain the instance, and, with an id, for those that
// come there with the same one; where control flow has left the instance out, it waits for ever.
static const struct expr *count_instance(const struct phase_builder *p, const struct event *at) {
    const struct builder *builder = p->builder;
    const struct expr *count = number(p, 0);
    for (size_t t = 0; t < builder->test->thread_count; t++) {
        const struct expr *waited_for = builder->never;
        for (size_t i = p->first_of_thread[t]; i < p->first_of_thread[t + 1]; i++) {
            const struct event *a = &p->events[p->arrivals[i]];
            if (a->barrier->group != at->barrier->group ||
                a->barrier->instance != at->barrier->instance)
                continue;
            const struct expr *same = same_id(p, a, at);
            const struct expr *skipped = expr_not(p->pool, builder->reaches[a->id]);
            waited_for = expr_or(p->pool, waited_for,
                                 expr_is_const(same) ? same : expr_or(p->pool, same, skipped));
        }
        count = expr_binary(p->pool, EXPR_ADD, count, expr_resize(p->pool, waited_for, 32, false));
    }
    return count;
}

// How many threads of the test share the barrier of an event.
static unsigned count_members(const struct phase_builder *p, const struct event *at) {
    unsigned count = 0;
    for (size_t t = 0; t < p->builder->test->thread_count; t++)
        count += takes_part(p, at, (int)t);
    return count;
}

// How many threads that share the barrier of a CTA its launch leaves out.
static unsigned count_left_out(const struct phase_builder *p, const struct event *at) {
    const struct test *test = p->builder->test;
    if (!others_left_out(test, at->thread) ||
        p->builder->barrier_groups[at->barrier->group].level != BARRIER_OF_CTA)
        return 0;
    return others_block_size(test, at->thread) - count_members(p, at);
}

// How many of those may be in a phase of so many threads. A phase of all has them all.
static unsigned count_joining(const struct phase_builder *p, const struct event *at) {
    const struct builder *builder = p->builder;
    unsigned left_out = count_left_out(p, at), most = 0;
    if (left_out == 0 || at->barrier->of_all)
        return left_out;
    const struct expr *id = at->barrier->id;
    const unsigned *arrivals =
        builder->plan->left_stores->arrivals[builder->cta_leader[at->thread]];
    for (unsigned i = 0; i < CTA_BARRIERS; i++)
        if ((!expr_is_const(id) || id->value.low == i) && arrivals[i] > most)
            most = arrivals[i];
    return most;
}

// A thread count of all threads means the same as none.
static void drop_full_count(struct phase_builder *p, struct event *at) {
    if (at->barrier->count != NULL && expr_is_const(at->barrier->count) &&
        at->barrier->count->value.low == count_members(p, at) + count_left_out(p, at))
        at->barrier->count = NULL;
}

static void note_counted(struct phase_builder *p, const struct event *at) {
    struct counted *counted = &p->counted[at->barrier->group];
    bool is_constant = expr_is_const(at->barrier->id);
    counted->some_computed |= !is_constant;
    if (at->barrier->count == NULL)
        return;
    counted->some = true;
    if (is_constant && at->barrier->id->value.low < 32)
        counted->ids |= (uint32_t)1 << at->barrier->id->value.low;
}

// Whether all phases of the barrier at which an arrival is are of all threads.
static bool is_of_all(const struct phase_builder *p, const struct event *at) {
    const struct counted *counted = &p->counted[at->barrier->group];
    if (!counted->some)
        return true;
    return !counted->some_computed && at->barrier->id->value.low < 32 &&
           !(counted->ids >> at->barrier->id->value.low & 1);
}

static void count_threads(struct phase_builder *p, struct event *at) {
    if (p->builder->test->dialect == DIALECT_DAT3M) {
        if (at->barrier->count == NULL)
            at->barrier->count = count_instance(p, at);
        return;
    }
    if (at->barrier->together > 0) {
        p->ranks[at->id] = at->barrier->rank = number(p, at->barrier->together);
        at->barrier->count = number(p, count_members(p, at));
        at->barrier->of_all = true;
        return;
    }
    if (is_of_all(p, at)) {
        p->ranks[at->id] = count_arrivals(p, at, at->thread, at->id);
        at->barrier->count = count_all(p, at, p->ranks[at->id]);
        at->barrier->of_all = true;
        if (!p->counted[at->barrier->group].some_computed)
            at->barrier->rank = p->ranks[at->id];
        return;
    }
    at->barrier->may_be_short = true;
    at->barrier->of_all = at->barrier->count == NULL;
    if (at->barrier->of_all)
        at->barrier->count = number(p, count_members(p, at) + count_left_out(p, at));
    at->barrier->left_out = count_left_out(p, at);
    at->barrier->may_join = count_joining(p, at);
}

static void collect_arrivals(struct phase_builder *p) {
    struct program *program = p->builder->program;
    struct arena *arena = p->builder->arena;
    p->arrivals = ARENA_ARRAY(arena, unsigned, program->event_count);
    p->ranks = ARENA_ARRAY(arena, const struct expr *, program->event_count);
    p->others = ARENA_ARRAY(arena, const struct expr *, program->event_count);
    p->counted = ARENA_ARRAY(arena, struct counted, program->barriers.group_count);
    size_t threads = p->builder->test->thread_count;
    p->first_of_thread = ARENA_ARRAY(arena, size_t, threads + 1);
    for (size_t i = program->init_count; i < program->event_count; i++) {
        if (!event_is_arrival(&program->events[i]))
            continue;
        p->arrivals[p->arrival_count++] = (unsigned)i;
        for (size_t t = (size_t)program->events[i].thread + 1; t <= threads; t++)
            p->first_of_thread[t] = p->arrival_count;
    }
}

// --- Pairs -------------------------------------------------------------------------------------

// Where all phases are of all threads, the n-th arrivals of threads make up the n-th phase.
static bool may_be_of_one_phase(const struct phase_builder *p, const struct event *arrival,
                                const struct event *own) {
    assert(event_is_arrival(arrival));
    const struct expr *equal = expr_eq(p->pool, arrival->barrier->count, own->barrier->count);
    if (arrival->barrier->rank != NULL && own->barrier->rank != NULL)
        equal =
            expr_and(p->pool, equal, expr_eq(p->pool, arrival->barrier->rank, own->barrier->rank));
    return !expr_is_false(equal);
}

// Whether an arrival at the barrier of a wait may be of the phase that the wait is for.
static bool may_release(const struct phase_builder *p, const struct event *arrival,
                        const struct event *wait) {
    assert(event_is_arrival(arrival));
    assert(event_is_wait(wait));
    bool same_thread = arrival->thread == wait->thread;
    if (wait->barrier->quorum)
        return !same_thread || arrival->position < wait->position;
    if (same_thread)
        return (int)arrival->id == wait->barrier->arrival;
    return may_be_of_one_phase(p, arrival, &p->events[wait->barrier->arrival]);
}

static bool may_pair(const struct phase_builder *p, const struct event *arrival,
                     const struct event *wait) {
    assert(event_is_arrival(arrival));
    assert(event_is_wait(wait));
    if (arrival->barrier->together != wait->barrier->together)
        return false;
    return wait->barrier->arrival >= 0 && arrival->barrier->group == wait->barrier->group &&
           arrival->barrier->instance == wait->barrier->instance && may_release(p, arrival, wait) &&
           !expr_is_false(same_id(p, arrival, wait)) &&
           !expr_is_false(expr_and(p->pool, arrival->executes, wait->executes));
}

static void add_pair(struct phase_builder *p, unsigned arrival, unsigned wait) {
    struct program *program = p->builder->program;
    program->barriers.phase_pairs =
        arena_grow(p->builder->arena, program->barriers.phase_pairs,
                   program->barriers.phase_pair_count, sizeof *program->barriers.phase_pairs);
    program->barriers.phase_pairs[program->barriers.phase_pair_count++] =
        (struct phase_pair){arrival, wait};
}

// --- Exits -------------------------------------------------------------------------------------

// Lets a thread's exit release a wait, where the condition holds. `comes`: whether the thread comes
// to the barrier instead, or how often it does.
static void add_exit(struct phase_builder *p, const struct event *released, int thread,
                     const struct expr *condition, const struct expr *comes) {
    assert(condition->width == 1);
    struct program *program = p->builder->program;
    const struct expr *waits_on =
        expr_const_u64(p->pool, comes->width, comes->width == 1 ? 1 : UINT32_MAX);
    program->barriers.exits =
        arena_grow(p->builder->arena, program->barriers.exits, program->barriers.exit_count,
                   sizeof *program->barriers.exits);
    program->barriers.exits[program->barriers.exit_count++] = (struct barrier_exit){
        .thread = thread,
        .released = released->id,
        .condition = condition,
        .decision = expr_ite(p->pool, p->builder->loops.leaves[thread], comes, waits_on),
    };
}

// A wait that is not for all threads of its barrier comes after the others have exited.
static void find_exits(struct phase_builder *p, const struct event *wait) {
    assert(event_is_wait(wait));
    struct builder *builder = p->builder;
    const struct event *own =
        wait->barrier->arrival < 0 ? NULL : &p->events[wait->barrier->arrival];
    if (own == NULL || own->barrier->together > 0 ||
        (p->ranks[own->id] == NULL && !own->barrier->may_be_short))
        return;
    for (size_t t = 0; t < builder->test->thread_count; t++) {
        if ((int)t == wait->thread || !takes_part(p, wait, (int)t) ||
            expr_is_false(builder->ends.exits[t]))
            continue;
        if (own->barrier->may_be_short) {
            add_exit(p, wait, (int)t, builder->always, count_arrivals(p, wait, (int)t, UINT32_MAX));
            continue;
        }
        const struct expr *arrives = comes(p, wait, (int)t, p->ranks[own->id]);
        if (!expr_is_true(arrives))
            add_exit(p, wait, (int)t, expr_not(p->pool, arrives), arrives);
    }
}

// Which threads share the barriers of a group, and which of them end: for phases that lack
// some.
static void note_threads(struct phase_builder *p) {
    struct program *program = p->builder->program;
    size_t threads = p->builder->test->thread_count;
    bool *members = ARENA_ARRAY(p->builder->arena, bool, program->barriers.group_count *threads);
    for (unsigned group = 0; group < program->barriers.group_count; group++)
        for (size_t t = 0; t < threads; t++)
            members[group * threads + t] = barrier_has_thread(p->builder, group, (int)t);
    program->barriers.members = members;
    program->thread_ends = p->builder->ends.exits;
}

bool phases_give_unknown(const struct builder *builder) {
    const struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (event_is_wait(&program->events[i]) &&
            program->events[i].barrier->reduced_undef != NULL &&
            !expr_is_false(program->events[i].barrier->reduced_undef))
            return true;
    return false;
}

// --- Results of bar.red ------------------------------------------------------------------------

// What has been reduced so far, and one more arrival where `in_phase` holds. Arrivals of other
// instructions than bar.red do not contribute; PTX leaves such programs undefined.
static const struct expr *reduce(const struct phase_builder *p,
                                 const struct instruction *instruction, const struct expr *reduced,
                                 const struct expr *in_phase, const struct expr *predicate) {
    const struct expr *counts = expr_and(p->pool, in_phase, predicate);
    if (instruction->bool_op == BOOL_NONE)
        return expr_binary(p->pool, EXPR_ADD, reduced, expr_resize(p->pool, counts, 32, false));
    if (instruction->bool_op == BOOL_OR)
        return expr_or(p->pool, reduced, counts);
    return expr_and(p->pool, reduced, expr_or(p->pool, expr_not(p->pool, in_phase), predicate));
}

// The part of threads that are left out in the reduction of a phase: any, and the same for all
// threads of the phase, which is why it is that of the first arrival there.
static void reduce_others(struct phase_builder *p, const struct event *wait, size_t first) {
    struct event_barrier *of = wait->barrier;
    const struct program *program = p->builder->program;
    const struct expr *given = of->reduced;
    if (!others_give(p->builder, wait) || of->result->width > 1)
        return;
    for (size_t i = program->barriers.phase_pair_count; i-- > first;) {
        unsigned arrival = program->barriers.phase_pairs[i].arrival;
        if (p->others[arrival] == NULL)
            p->others[arrival] = program_value_unknown(p->builder, 1).bits;
        given = expr_ite(p->pool, expr_leaf(p->pool, EXPR_PHASE_PAIR, 1, (unsigned)i),
                         p->others[arrival], given);
    }
    of->reduced = wait->instruction->bool_op == BOOL_AND ? expr_and(p->pool, of->reduced, given)
                                                         : expr_or(p->pool, of->reduced, given);
}

static void reduce_pairs(struct phase_builder *p, const struct event *wait, size_t first) {
    assert(event_is_wait(wait));
    const struct program *program = p->builder->program;
    const struct instruction *instruction = wait->instruction;
    struct event_barrier *of = wait->barrier;
    of->reduced = expr_const_u64(p->pool, of->result->width, instruction->bool_op == BOOL_AND);
    of->reduced_undef = p->builder->never;
    for (size_t i = first; i < program->barriers.phase_pair_count; i++) {
        const struct event *arrival = &p->events[program->barriers.phase_pairs[i].arrival];
        if (arrival->barrier->predicate == NULL)
            continue;
        const struct expr *in_phase = expr_leaf(p->pool, EXPR_PHASE_PAIR, 1, (unsigned)i);
        of->reduced = reduce(p, instruction, of->reduced, in_phase, arrival->barrier->predicate);
        of->reduced_undef = expr_or(p->pool, of->reduced_undef,
                                    expr_and(p->pool, in_phase, arrival->barrier->predicate_undef));
    }
}

// --- All of them -------------------------------------------------------------------------------

static void pair_wait(struct phase_builder *p, struct event *wait) {
    assert(event_is_wait(wait));
    struct builder *builder = p->builder;
    size_t first = builder->program->barriers.phase_pair_count;
    for (size_t i = 0; i < p->arrival_count; i++)
        if (may_pair(p, &p->events[p->arrivals[i]], wait))
            add_pair(p, p->arrivals[i], wait->id);
    find_exits(p, wait);
    if (wait->barrier->result == NULL)
        return;
    if (wait->barrier->reduced != NULL) // by lockstep_find
        return;
    if (wait->barrier->exchanges) {
        warp_reduce(builder, wait, first);
        return;
    }
    reduce_pairs(p, wait, first);
    reduce_others(p, wait, first);
}

void phases_build(struct builder *builder) {
    struct program *program = builder->program;
    struct phase_builder p = {.builder = builder, .pool = builder->pool, .events = program->events};
    if (program->barriers.group_count == 0)
        return;
    collect_arrivals(&p);
    note_threads(&p);
    for (size_t i = 0; i < p.arrival_count; i++) {
        struct event *arrival = &program->events[p.arrivals[i]];
        if (builder->test->dialect != DIALECT_DAT3M)
            drop_full_count(&p, arrival);
        note_counted(&p, arrival);
    }
    for (size_t i = 0; i < p.arrival_count; i++)
        count_threads(&p, &program->events[p.arrivals[i]]);
    for (size_t i = program->init_count; i < program->event_count; i++) {
        struct event *wait = &program->events[i];
        if (!event_is_wait(wait))
            continue;
        wait->barrier->count = wait->barrier->arrival < 0
                                   ? number(&p, 0)
                                   : program->events[wait->barrier->arrival].barrier->count;
        pair_wait(&p, wait);
    }
}
