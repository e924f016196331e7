// Meetings at barriers, once all threads have been run: how many threads a phase is of, which
// arrivals may be of one phase with which waits, and what a bar.red gives (memory-model.md
// section 6).

#include "litmus/program/program_internal.h"

struct meetings {
    struct builder *builder;
    struct expr_pool *pool;
    const struct event *events;
    unsigned *arrivals; // all of them, in the order of their ids, so thread by thread
    size_t arrival_count;
    size_t *first_of_thread;   // by thread, and one behind: into arrivals
    const struct expr **ranks; // by event: see rank; NULL for those with another count
    bool *all_counted;         // by group: phases are of all threads, at barriers that are constant
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

static void count_threads(struct meetings *m, struct event *at) {
    if (at->barrier_count != NULL) {
        m->all_counted[at->barrier_group] = false;
        return;
    }
    if (m->builder->test->dialect == DIALECT_DAT3M) {
        m->all_counted[at->barrier_group] = false;
        at->barrier_count = count_instance(m, at);
        return;
    }
    if (!expr_is_const(at->barrier_id))
        m->all_counted[at->barrier_group] = false;
    m->ranks[at->id] = count_arrivals(m, at, at->thread, at->id);
    at->barrier_count = count_all(m, at, m->ranks[at->id]);
}

static void collect_arrivals(struct meetings *m) {
    struct program *program = m->builder->program;
    struct arena *arena = m->builder->arena;
    m->arrivals = ARENA_ARRAY(arena, unsigned, program->event_count);
    m->ranks = ARENA_ARRAY(arena, const struct expr *, program->event_count);
    m->all_counted = ARENA_ARRAY(arena, bool, program->barrier_group_count);
    for (unsigned i = 0; i < program->barrier_group_count; i++)
        m->all_counted[i] = true;
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
    if (m->all_counted[own->barrier_group])
        equal =
            expr_and(m->pool, equal, expr_eq(m->pool, m->ranks[arrival->id], m->ranks[own->id]));
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

static void add_exits(struct meetings *m, unsigned released, int thread,
                      const struct expr *condition) {
    struct program *program = m->builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *wait = &m->events[i];
        if (!wait->is_wait || wait->thread != thread)
            continue;
        program->exits = arena_grow(m->builder->arena, program->exits, program->exit_count,
                                    sizeof *program->exits);
        program->exits[program->exit_count++] =
            (struct barrier_exit){(unsigned)i, released, condition};
    }
}

// A wait that is not for all threads of its barrier comes after the others have exited.
static void find_exits(struct meetings *m, const struct event *wait) {
    if (wait->arrival < 0 || m->ranks[wait->arrival] == NULL)
        return;
    for (size_t t = 0; t < m->builder->test->thread_count; t++) {
        if ((int)t == wait->thread || !takes_part(m, wait, (int)t))
            continue;
        const struct expr *stays_away =
            expr_not(m->pool, comes(m, wait, (int)t, m->ranks[wait->arrival]));
        if (!expr_is_false(stays_away))
            add_exits(m, wait->id, (int)t, stays_away);
    }
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
    for (size_t i = 0; i < m.arrival_count; i++)
        count_threads(&m, &program->events[m.arrivals[i]]);
    for (size_t i = 0; i < m.arrival_count; i++) {
        struct event *arrival = &program->events[m.arrivals[i]];
        arrival->barrier_rank = m.all_counted[arrival->barrier_group] ? m.ranks[arrival->id] : NULL;
    }
    for (size_t i = program->init_count; i < program->event_count; i++) {
        struct event *wait = &program->events[i];
        if (!wait->is_wait)
            continue;
        wait->barrier_count =
            wait->arrival < 0 ? number(&m, 0) : program->events[wait->arrival].barrier_count;
        pair_wait(&m, wait);
    }
}
