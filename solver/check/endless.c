// The checker of executions that never end (memory-model section 12), on a decoded execution and
// in plain C: each thread has one fate, what is repeated can be repeated for ever, no thread that
// waits is released, and the schedule may leave out whom it leaves out. Like check.c it shares no
// code with the encoding.

#include "solver/check/execution.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>

struct endless_checker {
    struct arena *arena;
    struct execution *execution;
    const struct schedule *schedule;
    const struct program *program;
    size_t threads;
    enum fate *fates;
    bool *last, *before; // by event: it executes in the last round that repeats, in the one before
    int *twins;          // by event of a last round: that of the round before it; -1 for others
};

static bool holds(const struct endless_checker *c, const struct expr *condition) {
    assert(condition->width == 1);
    return execution_value(c->execution, condition).low == 1;
}

static const struct event *event_at(const struct endless_checker *c, unsigned event) {
    assert(event < c->execution->n);
    return &c->program->events[event];
}

static const struct place *place_of(const struct endless_checker *c, size_t thread) {
    assert(thread < c->threads);
    return &c->program->test->threads[thread].place;
}

// --- Fates -------------------------------------------------------------------------------------

static bool is_blocked(const struct endless_checker *c, size_t thread) {
    for (unsigned e = 0; e < c->execution->n; e++)
        if (event_is_wait(event_at(c, e)) && (size_t)event_at(c, e)->thread == thread &&
            c->execution->executes[e] && !c->execution->passes[e])
            return true;
    return false;
}

static unsigned count_stays(const struct endless_checker *c, size_t thread) {
    const struct endings *endings = c->program->endings;
    unsigned count = 0;
    for (size_t i = 0; i < endings->stay_count; i++)
        count +=
            (size_t)endings->stays[i].thread == thread && holds(c, endings->stays[i].condition);
    return count;
}

static void find_fate(struct endless_checker *c, size_t thread) {
    const struct endings *endings = c->program->endings;
    unsigned counts[] = {
        [FATE_ENDS] = holds(c, endings->ends[thread]),
        [FATE_STAYS] = count_stays(c, thread),
        [FATE_BLOCKED] = is_blocked(c, thread),
        [FATE_NOT_STARTED] = !holds(c, endings->starts[thread]),
        [FATE_STARVED] = holds(c, endings->starved[thread]),
    };
    unsigned sum = 0;
    for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        sum += counts[i];
        if (counts[i] > 0)
            c->fates[thread] = (enum fate)i;
    }
    if (sum != 1)
        execution_bug(c->execution, "thread %zu has %u fates", thread, sum);
    for (unsigned e = 0; e < c->execution->n; e++)
        if (c->fates[thread] == FATE_NOT_STARTED && c->execution->executes[e] &&
            (size_t)event_at(c, e)->thread == thread)
            execution_bug(c->execution, "event %u is of a thread that has not begun", e);
}

static void find_fates(struct endless_checker *c, const struct thread_fate *shown) {
    bool all_end = true;
    for (size_t t = 0; t < c->threads; t++) {
        find_fate(c, t);
        all_end = all_end && c->fates[t] == FATE_ENDS;
        if (c->fates[t] != shown[t].fate)
            execution_bug(c->execution, "the fate that is shown of thread %zu is another one", t);
    }
    if (all_end)
        execution_bug(c->execution, "all threads come to their ends");
}

// --- Rounds that repeat ------------------------------------------------------------------------

static bool is_equal(struct bits128 a, struct bits128 b) {
    return a.low == b.low && a.high == b.high;
}

// Whether one event does what the other does.
static bool is_alike(const struct endless_checker *c, unsigned a, unsigned b) {
    const struct event *x = event_at(c, a), *y = event_at(c, b);
    const struct candidate *p = c->execution->places[a], *q = c->execution->places[b];
    if (x->instruction != y->instruction || x->kind != y->kind)
        return false;
    if (x->kind == EVENT_BARRIER)
        return event_is_wait(x) == event_is_wait(y) && execution_same_barrier(c->execution, x, y);
    if (!event_is_access(x))
        return true;
    return p != NULL && q != NULL && p->object == q->object && p->offset == q->offset &&
           is_equal(execution_value(c->execution, x->access->value),
                    execution_value(c->execution, y->access->value));
}

static unsigned next_executed(const struct endless_checker *c, unsigned event, size_t end) {
    while (event < end && !c->execution->executes[event])
        event++;
    return event;
}

// The rounds of a thread that stays do the same, event by event.
static void check_rounds(struct endless_checker *c, const struct stay *stay) {
    unsigned a = next_executed(c, (unsigned)stay->first, stay->middle);
    unsigned b = next_executed(c, (unsigned)stay->middle, stay->end);
    for (unsigned e = b; e < stay->end; e = next_executed(c, e + 1, stay->end)) {
        c->last[e] = true;
        if (stay->first == stay->middle &&
            (event_at(c, e)->kind == EVENT_WRITE || event_at(c, e)->kind == EVENT_BARRIER))
            execution_bug(c->execution, "a round with effects is there once: event %u", e);
    }
    for (unsigned e = a; e < stay->middle; e = next_executed(c, e + 1, stay->middle))
        c->before[e] = true;
    while (stay->first != stay->middle && (a < stay->middle || b < stay->end)) {
        if (a >= stay->middle || b >= stay->end || !is_alike(c, a, b)) {
            execution_bug(c->execution, "rounds differ in events %u and %u", a, b);
            return;
        }
        c->twins[b] = (int)a;
        a = next_executed(c, a + 1, stay->middle);
        b = next_executed(c, b + 1, stay->end);
    }
}

// --- What is written and read in them ----------------------------------------------------------

// Rounds that repeat write last of all: 2 for the last, 1 for those before.
static unsigned round_of(const struct endless_checker *c, unsigned event) {
    assert(event < c->execution->n);
    return c->last[event] ? 2 : c->before[event] ? 1 : 0;
}

static void check_order(const struct endless_checker *c) {
    for (unsigned a = 0; a < c->execution->n; a++)
        for (unsigned b = 0; b < c->execution->n; b++)
            if (relation_has(&c->execution->co, a, b) && round_of(c, a) > round_of(c, b))
                execution_bug(c->execution, "write %u is repeated and comes before %u", a, b);
}

// What rounds of different threads write is in the same order each time.
static void check_turns(const struct endless_checker *c) {
    for (unsigned a = 0; a < c->execution->n; a++)
        for (unsigned b = 0; b < c->execution->n; b++)
            if (c->twins[a] >= 0 && c->twins[b] >= 0 &&
                event_at(c, a)->thread != event_at(c, b)->thread &&
                relation_has(&c->execution->co, a, b) !=
                    relation_has(&c->execution->co, (unsigned)c->twins[a], (unsigned)c->twins[b]))
                execution_bug(c->execution, "writes %u and %u change their order", a, b);
}

static bool writes_cell(const struct endless_checker *c, unsigned event, unsigned cell) {
    const struct candidate *place = c->execution->places[event];
    return event_at(c, event)->kind == EVENT_WRITE && c->execution->executes[event] &&
           place != NULL && cell >= place->first_cell &&
           cell - place->first_cell < place->cell_count;
}

// What is written becomes visible in finite time to those that it is meant for, and at once to the
// thread that writes it.
static bool must_see(const struct endless_checker *c, unsigned read, unsigned write) {
    const struct event *r = event_at(c, read), *w = event_at(c, write);
    if (r->thread == w->thread || (r->mbarrier != NULL && w->mbarrier != NULL))
        return true;
    const struct place *reader = place_of(c, (size_t)r->thread);
    const struct place *writer = place_of(c, (size_t)w->thread);
    return r->order != ORDER_WEAK && w->order != ORDER_WEAK && r->proxy == w->proxy &&
           test_scope_contains(r->scope, reader, writer) &&
           test_scope_contains(w->scope, writer, reader);
}

static void check_read(const struct endless_checker *c, unsigned read) {
    const struct candidate *place = c->execution->places[read];
    for (unsigned k = 0; place != NULL && k < place->cell_count; k++) {
        unsigned source = (unsigned)c->execution->sources[read][k];
        if (c->before[read] && c->last[source])
            execution_bug(c->execution, "read %u reads from a later round", read);
        for (unsigned w = 0; c->last[read] && w < c->execution->n; w++)
            if (writes_cell(c, w, place->first_cell + k) &&
                relation_has(&c->execution->co, source, w) && must_see(c, read, w) &&
                !c->last[source] && !(c->before[source] && c->last[w]))
                execution_bug(c->execution, "read %u never sees %u, as it has to", read, w);
    }
}

// --- Barriers in them --------------------------------------------------------------------------

// A phase of a last round is of last rounds, and leaves no thread waiting.
static void check_phase(const struct endless_checker *c, unsigned a) {
    const int *phases = c->execution->phases;
    if (phases[a] < 0)
        execution_bug(c->execution, "arrival %u is repeated and in no phase", a);
    for (unsigned b = 0; b < c->execution->n; b++) {
        if (!event_is_arrival(event_at(c, b)) || !c->execution->executes[b] ||
            !execution_same_barrier(c->execution, event_at(c, a), event_at(c, b)))
            continue;
        if (phases[b] < 0 || (phases[b] == phases[a] && !c->last[b]))
            execution_bug(c->execution, "arrival %u is repeated, %u at its barrier is not", a, b);
    }
}

// --- The schedule ------------------------------------------------------------------------------

static unsigned rank_in_cta(const struct endless_checker *c, size_t thread) {
    unsigned rank = 0;
    for (size_t t = 0; t < thread; t++)
        rank += test_same_cta(place_of(c, t), place_of(c, thread));
    return rank;
}

static bool in_one(const struct endless_checker *c, enum schedule_level level, size_t a, size_t b) {
    enum { WARP = 32 };
    const struct place *p = place_of(c, a), *q = place_of(c, b);
    switch (level) {
    case LEVEL_THREAD: return a == b;
    case LEVEL_WARP:
        return test_same_cta(p, q) && rank_in_cta(c, a) / WARP == rank_in_cta(c, b) / WARP;
    case LEVEL_CTA: return test_same_cta(p, q);
    case LEVEL_CLUSTER: return test_same_cluster(p, q);
    default: return true;
    }
}

// Whether the group of a comes before that of b, of which it is another one.
static bool comes_before(const struct endless_checker *c, enum schedule_level level, size_t a,
                         size_t b) {
    const struct place *p = place_of(c, a), *q = place_of(c, b);
    bool numbered = level >= LEVEL_CTA && !p->host && !q->host;
    if (numbered && p->gpu != q->gpu)
        return p->gpu < q->gpu;
    if (numbered && p->has_cluster && q->has_cluster && p->cluster != q->cluster)
        return p->cluster < q->cluster;
    return numbered && p->cta != q->cta ? p->cta < q->cta : a < b;
}

static bool has_begun(const struct endless_checker *c, size_t thread) {
    return c->fates[thread] != FATE_NOT_STARTED;
}

// Whether the rule of a level serves the group of a thread for ever, among those of one `parent`.
static bool is_served(const struct endless_checker *c, enum schedule_level level,
                      enum schedule_level parent, size_t thread) {
    bool lowest = true, begun = false, higher = false;
    for (size_t t = 0; t < c->threads; t++) {
        bool same = in_one(c, level, thread, t), beside = !same && in_one(c, parent, thread, t);
        bool below = beside && comes_before(c, level, t, thread);
        lowest = lowest && !(below && c->fates[t] != FATE_ENDS);
        begun = begun || (same && has_begun(c, t));
        higher = higher || (beside && !below && has_begun(c, t));
    }
    switch (c->schedule->rules[level]) {
    case RULE_NONE:
    case RULE_FAIR: return true;
    case RULE_HSA: return lowest;
    case RULE_OBE: return begun;
    case RULE_HSA_OBE: return lowest || begun;
    case RULE_LOBE: return begun || higher;
    case RULE_UNFAIR: return false;
    }
    return true;
}

// Whether a thread is left out at some level, while one that is chosen from with it goes on.
static bool is_left_out(const struct endless_checker *c, size_t thread) {
    enum schedule_level parent = LEVEL_GRID;
    for (int i = LEVEL_GRID - 1; i >= 0; i--) {
        enum schedule_level level = (enum schedule_level)i;
        bool busy = false;
        if (c->schedule->rules[level] == RULE_NONE)
            continue;
        for (size_t t = 0; t < c->threads; t++)
            busy = busy || (c->fates[t] == FATE_STAYS && in_one(c, parent, thread, t));
        if (busy && !is_served(c, level, parent, thread))
            return true;
        parent = level;
    }
    return false;
}

static void check_schedule(const struct endless_checker *c) {
    for (size_t t = 0; t < c->threads; t++) {
        bool idle = c->fates[t] == FATE_NOT_STARTED || c->fates[t] == FATE_STARVED;
        bool host = place_of(c, t)->host && c->schedule->serves_hosts;
        if (idle && (host || !is_left_out(c, t)))
            execution_bug(c->execution, "thread %zu goes no further, but has to be served", t);
    }
}

// --- All ---------------------------------------------------------------------------------------

void check_endless(struct execution *execution, const struct schedule *schedule,
                   const struct thread_fate *fates) {
    const struct program *program = execution->program;
    struct endless_checker c = {.arena = arena_new(),
                                .execution = execution,
                                .schedule = schedule,
                                .program = program,
                                .threads = program->test->thread_count};
    c.fates = ARENA_ARRAY(c.arena, enum fate, c.threads);
    c.last = ARENA_ARRAY(c.arena, bool, execution->n);
    c.before = ARENA_ARRAY(c.arena, bool, execution->n);
    c.twins = ARENA_ARRAY(c.arena, int, execution->n);
    for (unsigned e = 0; e < execution->n; e++)
        c.twins[e] = -1;
    find_fates(&c, fates);
    for (size_t i = 0; i < program->endings->stay_count; i++)
        if (holds(&c, program->endings->stays[i].condition))
            check_rounds(&c, &program->endings->stays[i]);
    check_order(&c);
    check_turns(&c);
    for (unsigned e = 0; e < execution->n; e++) {
        if (event_at(&c, e)->kind == EVENT_READ && execution->executes[e])
            check_read(&c, e);
        if (event_is_arrival(event_at(&c, e)) && c.last[e])
            check_phase(&c, e);
    }
    check_stuck(execution);
    check_schedule(&c);
    arena_free(c.arena);
}
