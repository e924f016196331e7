// Meetings at barriers, once all threads have been run: how many threads a phase is of, which
// arrivals may be of one phase with which waits, and what a bar.red gives (memory-model.md
// section 6).

#include "litmus/program/builder.h"

struct meetings {
    struct builder *builder;
    struct expr_pool *pool;
    const struct event *events;
    unsigned *arrivals; // all of them, in the order of their ids, so thread by thread
    size_t arrival_count;
    size_t *first_of_thread;   // by thread, and one behind: into arrivals
    const struct expr **ranks; // by event: see count_all; NULL where phases are not of all threads
    struct counted *counted;   // by group
};

// Which barriers of a group are used with a thread count.
struct counted {
    bool some;          // any of them
    bool some_computed; // some arrival's barrier is not a constant
    uint32_t ids;       // by the constant number of a barrier
};

static const struct expr *number(const struct meetings *m, uint64_t value) {
    return expr_const_u64(m->pool, 32, value);
}

static const struct expr *same_id(const struct meetings *m, const struct event *a,
                                  const struct event *b) {
    return expr_eq(m->pool, a->barrier_id, b->barrier_id);
}

// --- Phases of all threads ---------------------------------------------------------------------

// How many arrivals of a thread, with ids up to `last`, come to the barrier of an event.
static const struct expr *count_arrivals(const struct meetings *m, const struct event *at,
                                         int thread, unsigned last) {
    const struct expr *some = number(m, 0);
    unsigned certain = 0;
    for (size_t i = m->first_of_thread[thread]; i < m->first_of_thread[thread + 1]; i++) {
        const struct event *a = &m->events[m->arrivals[i]];
        if (a->id > last || a->barrier_group != at->barrier_group)
            continue;
        const struct expr *comes = m->builder->reaches[a->id];
        if (a->barrier_id != at->barrier_id)
            comes = expr_and(m->pool, comes, same_id(m, a, at));
        if (expr_is_true(comes))
            certain++;
        else
            some = expr_binary(m->pool, EXPR_ADD, some, expr_resize(m->pool, comes, 32, false));
    }
    return expr_binary(m->pool, EXPR_ADD, some, number(m, certain));
}

// Whether a barrier without a count waits for a thread: one of the CTA or cluster, or of the mask.
static bool takes_part(const struct meetings *m, const struct event *at, int thread) {
    if (!barrier_has_thread(m->builder, at->barrier_group, thread))
        return false;
    unsigned lane = barrier_lane(m->builder, thread);
    return at->instruction->barrier != BARRIER_WARP_SYNC || (at->barrier_id->value.low >> lane & 1);
}

// Whether a thread comes to a barrier as often as `rank` says.
static const struct expr *comes(const struct meetings *m, const struct event *at, int thread,
                                const struct expr *rank) {
    return expr_binary(m->pool, EXPR_ULE, rank, count_arrivals(m, at, thread, UINT32_MAX));
}

// A barrier without a count waits for all threads, but those that exit do not hold it up (PTX ISA,
// exit): where an arrival is its thread's n-th, as `rank` says, its phase is of the threads that
// come at least n times, and of those that never exit since they are blocked somewhere else.
static const struct expr *count_all(const struct meetings *m, const struct event *at,
                                    const struct expr *rank) {
    struct builder *builder = m->builder;
    const struct expr *count = number(m, 0);
    for (size_t t = 0; t < builder->test->thread_count; t++) {
        if (!takes_part(m, at, (int)t))
            continue;
        const struct expr *stays = expr_not(m->pool, builder->exits[t]);
        const struct expr *counts = expr_or(m->pool, comes(m, at, (int)t, rank), stays);
        count = expr_binary(m->pool, EXPR_ADD, count, expr_resize(m->pool, counts, 32, false));
    }
    return count;
}

// Dat3M waits for all threads of the CTA that contain the instance, and, with an id, for those that
// come there with the same one; where control flow has left the instance out, it waits for ever.
static const struct expr *count_instance(const struct meetings *m, const struct event *at) {
    const struct builder *builder = m->builder;
    const struct expr *count = number(m, 0);
    for (size_t t = 0; t < builder->test->thread_count; t++) {
        const struct expr *waited_for = builder->never;
        for (size_t i = m->first_of_thread[t]; i < m->first_of_thread[t + 1]; i++) {
            const struct event *a = &m->events[m->arrivals[i]];
            if (a->barrier_group != at->barrier_group ||
                a->barrier_instance != at->barrier_instance)
                continue;
            const struct expr *same = same_id(m, a, at);
            const struct expr *skipped = expr_not(m->pool, builder->reaches[a->id]);
            waited_for = expr_or(m->pool, waited_for,
                                 expr_is_const(same) ? same : expr_or(m->pool, same, skipped));
        }
        count = expr_binary(m->pool, EXPR_ADD, count, expr_resize(m->pool, waited_for, 32, false));
    }
    return count;
}

// How many threads share the barrier of an event.
static unsigned count_members(const struct meetings *m, const struct event *at) {
    unsigned count = 0;
    for (size_t t = 0; t < m->builder->test->thread_count; t++)
        count += takes_part(m, at, (int)t);
    return count;
}

// A thread count that is that of all threads says no more than none.
static void drop_full_count(struct meetings *m, struct event *at) {
    if (at->barrier_count != NULL && expr_is_const(at->barrier_count) &&
        at->barrier_count->value.low == count_members(m, at))
        at->barrier_count = NULL;
}

static void note_counted(struct meetings *m, const struct event *at) {
    struct counted *counted = &m->counted[at->barrier_group];
    bool is_constant = expr_is_const(at->barrier_id);
    counted->some_computed |= !is_constant;
    if (at->barrier_count == NULL)
        return;
    counted->some = true;
    if (is_constant && at->barrier_id->value.low < 32)
        counted->ids |= (uint32_t)1 << at->barrier_id->value.low;
}

// Whether all phases of the barrier at which an arrival is are of all threads.
static bool is_of_all(const struct meetings *m, const struct event *at) {
    const struct counted *counted = &m->counted[at->barrier_group];
    if (!counted->some)
        return true;
    return !counted->some_computed && at->barrier_id->value.low < 32 &&
           !(counted->ids >> at->barrier_id->value.low & 1);
}

static void count_threads(struct meetings *m, struct event *at) {
    if (m->builder->test->dialect == DIALECT_DAT3M) {
        if (at->barrier_count == NULL)
            at->barrier_count = count_instance(m, at);
        return;
    }
    if (is_of_all(m, at)) {
        m->ranks[at->id] = count_arrivals(m, at, at->thread, at->id);
        at->barrier_count = count_all(m, at, m->ranks[at->id]);
        at->barrier_all = true;
        if (!m->counted[at->barrier_group].some_computed)
            at->barrier_rank = m->ranks[at->id];
        return;
    }
    at->barrier_short = true;
    at->barrier_all = at->barrier_count == NULL;
    if (at->barrier_all)
        at->barrier_count = number(m, count_members(m, at));
}

static void collect_arrivals(struct meetings *m) {
    struct program *program = m->builder->program;
    struct arena *arena = m->builder->arena;
    m->arrivals = ARENA_ARRAY(arena, unsigned, program->event_count);
    m->ranks = ARENA_ARRAY(arena, const struct expr *, program->event_count);
    m->counted = ARENA_ARRAY(arena, struct counted, program->barrier_group_count);
    size_t threads = m->builder->test->thread_count;
    m->first_of_thread = ARENA_ARRAY(arena, size_t, threads + 1);
    for (size_t i = program->init_count; i < program->event_count; i++) {
        if (!program->events[i].is_arrival)
            continue;
        m->arrivals[m->arrival_count++] = (unsigned)i;
        for (size_t t = (size_t)program->events[i].thread + 1; t <= threads; t++)
            m->first_of_thread[t] = m->arrival_count;
    }
}

// --- Pairs -------------------------------------------------------------------------------------

// Where all phases are of all threads, the n-th arrivals of threads make up the n-th phase.
static bool may_be_of_one_phase(const struct meetings *m, const struct event *arrival,
                                const struct event *own) {
    const struct expr *equal = expr_eq(m->pool, arrival->barrier_count, own->barrier_count);
    if (arrival->barrier_rank != NULL && own->barrier_rank != NULL)
        equal =
            expr_and(m->pool, equal, expr_eq(m->pool, arrival->barrier_rank, own->barrier_rank));
    return !expr_is_false(equal);
}

// Whether an arrival at the barrier of a wait may be of the phase that the wait is for.
static bool may_release(const struct meetings *m, const struct event *arrival,
                        const struct event *wait) {
    bool same_thread = arrival->thread == wait->thread;
    if (wait->barrier_quorum)
        return !same_thread || arrival->position < wait->position;
    if (same_thread)
        return (int)arrival->id == wait->arrival;
    return may_be_of_one_phase(m, arrival, &m->events[wait->arrival]);
}

static bool may_meet(const struct meetings *m, const struct event *arrival,
                     const struct event *wait) {
    return wait->arrival >= 0 && arrival->barrier_group == wait->barrier_group &&
           arrival->barrier_instance == wait->barrier_instance && may_release(m, arrival, wait) &&
           !expr_is_false(same_id(m, arrival, wait)) &&
           !expr_is_false(expr_and(m->pool, arrival->executes, wait->executes));
}

static void add_meeting(struct meetings *m, unsigned arrival, unsigned wait) {
    struct program *program = m->builder->program;
    program->meetings = arena_grow(m->builder->arena, program->meetings, program->meeting_count,
                                   sizeof *program->meetings);
    program->meetings[program->meeting_count++] = (struct meeting){arrival, wait};
}

// --- Exits -------------------------------------------------------------------------------------

// Lets a thread's exit release a wait, where the condition holds. `comes`: whether the thread comes
// to the barrier instead, or how often it does.
static void add_exit(struct meetings *m, const struct event *released, int thread,
                     const struct expr *condition, const struct expr *comes) {
    struct program *program = m->builder->program;
    const struct expr *waits_on =
        expr_const_u64(m->pool, comes->width, comes->width == 1 ? 1 : UINT32_MAX);
    program->exits =
        arena_grow(m->builder->arena, program->exits, program->exit_count, sizeof *program->exits);
    program->exits[program->exit_count++] = (struct barrier_exit){
        .thread = thread,
        .released = released->id,
        .condition = condition,
        .decision = expr_ite(m->pool, m->builder->leaves_spins[thread], comes, waits_on),
    };
}

// A wait that is not for all threads of its barrier comes after the others have exited.
static void find_exits(struct meetings *m, const struct event *wait) {
    struct builder *builder = m->builder;
    const struct event *own = wait->arrival < 0 ? NULL : &m->events[wait->arrival];
    if (own == NULL || (m->ranks[own->id] == NULL && !own->barrier_short))
        return;
    for (size_t t = 0; t < builder->test->thread_count; t++) {
        if ((int)t == wait->thread || !takes_part(m, wait, (int)t) ||
            expr_is_false(builder->exits[t]))
            continue;
        if (own->barrier_short) {
            add_exit(m, wait, (int)t, builder->always, count_arrivals(m, wait, (int)t, UINT32_MAX));
            continue;
        }
        const struct expr *arrives = comes(m, wait, (int)t, m->ranks[own->id]);
        if (!expr_is_true(arrives))
            add_exit(m, wait, (int)t, expr_not(m->pool, arrives), arrives);
    }
}

// Which threads share the barriers of a group, and which come to their end: for phases that lack
// some.
static void note_threads(struct meetings *m) {
    struct program *program = m->builder->program;
    size_t threads = m->builder->test->thread_count;
    bool *members = ARENA_ARRAY(m->builder->arena, bool, program->barrier_group_count *threads);
    for (unsigned group = 0; group < program->barrier_group_count; group++)
        for (size_t t = 0; t < threads; t++)
            members[group * threads + t] = barrier_has_thread(m->builder, group, (int)t);
    program->barrier_members = members;
    program->thread_ends = m->builder->exits;
}

// --- Results of bar.red ------------------------------------------------------------------------

// What has been reduced so far, and one more arrival where `meets` holds. Arrivals that are no
// bar.red have nothing to say; PTX does not define what becomes of them.
static const struct expr *reduce(const struct meetings *m, const struct instruction *instruction,
                                 const struct expr *reduced, const struct expr *meets,
                                 const struct expr *predicate) {
    const struct expr *counts = expr_and(m->pool, meets, predicate);
    if (instruction->bool_op == BOOL_NONE)
        return expr_binary(m->pool, EXPR_ADD, reduced, expr_resize(m->pool, counts, 32, false));
    if (instruction->bool_op == BOOL_OR)
        return expr_or(m->pool, reduced, counts);
    return expr_and(m->pool, reduced, expr_or(m->pool, expr_not(m->pool, meets), predicate));
}

static void reduce_meetings(struct meetings *m, struct event *wait, size_t first) {
    const struct program *program = m->builder->program;
    const struct instruction *instruction = wait->instruction;
    wait->reduced = expr_const_u64(m->pool, wait->value->width, instruction->bool_op == BOOL_AND);
    wait->reduced_undef = m->builder->never;
    for (size_t i = first; i < program->meeting_count; i++) {
        const struct event *arrival = &m->events[program->meetings[i].arrival];
        if (arrival->predicate == NULL)
            continue;
        const struct expr *meets = expr_leaf(m->pool, EXPR_MEETS, 1, (unsigned)i);
        wait->reduced = reduce(m, instruction, wait->reduced, meets, arrival->predicate);
        wait->reduced_undef = expr_or(m->pool, wait->reduced_undef,
                                      expr_and(m->pool, meets, arrival->predicate_undef));
    }
}

// --- All of them -------------------------------------------------------------------------------

static void pair_wait(struct meetings *m, struct event *wait) {
    size_t first = m->builder->program->meeting_count;
    for (size_t i = 0; i < m->arrival_count; i++)
        if (may_meet(m, &m->events[m->arrivals[i]], wait))
            add_meeting(m, m->arrivals[i], wait->id);
    find_exits(m, wait);
    if (wait->value != NULL)
        reduce_meetings(m, wait, first);
}

void meetings_build(struct builder *builder) {
    struct program *program = builder->program;
    struct meetings m = {.builder = builder, .pool = builder->pool, .events = program->events};
    if (program->barrier_group_count == 0)
        return;
    collect_arrivals(&m);
    note_threads(&m);
    for (size_t i = 0; i < m.arrival_count; i++) {
        struct event *arrival = &program->events[m.arrivals[i]];
        if (builder->test->dialect != DIALECT_DAT3M)
            drop_full_count(&m, arrival);
        note_counted(&m, arrival);
    }
    for (size_t i = 0; i < m.arrival_count; i++)
        count_threads(&m, &program->events[m.arrivals[i]]);
    for (size_t i = program->init_count; i < program->event_count; i++) {
        struct event *wait = &program->events[i];
        if (!wait->is_wait)
            continue;
        wait->barrier_count =
            wait->arrival < 0 ? number(&m, 0) : program->events[wait->arrival].barrier_count;
        pair_wait(&m, wait);
    }
}
