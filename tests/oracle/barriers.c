// Barriers by brute force: every arrival is guessed to be in some phase of its barrier, and what
// memory-model.md section 6 and struct meeting ask of phases is checked on the guesses.
//
// The phases of a barrier are numbered from 1 in their order; 0 stands for an arrival in no
// completed phase. Where Dat3M counts arrivals without phases (barrier_quorum), 1 stands for the
// chosen set of arrivals, and for a wait for passing.
#include "tests/oracle/search_internal.h"

static const struct value unknown = {.known = false};

static struct value known(u128 bits) {
    struct value value = {.known = true, .bits = bits};
    return value;
}

static struct value known_truth(enum truth truth) {
    return truth == NOT_KNOWN ? unknown : known(truth == TRUE_NOW);
}

static enum truth truth_and(enum truth a, enum truth b) {
    if (a == FALSE_NOW || b == FALSE_NOW)
        return FALSE_NOW;
    return a == TRUE_NOW && b == TRUE_NOW ? TRUE_NOW : NOT_KNOWN;
}

// --- Guesses -------------------------------------------------------------------------------------

bool barriers_is_guessed(const struct program *program, unsigned event) {
    const struct event *e = &program->events[event];
    return e->kind == EVENT_BARRIER && (e->is_arrival || e->barrier_quorum);
}

static unsigned lane_of(const struct test *test, int thread) {
    unsigned lane = 0;
    for (int t = 0; t < thread; t++)
        lane += test_same_cta(&test->threads[t].place, &test->threads[thread].place);
    return lane;
}

// The threads that share the barrier of an event: those of the CTA or the cluster, or the lanes of
// the mask.
static uint64_t members_of(struct search *search, unsigned event) {
    const struct event *e = &search->program->events[event];
    const struct test *test = search->program->test;
    uint64_t members = 0;
    for (int t = 0; t < (int)test->thread_count; t++) {
        const struct place *place = &test->threads[t].place, *own = &test->threads[e->thread].place;
        bool is_member = test_same_cta(place, own);
        if (e->scope == SCOPE_CLUSTER)
            is_member = test_same_cluster(place, own);
        if (e->instruction->barrier == BARRIER_WARP_SYNC)
            is_member = is_member && lane_of(test, t) / 32 == lane_of(test, e->thread) / 32 &&
                        (e->barrier_id->value.low >> lane_of(test, t) % 32 & 1);
        members |= is_member || t == e->thread ? bit((unsigned)t) : 0;
    }
    return members;
}

// How many threads a phase is of, those that have exited among them.
static struct value count_of(struct search *search, unsigned event) {
    const struct event *e = &search->program->events[event];
    if (e->arrival >= 0)
        return count_of(search, (unsigned)e->arrival);
    if (e->barrier_all)
        return known((unsigned)__builtin_popcountll(members_of(search, event)));
    return evaluate(&search->evaluation, e->barrier_count);
}

// No more full phases than the smallest thread count allows, and then short ones. Who is in one of
// these is in all before it: the others have exited.
unsigned barriers_last_phase(struct search *search, unsigned event) {
    const struct program *program = search->program;
    const struct event *e = &program->events[event];
    unsigned arrivals = 0, most = 0, of_thread[THREADS_MAX] = {0};
    u128 smallest = EVENTS_MAX;
    if (e->barrier_quorum)
        return 1;
    bool all = true;
    for (unsigned i = 0; i < program->event_count; i++) {
        const struct event *other = &program->events[i];
        if (other->kind != EVENT_BARRIER || !other->is_arrival ||
            other->barrier_group != e->barrier_group)
            continue;
        struct value count = count_of(search, i);
        u128 least = count.known && count.bits > 0 ? count.bits : 1;
        smallest = least < smallest ? least : smallest;
        all = all && other->barrier_all;
        arrivals++;
        if (++of_thread[other->thread] > most)
            most = of_thread[other->thread];
    }
    return all ? most : arrivals / (unsigned)smallest + most;
}

// "A barrier is what events with equal barrier_group, barrier_instance and barrier_id share."
static enum truth share_barrier(struct search *search, unsigned a, unsigned b) {
    const struct event *x = &search->program->events[a], *y = &search->program->events[b];
    if (x->kind != EVENT_BARRIER || y->kind != EVENT_BARRIER ||
        x->barrier_group != y->barrier_group || x->barrier_instance != y->barrier_instance)
        return FALSE_NOW;
    struct value id = evaluate(&search->evaluation, x->barrier_id);
    struct value other = evaluate(&search->evaluation, y->barrier_id);
    if (!id.known || !other.known)
        return NOT_KNOWN;
    return id.bits == other.bits ? TRUE_NOW : FALSE_NOW;
}

static enum truth is_in_phase(struct search *search, unsigned event) {
    if (!search->guess[event].made)
        return NOT_KNOWN;
    return search->guess[event].phase > 0 ? TRUE_NOW : FALSE_NOW;
}

static bool is_before(const struct event *a, const struct event *b) {
    return a->thread == b->thread && a->position < b->position;
}

// --- Values --------------------------------------------------------------------------------------

// "An executed wait passes when its arrival is in a completed phase, so never when that is -1."
static enum truth passes(struct search *search, unsigned wait) {
    const struct event *e = &search->program->events[wait];
    if (!e->barrier_quorum && e->arrival < 0)
        return FALSE_NOW;
    unsigned guessed = e->barrier_quorum ? wait : (unsigned)e->arrival;
    return truth_and(is_in_phase(search, guessed), truth_of(search, e->executes));
}

// Whether an arrival and a wait of one barrier are of one phase.
static enum truth is_of_phase(struct search *search, unsigned arrival, unsigned wait) {
    const struct event *a = &search->program->events[arrival];
    const struct event *w = &search->program->events[wait];
    enum truth in_phase = is_in_phase(search, arrival);
    if (w->barrier_quorum)
        return is_before(w, a) ? FALSE_NOW : in_phase;
    if (w->arrival < 0 || in_phase == FALSE_NOW)
        return FALSE_NOW;
    if (in_phase == NOT_KNOWN || !search->guess[w->arrival].made)
        return NOT_KNOWN;
    return search->guess[arrival].phase == search->guess[w->arrival].phase ? TRUE_NOW : FALSE_NOW;
}

// "A meeting takes place when the wait passes and the arrival is in the phase of the wait's
// arrival."
static enum truth meets(struct search *search, unsigned arrival, unsigned wait) {
    enum truth executes = truth_of(search, search->program->events[arrival].executes);
    enum truth together = truth_and(executes, passes(search, wait));
    if (together == FALSE_NOW)
        return FALSE_NOW;
    enum truth one_phase =
        truth_and(share_barrier(search, arrival, wait), is_of_phase(search, arrival, wait));
    return truth_and(together, one_phase);
}

struct value barriers_value(struct search *search, const struct expr *leaf) {
    const struct program *program = search->program;
    switch (leaf->op) {
    case EXPR_PASSES: return known_truth(passes(search, leaf->index));
    case EXPR_MEETS:
        return known_truth(meets(search, program->meetings[leaf->index].arrival,
                                 program->meetings[leaf->index].wait));
    case EXPR_REDUCED: return evaluate(&search->evaluation, program->events[leaf->index].reduced);
    case EXPR_REDUCED_UNDEF:
        return evaluate(&search->evaluation, program->events[leaf->index].reduced_undef);
    default: return unknown;
    }
}

// --- Early contradictions ------------------------------------------------------------------------

// "When an arrival is in one, so are all earlier ones of its thread at this barrier, in earlier
// phases"; "the arrivals of a phase are of different threads".
static bool is_in_order(struct search *search, unsigned first, unsigned second) {
    unsigned before = search->guess[first].phase, after = search->guess[second].phase;
    return after == 0 || (before > 0 && before < after);
}

static bool agree(struct search *search, unsigned a, unsigned b) {
    const struct event *x = &search->program->events[a], *y = &search->program->events[b];
    if (is_before(x, y))
        return is_in_order(search, a, b);
    if (is_before(y, x))
        return is_in_order(search, b, a);
    if (search->guess[a].phase != search->guess[b].phase || search->guess[a].phase == 0)
        return true;
    struct value count = count_of(search, a), other = count_of(search, b);
    return x->thread != y->thread && (!count.known || !other.known || count.bits == other.bits);
}

bool barriers_are_plausible(struct search *search, unsigned event) {
    const struct event *e = &search->program->events[event];
    unsigned phase = search->guess[event].phase, together = 1;
    enum truth executes = truth_of(search, e->executes);
    if (executes == FALSE_NOW)
        return phase == 0;
    if (e->barrier_quorum || executes == NOT_KNOWN)
        return true;
    for (unsigned other = 0; other < search->x.n; other++) {
        if (other == event || !search->guess[other].made ||
            share_barrier(search, event, other) != TRUE_NOW ||
            truth_of(search, search->program->events[other].executes) != TRUE_NOW)
            continue;
        if (!agree(search, event, other))
            return false;
        together += search->guess[other].phase == phase;
    }
    struct value count = count_of(search, event);
    return phase == 0 || !count.known || together <= count.bits;
}

// --- The whole -----------------------------------------------------------------------------------

// The executed arrivals at the barrier of an event.
static uint64_t arrivals_at(struct search *search, unsigned event) {
    uint64_t set = 0;
    for (unsigned a = 0; a < search->x.n; a++)
        if ((search->x.executed & bit(a)) && search->program->events[a].is_arrival &&
            share_barrier(search, a, event) == TRUE_NOW)
            set |= bit(a);
    return set;
}

static uint64_t with_phase(const struct search *search, uint64_t arrivals, unsigned phase) {
    uint64_t set = 0;
    for (uint64_t rest = arrivals; rest; rest &= rest - 1)
        if (search->guess[__builtin_ctzll(rest)].phase == phase)
            set |= rest & -rest;
    return set;
}

static uint64_t threads_of(const struct search *search, uint64_t events) {
    uint64_t threads = 0;
    for (; events; events &= events - 1)
        threads |= bit((unsigned)search->program->events[__builtin_ctzll(events)].thread);
    return threads;
}

// Those of the arrivals that want a phase of as many threads as this one.
static uint64_t with_count_of(struct search *search, uint64_t arrivals, unsigned event) {
    uint64_t set = 0;
    for (uint64_t rest = arrivals; rest; rest &= rest - 1)
        if (count_of(search, (unsigned)__builtin_ctzll(rest)).bits == count_of(search, event).bits)
            set |= rest & -rest;
    return set;
}

// D43: "all threads that share the barrier and have no arrival in the phase have exited, with all
// of their arrivals at the barrier in earlier phases." The phase: some arrivals at the barrier, and
// its number; 0 stands for one that is still to come.
static bool lacks_exited_threads(struct search *search, uint64_t phase, unsigned number) {
    unsigned first = (unsigned)__builtin_ctzll(phase);
    uint64_t members = members_of(search, first), missing = members & ~threads_of(search, phase);
    if (search->program->test->dialect == DIALECT_DAT3M ||
        count_of(search, first).bits > (unsigned)__builtin_popcountll(members))
        return false;
    for (uint64_t rest = missing; rest; rest &= rest - 1)
        if (truth_of(search, search->program->thread_ends[__builtin_ctzll(rest)]) != TRUE_NOW)
            return false;
    for (uint64_t rest = arrivals_at(search, first); rest; rest &= rest - 1) {
        unsigned a = (unsigned)__builtin_ctzll(rest), guessed = search->guess[a].phase;
        if ((missing & bit((unsigned)search->program->events[a].thread)) &&
            (guessed == 0 || (number > 0 && guessed >= number)))
            return false;
    }
    return true;
}

// "The arrivals of a phase are of different threads, have equal barrier_counts, and there are that
// many of them", or fewer; "the phases of a barrier are in an order." The numbers leave none out.
static bool has_phase(struct search *search, unsigned arrival) {
    unsigned phase = search->guess[arrival].phase;
    uint64_t all = arrivals_at(search, arrival);
    uint64_t together = with_phase(search, all, phase);
    if (phase == 0)
        return true;
    if (phase > 1 && !with_phase(search, all, phase - 1))
        return false;
    unsigned size = (unsigned)__builtin_popcountll(together);
    u128 count = count_of(search, arrival).bits;
    if (with_count_of(search, together, arrival) != together || size > count ||
        (size < count && !lacks_exited_threads(search, together, phase)) ||
        (unsigned)__builtin_popcountll(threads_of(search, together)) != size)
        return false;
    for (uint64_t rest = all; rest; rest &= rest - 1) {
        unsigned other = (unsigned)__builtin_ctzll(rest);
        if (is_before(&search->program->events[other], &search->program->events[arrival]) &&
            !is_in_order(search, other, arrival))
            return false;
    }
    return true;
}

// The arrivals at a barrier that are not behind a wait.
static uint64_t arrivals_before(struct search *search, unsigned wait) {
    uint64_t set = 0;
    for (uint64_t rest = arrivals_at(search, wait); rest; rest &= rest - 1)
        if (!is_before(&search->program->events[wait],
                       &search->program->events[__builtin_ctzll(rest)]))
            set |= rest & -rest;
    return set;
}

// "A wait passes when at least barrier_count arrivals meet it."
static bool has_quorum(struct search *search, unsigned wait) {
    uint64_t chosen = with_phase(search, arrivals_before(search, wait), 1);
    return search->guess[wait].phase == 0 ||
           (unsigned)__builtin_popcountll(chosen) >= count_of(search, wait).bits;
}

// Those of some arrivals at a barrier that are not behind another one of them.
static uint64_t first_of_threads(struct search *search, uint64_t arrivals) {
    const struct event *events = search->program->events;
    uint64_t first = arrivals;
    for (uint64_t a = arrivals; a; a &= a - 1)
        for (uint64_t b = arrivals; b; b &= b - 1)
            if (is_before(&events[__builtin_ctzll(a)], &events[__builtin_ctzll(b)]))
                first &= ~(b & -b);
    return first;
}

// "No further phase can complete: each thread's first executed arrival at a barrier that is in no
// phase is one of too few, and they make up no short phase either. And fewer than barrier_count
// executed arrivals may meet a wait with barrier_quorum that does not pass."
static bool is_stuck(struct search *search, unsigned event) {
    const struct event *e = &search->program->events[event];
    if (e->barrier_quorum)
        return !e->is_wait || search->guess[event].phase > 0 ||
               (unsigned)__builtin_popcountll(arrivals_before(search, event)) <
                   count_of(search, event).bits;
    if (!e->is_arrival || search->guess[event].phase > 0)
        return true;
    uint64_t left = first_of_threads(search, with_phase(search, arrivals_at(search, event), 0));
    if (!(left >> event & 1))
        return true;
    uint64_t together = with_count_of(search, left, event);
    return (unsigned)__builtin_popcountll(together) < count_of(search, event).bits &&
           !lacks_exited_threads(search, together, 0);
}

// The threads whose exit has released a wait.
static uint64_t exited_for(struct search *search, unsigned wait) {
    const struct event *e = &search->program->events[wait];
    if (!e->is_wait || e->barrier_quorum || e->arrival < 0 || passes(search, wait) != TRUE_NOW)
        return 0;
    unsigned own = (unsigned)e->arrival;
    uint64_t together = with_phase(search, arrivals_at(search, own), search->guess[own].phase);
    if ((unsigned)__builtin_popcountll(together) >= count_of(search, own).bits)
        return 0;
    return members_of(search, own) & ~threads_of(search, together);
}

// D48: from the reads that decide whether a thread comes to a barrier to the waits that its exit
// releases.
static struct rel exit_dependencies(struct search *search, uint64_t barriers) {
    const struct program *program = search->program;
    struct rel dependencies = rel_empty(search->x.n);
    for (size_t i = 0; i < program->exit_count; i++) {
        const struct barrier_exit *exit = &program->exits[i];
        if (!(barriers & bit(exit->released)) ||
            !(exited_for(search, exit->released) & bit((unsigned)exit->thread)))
            continue;
        for (size_t k = 0; k < exit->read_count; k++)
            rel_add(&dependencies, exit->reads[k], exit->released);
    }
    return rel_within(dependencies, search->x.executed, search->x.executed);
}

// "Whatever passes does so for a reason: program order, the meetings and the exits that take place
// together have no cycle."
static bool has_reasons(struct search *search, struct rel meetings) {
    const struct program *program = search->program;
    struct rel reasons = meetings;
    for (unsigned a = 0; a < search->x.n; a++)
        for (unsigned b = 0; b < search->x.n; b++)
            if (is_before(&program->events[a], &program->events[b]) &&
                program->events[a].thread >= 0)
                rel_add(&reasons, a, b);
    for (unsigned w = 0; w < search->x.n; w++) {
        uint64_t exited = search->x.executed & bit(w) ? exited_for(search, w) : 0;
        for (unsigned e = 0; e < search->x.n; e++)
            if (program->events[e].is_wait && (exited & bit((unsigned)program->events[e].thread)))
                rel_add(&reasons, e, w);
    }
    return rel_is_acyclic(rel_within(reasons, search->x.executed, search->x.executed));
}

static bool is_known(struct search *search, unsigned event) {
    const struct event *e = &search->program->events[event];
    return evaluate(&search->evaluation, e->barrier_id).known && count_of(search, event).known;
}

static struct rel all_meetings(struct search *search, uint64_t barriers) {
    struct rel meetings = rel_empty(search->x.n);
    for (uint64_t waits = barriers; waits; waits &= waits - 1) {
        unsigned w = (unsigned)__builtin_ctzll(waits);
        for (uint64_t rest = barriers; rest && search->program->events[w].is_wait;
             rest &= rest - 1) {
            unsigned a = (unsigned)__builtin_ctzll(rest);
            if (search->program->events[a].is_arrival && meets(search, a, w) == TRUE_NOW)
                rel_add(&meetings, a, w);
        }
    }
    return meetings;
}

// The executed barrier events, and those of them that are relaxed. Returns false when it is not
// known what some of them are about.
static bool find_barriers(struct search *search, uint64_t *barriers, uint64_t *relaxed) {
    for (unsigned e = 0; e < search->x.n; e++) {
        const struct event *event = &search->program->events[e];
        if (event->kind != EVENT_BARRIER || !(search->x.executed & bit(e)))
            continue;
        if (!is_known(search, e))
            return false;
        *barriers |= bit(e);
        *relaxed |= event->order == ORDER_RELAXED ? bit(e) : 0;
    }
    return true;
}

// What section 6 says of arrivals, for the axioms.
static void describe_arrivals(struct search *search, uint64_t barriers) {
    for (uint64_t rest = barriers; rest; rest &= rest - 1) {
        unsigned a = (unsigned)__builtin_ctzll(rest);
        const struct event *e = &search->program->events[a];
        if (!e->is_arrival || e->barrier_quorum)
            continue;
        search->x.event[a].barrier = 1 + (unsigned)__builtin_ctzll(arrivals_at(search, a));
        search->x.event[a].phase = search->guess[a].phase;
        search->x.event[a].wants = (uint64_t)count_of(search, a).bits;
        search->x.event[a].reduces = e->predicate != NULL;
    }
}

static bool is_right(struct search *search, unsigned event) {
    const struct event *e = &search->program->events[event];
    if (e->barrier_quorum)
        return !e->is_wait || has_quorum(search, event);
    return !e->is_arrival || has_phase(search, event);
}

enum barriers barriers_complete(struct search *search) {
    uint64_t barriers = 0, relaxed = 0;
    bool stuck = true;
    search->blocked = false;
    if (!find_barriers(search, &barriers, &relaxed))
        return BARRIERS_UNKNOWN;
    for (uint64_t rest = barriers; rest; rest &= rest - 1) {
        unsigned e = (unsigned)__builtin_ctzll(rest);
        if (!is_right(search, e))
            return BARRIERS_WRONG;
        search->blocked |= search->program->events[e].is_wait && passes(search, e) == FALSE_NOW;
        stuck = stuck && is_stuck(search, e);
    }
    struct rel meetings = all_meetings(search, barriers);
    if ((search->blocked && !stuck) || !has_reasons(search, meetings))
        return BARRIERS_WRONG;
    // "Relaxed arrivals do not synchronise."
    describe_arrivals(search, barriers);
    search->x.meets = meetings;
    search->x.exit_dependency = exit_dependencies(search, barriers);
    search->x.barrier = rel_within(meetings, barriers & ~relaxed, barriers);
    return BARRIERS_RIGHT;
}
