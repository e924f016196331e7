// The checker of barriers: what phases.h says above struct phase_pair, on a decoded execution and
// in plain C. Like check.c it shares no code with the encoding.

#include "solver/check/execution.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>

struct barrier_checker {
    struct arena *arena;
    struct execution *execution;
};

static const struct event *event_at(const struct barrier_checker *checker, unsigned event) {
    return &checker->execution->program->events[event];
}

static uint64_t value(const struct barrier_checker *checker, const struct expr *expr) {
    return execution_value(checker->execution, expr).low;
}

bool execution_same_barrier(struct execution *execution, const struct event *a,
                            const struct event *b) {
    return a->barrier->group == b->barrier->group && a->barrier->instance == b->barrier->instance &&
           execution_value(execution, a->barrier->id).low ==
               execution_value(execution, b->barrier->id).low;
}

static bool at_one(const struct barrier_checker *checker, unsigned a, unsigned b) {
    assert(a < checker->execution->n);
    assert(b < checker->execution->n);
    return execution_same_barrier(checker->execution, event_at(checker, a), event_at(checker, b));
}

static bool is_arrival(const struct barrier_checker *checker, unsigned e) {
    assert(e < checker->execution->n);
    return event_is_arrival(event_at(checker, e));
}

static bool is_wait(const struct barrier_checker *checker, unsigned e) {
    assert(e < checker->execution->n);
    return event_is_wait(event_at(checker, e));
}

// --- Phases ------------------------------------------------------------------------------------

static bool is_member(const struct barrier_checker *checker, unsigned a, size_t thread) {
    assert(a < checker->execution->n);
    const struct program *program = checker->execution->program;
    size_t group = event_at(checker, a)->barrier->group;
    return program->barriers.members[group * program->test->thread_count + thread];
}

// Whether a thread has exited, and has no arrival without a phase at the barrier of an arrival.
static bool is_gone(const struct barrier_checker *checker, unsigned a, size_t thread) {
    assert(a < checker->execution->n);
    const struct execution *execution = checker->execution;
    if (value(checker, execution->program->thread_ends[thread]) != 1)
        return false;
    for (unsigned b = 0; b < execution->n; b++)
        if (is_arrival(checker, b) && (size_t)event_at(checker, b)->thread == thread &&
            execution->executes[b] && execution->phases[b] < 0 && at_one(checker, a, b))
            return false;
    return true;
}

// Whether all threads that share the barrier of an arrival have arrived, as `arrived` says, or
// exited.
static bool may_be_short(const struct barrier_checker *checker, unsigned a, const bool *arrived) {
    assert(a < checker->execution->n);
    uint64_t members = event_at(checker, a)->barrier->left_out;
    for (size_t t = 0; t < checker->execution->program->test->thread_count; t++) {
        if (!is_member(checker, a, t))
            continue;
        members++;
        if (!arrived[t] && !is_gone(checker, a, t))
            return false;
    }
    return event_at(checker, a)->barrier->may_be_short &&
           value(checker, event_at(checker, a)->barrier->count) <= members;
}

// An arrival against the others of its phase.
static void check_member(const struct barrier_checker *checker, unsigned a) {
    assert(a < checker->execution->n);
    const int *phases = checker->execution->phases;
    const struct event *own = event_at(checker, a);
    uint64_t count = value(checker, own->barrier->count), members = 0;
    bool *arrived =
        ARENA_ARRAY(checker->arena, bool, checker->execution->program->test->thread_count);
    for (unsigned b = 0; b < checker->execution->n; b++) {
        const struct event *other = event_at(checker, b);
        if (!is_arrival(checker, b) || phases[b] != phases[a])
            continue;
        members++;
        arrived[other->thread] = true;
        if (b != a && (other->thread == own->thread || !at_one(checker, a, b) ||
                       value(checker, other->barrier->count) != count))
            execution_bug(checker->execution, "arrivals %u and %u are in one phase", a, b);
    }
    if (members > count ||
        (members + own->barrier->may_join < count && !may_be_short(checker, a, arrived)))
        execution_bug(checker->execution, "the phase of arrival %u is of %llu arrivals", a,
                      (unsigned long long)members);
}

// Earlier arrivals at the barrier are in earlier phases: `order` collects which comes first.
static void check_earlier(const struct barrier_checker *checker, unsigned a,
                          struct relation *order) {
    assert(a < checker->execution->n);
    const struct execution *execution = checker->execution;
    for (unsigned b = 0; b < execution->n; b++) {
        if (!is_arrival(checker, b) || !program_po(execution->program, b, a) ||
            !execution->executes[b] || !at_one(checker, a, b))
            continue;
        if (execution->phases[b] < 0)
            execution_bug(checker->execution,
                          "arrival %u is in a phase, arrival %u before it is not", a, b);
        relation_add(order, (unsigned)execution->phases[b], (unsigned)execution->phases[a]);
    }
}

// Arrivals of a thread that a short phase lacks are in earlier phases.
static void check_short(const struct barrier_checker *checker, unsigned a, struct relation *order) {
    assert(a < checker->execution->n);
    const struct execution *execution = checker->execution;
    const int *phases = execution->phases;
    uint64_t members = 0;
    size_t threads = execution->program->test->thread_count;
    bool *arrived = ARENA_ARRAY(checker->arena, bool, threads);
    for (unsigned b = 0; b < execution->n; b++)
        if (is_arrival(checker, b) && phases[b] == phases[a]) {
            members++;
            arrived[event_at(checker, b)->thread] = true;
        }
    if (members + event_at(checker, a)->barrier->may_join >=
        value(checker, event_at(checker, a)->barrier->count))
        return;
    for (unsigned b = 0; b < execution->n; b++)
        if (is_arrival(checker, b) && execution->executes[b] && phases[b] >= 0 &&
            at_one(checker, a, b) && !arrived[event_at(checker, b)->thread])
            relation_add(order, (unsigned)phases[b], (unsigned)phases[a]);
}

static void check_phases(const struct barrier_checker *checker) {
    const struct execution *execution = checker->execution;
    struct relation order = relation_new(checker->arena, execution->n);
    for (unsigned a = 0; a < execution->n; a++) {
        if (!is_arrival(checker, a) || execution->phases[a] < 0)
            continue;
        if (!execution->executes[a])
            execution_bug(checker->execution, "arrival %u is in a phase but does not execute", a);
        if (event_at(checker, a)->barrier->quorum)
            continue;
        check_member(checker, a);
        check_earlier(checker, a, &order);
        check_short(checker, a, &order);
    }
    if (!relation_is_acyclic(&order))
        execution_bug(checker->execution, "the phases of a barrier have no order");
}

// --- Waits -------------------------------------------------------------------------------------

// How many arrivals a wait has in its phase pairs: those that hold, or all that could.
static uint64_t count_offers(const struct barrier_checker *checker, const struct event *wait,
                             bool chosen) {
    assert(event_is_wait(wait));
    const struct execution *execution = checker->execution;
    uint64_t count = 0;
    for (unsigned a = 0; a < execution->n; a++)
        count += is_arrival(checker, a) && execution->executes[a] &&
                 (!chosen || execution->phases[a] >= 0) && at_one(checker, a, wait->id) &&
                 !program_po(execution->program, wait->id, a);
    return count;
}

static void check_wait(const struct barrier_checker *checker, const struct event *wait) {
    assert(event_is_wait(wait));
    const struct execution *execution = checker->execution;
    bool passes =
        wait->barrier->quorum
            ? count_offers(checker, wait, true) >= value(checker, wait->barrier->count)
            : wait->barrier->arrival >= 0 && execution->phases[wait->barrier->arrival] >= 0;
    if (execution->passes[wait->id] != passes)
        execution_bug(checker->execution, "wait %u %s", wait->id,
                      passes ? "is blocked for no reason" : "passes for no reason");
}

bool execution_exit_releases(struct execution *execution, const struct barrier_exit *exit) {
    const struct event *events = execution->program->events, *wait = &events[exit->released];
    int phase = execution->phases[wait->barrier->arrival];
    uint64_t members = 0;
    bool without = true;
    if (!execution->executes[wait->id] || !execution->passes[wait->id] ||
        execution_value(execution, exit->condition).low != 1)
        return false;
    if (!events[wait->barrier->arrival].barrier->may_be_short)
        return true;
    for (unsigned a = 0; a < execution->n; a++)
        if (event_is_arrival(&events[a]) && execution->phases[a] == phase) {
            members++;
            without &= events[a].thread != exit->thread;
        }
    return without && members + events[wait->barrier->arrival].barrier->may_join <
                          execution_value(execution, wait->barrier->count).low;
}

// What passes after what.
static void check_reasons(const struct barrier_checker *checker) {
    const struct execution *execution = checker->execution;
    const struct program *program = execution->program;
    struct relation before = relation_new(checker->arena, execution->n);
    for (unsigned a = 0; a < execution->n; a++)
        for (unsigned b = 0; b < execution->n; b++)
            if (execution->executes[a] && execution->executes[b] && program_po(program, a, b))
                relation_add(&before, a, b);
    for (unsigned i = 0; i < program->barriers.phase_pair_count; i++) {
        const struct phase_pair *m = &program->barriers.phase_pairs[i];
        if (execution->executes[m->wait] && execution_has_phase_pair(execution, i) &&
            at_one(checker, m->arrival, m->wait))
            relation_add(&before, m->arrival, m->wait);
    }
    for (size_t i = 0; i < program->barriers.exit_count; i++)
        if (execution_exit_releases(checker->execution, &program->barriers.exits[i]))
            for (unsigned e = 0; e < execution->n; e++)
                if (is_wait(checker, e) && execution->executes[e] &&
                    event_at(checker, e)->thread == program->barriers.exits[i].thread)
                    relation_add(&before, e, program->barriers.exits[i].released);
    if (!relation_is_acyclic(&before))
        execution_bug(checker->execution, "a barrier is passed for no reason");
}

void check_barriers(struct execution *execution) {
    if (execution->program->barriers.group_count == 0)
        return;
    struct barrier_checker checker = {arena_new(), execution};
    check_phases(&checker);
    for (unsigned e = 0; e < execution->n; e++)
        if (is_wait(&checker, e) && execution->executes[e])
            check_wait(&checker, event_at(&checker, e));
    check_reasons(&checker);
    arena_free(checker.arena);
}

// --- Hangs -------------------------------------------------------------------------------------

static bool is_pending(const struct barrier_checker *checker, unsigned a) {
    assert(a < checker->execution->n);
    return is_arrival(checker, a) && checker->execution->executes[a] &&
           checker->execution->phases[a] < 0;
}

// Whether it is the first pending arrival of its thread at the barrier.
static bool is_next(const struct barrier_checker *checker, unsigned a) {
    assert(a < checker->execution->n);
    if (!is_pending(checker, a))
        return false;
    for (unsigned b = 0; b < checker->execution->n; b++)
        if (is_pending(checker, b) && program_po(checker->execution->program, b, a) &&
            at_one(checker, a, b))
            return false;
    return true;
}

// Whether the next arrivals that could be in a phase with this one are of too few threads.
static bool is_stuck(const struct barrier_checker *checker, unsigned a) {
    assert(a < checker->execution->n);
    const struct execution *execution = checker->execution;
    size_t threads = execution->program->test->thread_count;
    bool *joins = ARENA_ARRAY(checker->arena, bool, threads);
    uint64_t count = value(checker, event_at(checker, a)->barrier->count), joined = 0;
    for (unsigned b = 0; b < execution->n; b++)
        if (is_next(checker, b) && at_one(checker, a, b) &&
            value(checker, event_at(checker, b)->barrier->count) == count)
            joins[event_at(checker, b)->thread] = true;
    for (size_t t = 0; t < threads; t++)
        joined += joins[t];
    const struct event_barrier *barrier = event_at(checker, a)->barrier;
    return joined + barrier->may_join < count &&
           (barrier->left_out > 0 || !may_be_short(checker, a, joins));
}

void check_stuck(struct execution *execution) {
    struct barrier_checker checker = {arena_new(), execution};
    for (unsigned e = 0; e < execution->n; e++) {
        const struct event *event = event_at(&checker, e);
        if (event->kind != EVENT_BARRIER || !execution->executes[e])
            continue;
        if (!event->barrier->quorum && is_next(&checker, e) && !is_stuck(&checker, e))
            execution_bug(execution, "arrival %u could be in a phase", e);
        if (!event_is_wait(event) || execution->passes[e])
            continue;
        if (event->barrier->quorum &&
            count_offers(&checker, event, false) >= value(&checker, event->barrier->count))
            execution_bug(execution, "wait %u could pass", e);
    }
    arena_free(checker.arena);
}

// Whether a thread stays in a loop in which it waits for an mbarrier.
static bool waits_for_ever(struct execution *execution) {
    const struct endings *endings = execution->program->endings;
    for (size_t i = 0; endings != NULL && i < endings->stay_count; i++) {
        const struct stay *stay = &endings->stays[i];
        if (execution_value(execution, stay->condition).low != 1)
            continue;
        for (size_t e = stay->middle; e < stay->end; e++)
            if (event_is_mbarrier(&execution->program->events[e], MBARRIER_KIND_WAIT) &&
                execution->executes[e])
                return true;
    }
    return false;
}

void check_hang(struct execution *execution) {
    bool blocked = waits_for_ever(execution);
    for (unsigned e = 0; e < execution->n; e++)
        blocked = blocked || (event_is_wait(&execution->program->events[e]) &&
                              execution->executes[e] && !execution->passes[e]);
    if (!blocked)
        execution_bug(execution, "no thread hangs");
    check_stuck(execution);
}
