// Barriers by brute force (memory-model section 6): the arrivals of the chosen paths are put
// into phases in every way that agrees with what the paths say of waits that pass.
//
// A barrier is known by its group (the CTA, the cluster, or the lanes of a warp) and its number.
// Its phases follow each other; each takes the next arrival of some of its threads. Where Dat3M
// counts arrivals without phases, phase 1 is a chosen set of arrivals.
#include "tests/oracle/explore_internal.h"
#include "tests/oracle/warp.h"

enum { BARRIERS_MAX = EVENTS_MAX };

struct barrier {
    enum barrier_kind kind; // SYNC for all of bar, CLUSTER_ARRIVE for the cluster's
    int first;              // a thread of the group
    uint64_t id;
    uint64_t members;              // threads
    bool quorum;                   // Dat3M's counts
    unsigned arrivals[EVENTS_MAX]; // events, those of a thread in program order
    unsigned arrival_count;
    unsigned waits[EVENTS_MAX];
    unsigned wait_count;
};

struct trial {
    struct explorer *explorer;
    bool (*go_on)(struct explorer *explorer);
    struct barrier barriers[BARRIERS_MAX];
    unsigned count;
    uint64_t exited; // threads that are done
};

// --- Which barriers there are --------------------------------------------------------------------

static unsigned number_in_cta(const struct test *test, int thread) {
    unsigned number = 0;
    for (int i = 0; i < thread; i++)
        number += test_same_cta(&test->threads[i].place, &test->threads[thread].place);
    return number;
}

static bool is_member(const struct test *test, enum barrier_kind kind, uint64_t id, int a, int b) {
    const struct place *x = &test->threads[a].place, *y = &test->threads[b].place;
    unsigned i = number_in_cta(test, a), j = number_in_cta(test, b);
    if (kind == BARRIER_CLUSTER_ARRIVE)
        return test_same_cluster(x, y);
    if (kind == BARRIER_SYNC)
        return test_same_cta(x, y);
    return test_same_cta(x, y) && i / 32 == j / 32 && (id >> j % 32 & 1);
}

static uint64_t members(const struct test *test, enum barrier_kind kind, uint64_t id, int thread) {
    uint64_t set = 0;
    for (size_t i = 0; i < test->thread_count; i++)
        if (is_member(test, kind, id, thread, (int)i))
            set |= bit((unsigned)i);
    return set;
}

static struct barrier *find_barrier(struct trial *trial, unsigned event) {
    const struct step *step = trial->explorer->steps[event];
    const struct test *test = trial->explorer->test;
    int thread = trial->explorer->x.event[event].thread;
    enum barrier_kind kind = influence_barrier_kind(step);
    uint64_t set = members(test, kind, step->id, thread);
    for (unsigned i = 0; i < trial->count; i++) {
        struct barrier *barrier = &trial->barriers[i];
        if (barrier->kind == kind && barrier->id == step->id && barrier->members == set)
            return barrier;
    }
    struct barrier *added = &trial->barriers[trial->count++];
    added->kind = kind;
    added->first = thread;
    added->id = step->id;
    added->members = set;
    added->quorum = false;
    added->arrival_count = 0;
    added->wait_count = 0;
    return added;
}

// In Dat3M's dialect a barrier without a count waits for those threads that arrive there at all.
static uint64_t arriving(const struct explorer *explorer, const struct barrier *barrier) {
    uint64_t threads = 0;
    for (unsigned i = 0; i < barrier->arrival_count; i++)
        threads |= bit((unsigned)explorer->x.event[barrier->arrivals[i]].thread);
    return threads;
}

static void find_barriers(struct trial *trial) {
    const struct explorer *explorer = trial->explorer;
    bool dat3m = explorer->test->dialect == DIALECT_DAT3M;
    for (unsigned e = 1; e < explorer->x.n; e++) {
        if (explorer->x.event[e].action != ACTION_BARRIER)
            continue;
        struct barrier *barrier = find_barrier(trial, e);
        if (explorer->steps[e]->arrives)
            barrier->arrivals[barrier->arrival_count++] = e;
        else
            barrier->waits[barrier->wait_count++] = e;
        barrier->quorum = barrier->quorum || (dat3m && explorer->steps[e]->counts);
    }
    for (unsigned i = 0; dat3m && i < trial->count; i++)
        trial->barriers[i].members = arriving(explorer, &trial->barriers[i]);
    for (size_t t = 0; t < explorer->test->thread_count; t++)
        if (explorer->chosen[t]->path.end == PATH_DONE)
            trial->exited |= bit((unsigned)t);
}

// --- Judging phases ------------------------------------------------------------------------------

static bool is_before(const struct explorer *explorer, unsigned a, unsigned b) {
    return explorer->x.event[a].thread == explorer->x.event[b].thread &&
           explorer->x.event[a].position < explorer->x.event[b].position;
}

// The event of a wait's arrival, or 0.
static unsigned arrival_of(const struct explorer *explorer, unsigned wait) {
    int arrival = explorer->steps[wait]->arrival;
    if (arrival < 0)
        return 0;
    return explorer->first_event[explorer->x.event[wait].thread] + (unsigned)arrival;
}

// Whether the arrival is of the phase that the wait is for.
static bool is_met(const struct explorer *explorer, const struct barrier *barrier, unsigned arrival,
                   unsigned wait) {
    if (barrier->quorum)
        return explorer->phase[arrival] > 0 && !is_before(explorer, wait, arrival);
    unsigned own = arrival_of(explorer, wait);
    return own > 0 && explorer->phase[own] > 0 && explorer->phase[arrival] == explorer->phase[own];
}

static bool passes_rightly(const struct explorer *explorer, const struct barrier *barrier,
                           unsigned wait) {
    const struct step *step = explorer->steps[wait];
    unsigned own = arrival_of(explorer, wait), chosen = 0, possible = 0;
    if (!barrier->quorum)
        return step->passes == (own > 0 && explorer->phase[own] > 0);
    for (unsigned i = 0; i < barrier->arrival_count; i++) {
        chosen += is_met(explorer, barrier, barrier->arrivals[i], wait);
        possible += !is_before(explorer, wait, barrier->arrivals[i]);
    }
    return step->passes ? chosen >= step->count : possible < step->count;
}

// What bar.red returns: "the number of true predicates in the phase, or their and or or".
static struct value reduced(const struct explorer *explorer, const struct barrier *barrier,
                            unsigned wait) {
    const struct step *step = explorer->steps[wait];
    unsigned count = 0;
    enum truth all = TRUE_NOW, any = FALSE_NOW;
    bool known = true;
    for (unsigned i = 0; i < barrier->arrival_count; i++) {
        const struct step *arrival = explorer->steps[barrier->arrivals[i]];
        if (arrival->barrier != BARRIER_RED ||
            !is_met(explorer, barrier, barrier->arrivals[i], wait))
            continue;
        known = known && arrival->predicate != NOT_KNOWN;
        count += arrival->predicate == TRUE_NOW;
        all = compute_combine(BOOL_AND, all, arrival->predicate);
        any = compute_combine(BOOL_OR, any, arrival->predicate);
    }
    if (step->at->bool_op == BOOL_NONE)
        return known ? value_known(count, 32) : value_unknown(32);
    return compute_from_truth(step->at->bool_op == BOOL_AND ? all : any);
}

// What an exchange between lanes returns.
static struct value exchanged(const struct explorer *explorer, const struct barrier *barrier,
                              unsigned wait) {
    struct warp_part parts[EVENTS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < barrier->arrival_count; i++) {
        unsigned arrival = barrier->arrivals[i];
        if (is_met(explorer, barrier, arrival, wait))
            parts[count++] =
                (struct warp_part){warp_lane(explorer->test, explorer->x.event[arrival].thread),
                                   explorer->steps[arrival]->value};
    }
    return warp_result(explorer->steps[wait],
                       warp_lane(explorer->test, explorer->x.event[wait].thread), parts, count);
}

// "The same leader thread is elected for the same membermask every time."
static bool elects_the_same(const struct explorer *explorer, const struct barrier *barrier) {
    const struct step *first = NULL;
    for (unsigned i = 0; i < barrier->wait_count; i++) {
        const struct step *step = explorer->steps[barrier->waits[i]];
        if (!step->exchanges || step->at->warp != WARP_ELECT || !step->passes)
            continue;
        if (first && !value_equal(first->value, step->value))
            return false;
        first = step;
    }
    return true;
}

// Whether a wait passes with a result that the others of its phase decide.
static bool is_decided_by_others(const struct step *step) {
    return step->exchanges && step->passes && step->at->warp != WARP_ELECT;
}

static bool is_right(const struct explorer *explorer, const struct barrier *barrier) {
    if (!elects_the_same(explorer, barrier))
        return false;
    for (unsigned i = 0; i < barrier->wait_count; i++) {
        unsigned wait = barrier->waits[i];
        const struct step *step = explorer->steps[wait];
        if (!passes_rightly(explorer, barrier, wait))
            return false;
        if (step->barrier == BARRIER_RED && step->passes &&
            !value_equal(step->value, reduced(explorer, barrier, wait)))
            return false;
        if (is_decided_by_others(step) &&
            !value_equal(step->value, exchanged(explorer, barrier, wait)))
            return false;
    }
    return true;
}

// "Whatever passes does so for a reason": program order, phases and exits have no cycle.
static bool has_reasons(const struct explorer *explorer) {
    struct rel reasons = explorer->reasons;
    for (unsigned a = 1; a < explorer->x.n; a++)
        for (unsigned b = 1; b < explorer->x.n; b++)
            if (is_before(explorer, a, b))
                rel_add(&reasons, a, b);
    return rel_is_acyclic(reasons);
}

// As written, what a thread does with what a wait has returned depends on the lanes that have given
// it.
static void add_lane_dependencies(struct explorer *explorer, const struct barrier *barrier,
                                  unsigned wait) {
    int thread = explorer->x.event[wait].thread;
    const struct candidate_path *path = explorer->chosen[thread];
    const struct step *step = explorer->steps[wait];
    unsigned first = explorer->first_event[thread], index = wait - first;
    for (unsigned i = 0; i < barrier->arrival_count; i++) {
        unsigned arrival = barrier->arrivals[i];
        unsigned lane = warp_lane(explorer->test, explorer->x.event[arrival].thread);
        if (!is_met(explorer, barrier, arrival, wait) ||
            !warp_takes(step, warp_lane(explorer->test, thread), lane))
            continue;
        for (unsigned k = index + 1; k < path->path.count; k++)
            if (path->depends[k] & bit(index))
                rel_add(&explorer->x.dependency, arrival, first + k);
    }
}

static struct lanes lanes_of(const struct explorer *explorer) {
    struct lanes lanes = {.influence = explorer->paths.influence,
                          .thread_count = (unsigned)explorer->test->thread_count};
    for (unsigned t = 0; t < lanes.thread_count; t++) {
        lanes.path[t] = &explorer->chosen[t]->path;
        lanes.depends[t] = explorer->chosen[t]->depends;
        lanes.first[t] = explorer->first_event[t];
    }
    for (unsigned e = 1; e < explorer->x.n; e++)
        lanes.thread[e] = explorer->x.event[e].thread;
    return lanes;
}

// What a thread does with what its warp has given it depends on what the lanes have read, and only
// on what makes a difference to it.
static void add_lane_influences(struct explorer *explorer, const struct trial *trial) {
    struct lanes lanes = lanes_of(explorer);
    bool some = false;
    for (unsigned i = 0; i < trial->count; i++)
        for (unsigned w = 0; w < trial->barriers[i].wait_count; w++) {
            const struct barrier *barrier = &trial->barriers[i];
            unsigned wait = barrier->waits[w];
            for (unsigned a = 0;
                 is_decided_by_others(explorer->steps[wait]) && a < barrier->arrival_count; a++)
                if (is_met(explorer, barrier, barrier->arrivals[a], wait))
                    lanes.met[wait] |= bit(barrier->arrivals[a]);
            some = some || lanes.met[wait] != 0;
        }
    for (unsigned e = 1; some && e < explorer->x.n; e++) {
        uint64_t alone;
        if (!influence_uses_lanes(&lanes, e, &alone))
            continue;
        uint64_t reads = influence_of_lanes(&explorer->known_lanes, &lanes, e);
        explorer->x.dependency =
            rel_minus(explorer->x.dependency, rel_product(explorer->x.n, alone, bit(e)));
        explorer->x.dependency =
            rel_or(explorer->x.dependency, rel_product(explorer->x.n, reads, bit(e)));
    }
}

static void add_phase_edges(struct explorer *explorer, const struct barrier *barrier) {
    bool as_written = explorer->paths.dependencies != DEPENDENCIES_SEMANTIC;
    for (unsigned w = 0; as_written && w < barrier->wait_count; w++)
        if (is_decided_by_others(explorer->steps[barrier->waits[w]]))
            add_lane_dependencies(explorer, barrier, barrier->waits[w]);
    for (unsigned w = 0; w < barrier->wait_count; w++)
        for (unsigned a = 0; a < barrier->arrival_count; a++) {
            unsigned arrival = barrier->arrivals[a], wait = barrier->waits[w];
            if (!explorer->steps[wait]->passes || !is_met(explorer, barrier, arrival, wait))
                continue;
            rel_add(&explorer->reasons, arrival, wait);
            rel_add(&explorer->x.meets, arrival, wait);
            // "Relaxed arrivals do not synchronise."
            if (explorer->x.event[arrival].order != ORDER_RELAXED &&
                !explorer->steps[wait]->exchanges)
                rel_add(&explorer->x.barrier, arrival, wait);
            // What bar.red computes depends on the predicates.
            if (explorer->steps[arrival]->barrier == BARRIER_RED &&
                explorer->steps[wait]->barrier == BARRIER_RED)
                rel_add(&explorer->x.dependency, arrival, wait);
        }
}

// --- Phases --------------------------------------------------------------------------------------

static bool try_barrier(struct trial *trial, unsigned index);

// How many threads a barrier of a launch counts that is for all of a block: whole warps; else 0.
static uint64_t counted_of_all(const struct thread *thread) {
    const struct launch *launch = thread->launch;
    if (launch == NULL)
        return 0;
    uint64_t all = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    return (all + 31) / 32 * 32;
}

// How many threads an arrival wants in its phase, itself among them.
static unsigned wanted(const struct explorer *explorer, const struct barrier *barrier,
                       unsigned arrival) {
    const struct step *step = explorer->steps[arrival];
    const struct thread *thread = &explorer->test->threads[explorer->x.event[arrival].thread];
    bool is_of_all = step->count == counted_of_all(thread);
    return step->counts && !is_of_all ? (unsigned)step->count
                                      : (unsigned)__builtin_popcountll(barrier->members);
}

// The warp of a thread of a launch in its CTA, from 1 on; 0 for one of a test, where each thread
// represents only itself.
static unsigned warp_of(const struct test *test, int thread) {
    return test->threads[thread].launch == NULL ? 0 : number_in_cta(test, thread) / 32 + 1;
}

// What section 6 says of arrivals, for the axioms.
static void describe_arrivals(const struct trial *trial) {
    for (unsigned i = 0; i < trial->count; i++)
        for (unsigned k = 0; k < trial->barriers[i].arrival_count; k++) {
            unsigned a = trial->barriers[i].arrivals[k];
            struct occurrence *arrival = &trial->explorer->x.event[a];
            arrival->barrier = trial->barriers[i].quorum ? 0 : i + 1;
            arrival->phase = trial->explorer->phase[a];
            arrival->wants = wanted(trial->explorer, &trial->barriers[i], a);
            arrival->reduces = trial->explorer->steps[a]->barrier == BARRIER_RED;
            arrival->warp = warp_of(trial->explorer->test, arrival->thread);
            arrival->at = trial->explorer->steps[a]->at;
        }
}

// All barriers have their phases.
static bool try_phases(struct trial *trial) {
    struct explorer *explorer = trial->explorer;
    struct rel reasons = explorer->reasons, dependency = explorer->x.dependency;
    bool go_on = true;
    describe_arrivals(trial);
    for (unsigned i = 0; i < trial->count; i++)
        add_phase_edges(explorer, &trial->barriers[i]);
    if (explorer->paths.dependencies == DEPENDENCIES_SEMANTIC)
        add_lane_influences(explorer, trial);
    if (has_reasons(explorer))
        go_on = trial->go_on(explorer);
    explorer->reasons = reasons;
    explorer->x.dependency = dependency;
    explorer->x.barrier = explorer->x.meets = rel_empty(explorer->x.n);
    return go_on;
}

// The next arrival of each thread that is in no phase yet, as a set of events.
static uint64_t next_arrivals(const struct explorer *explorer, const struct barrier *barrier) {
    uint64_t set = 0, threads = 0;
    for (unsigned i = 0; i < barrier->arrival_count; i++) {
        unsigned arrival = barrier->arrivals[i];
        uint64_t thread = bit((unsigned)explorer->x.event[arrival].thread);
        if (explorer->phase[arrival] > 0 || (threads & thread))
            continue;
        threads |= thread;
        set |= bit(arrival);
    }
    return set;
}

static uint64_t threads_of(const struct explorer *explorer, uint64_t events) {
    uint64_t threads = 0;
    for (; events; events &= events - 1)
        threads |= bit((unsigned)explorer->x.event[__builtin_ctzll(events)].thread);
    return threads;
}

// Threads of the barrier that have exited and have no arrival left.
static uint64_t gone(const struct trial *trial, const struct barrier *barrier) {
    uint64_t waiting = threads_of(trial->explorer, next_arrivals(trial->explorer, barrier));
    return barrier->members & trial->exited & ~waiting;
}

// "A phase is of as many threads as the instruction says; without a thread count, of all that share
// the barrier. All arrivals of a phase want the same number." With fewer it is complete "if only
// exited threads could make those that it lacks; and the number that is wanted is at most that of
// the threads that share the barrier".
static bool is_phase(const struct trial *trial, const struct barrier *barrier, uint64_t arrivals) {
    const struct explorer *explorer = trial->explorer;
    uint64_t threads = threads_of(explorer, arrivals);
    bool all = (threads | gone(trial, barrier)) == barrier->members;
    unsigned size = (unsigned)__builtin_popcountll(threads);
    for (uint64_t rest = arrivals; rest; rest &= rest - 1) {
        unsigned arrival = (unsigned)__builtin_ctzll(rest);
        unsigned count = wanted(explorer, barrier, arrival);
        bool enough = size == count || (size < count && all &&
                                        count <= (unsigned)__builtin_popcountll(barrier->members));
        if (!enough || count != wanted(explorer, barrier, (unsigned)__builtin_ctzll(arrivals)))
            return false;
    }
    return arrivals != 0;
}

// Whether some of the arrivals that are left could make another phase.
static bool could_go_on(const struct trial *trial, const struct barrier *barrier) {
    uint64_t next = next_arrivals(trial->explorer, barrier);
    for (uint64_t some = next; some; some = (some - 1) & next)
        if (is_phase(trial, barrier, some))
            return true;
    return false;
}

// The last waits of threads whose exit has released a phase came before its waits. For axiom 4,
// what decided that such a thread did not arrive comes before them, too.
static void add_exits(struct trial *trial, const struct barrier *barrier, uint64_t arrivals) {
    struct explorer *explorer = trial->explorer;
    uint64_t threads = threads_of(explorer, arrivals), sources = 0, last = 0;
    unsigned first = (unsigned)__builtin_ctzll(arrivals);
    bool none = explorer->paths.dependencies == DEPENDENCIES_NONE;
    if ((unsigned)__builtin_popcountll(threads) >= wanted(explorer, barrier, first))
        return;
    for (uint64_t rest = gone(trial, barrier) & ~threads; rest; rest &= rest - 1) {
        unsigned thread = (unsigned)__builtin_ctzll(rest);
        struct arrivals at = {barrier->kind, barrier->id};
        if (!none)
            sources |= influence_on_arrival(&explorer->paths.influence[thread],
                                            &explorer->chosen[thread]->path, at)
                       << explorer->first_event[thread];
        for (unsigned e = 1; e < explorer->x.n; e++)
            if (explorer->x.event[e].thread == (int)thread && explorer->steps[e]->waits)
                last |= bit(e);
    }
    for (unsigned i = 0; i < barrier->wait_count; i++) {
        if (!(arrivals & bit(arrival_of(explorer, barrier->waits[i]))))
            continue;
        uint64_t wait = bit(barrier->waits[i]);
        explorer->reasons = rel_or(explorer->reasons, rel_product(explorer->x.n, last, wait));
        explorer->x.exit_dependency =
            rel_or(explorer->x.exit_dependency, rel_product(explorer->x.n, sources, wait));
    }
}

// Whether a wait that passes has an arrival that is in no phase.
static bool leaves_out(const struct explorer *explorer, const struct barrier *barrier) {
    for (unsigned i = 0; i < barrier->wait_count; i++) {
        unsigned own = arrival_of(explorer, barrier->waits[i]);
        if (explorer->steps[barrier->waits[i]]->passes && (own == 0 || explorer->phase[own] == 0))
            return true;
    }
    return false;
}

static bool try_phase(struct trial *trial, unsigned index, unsigned phase) {
    struct explorer *explorer = trial->explorer;
    struct barrier *barrier = &trial->barriers[index];
    if (!leaves_out(explorer, barrier) && is_right(explorer, barrier) &&
        !(explorer->blocked && !explorer->trapped && could_go_on(trial, barrier)) &&
        !try_barrier(trial, index + 1))
        return false;
    uint64_t next = next_arrivals(explorer, barrier);
    for (uint64_t some = next; some; some = (some - 1) & next) {
        if (!is_phase(trial, barrier, some))
            continue;
        struct rel reasons = explorer->reasons, exits = explorer->x.exit_dependency;
        add_exits(trial, barrier, some);
        for (uint64_t rest = some; rest; rest &= rest - 1)
            explorer->phase[__builtin_ctzll(rest)] = phase;
        bool go_on = try_phase(trial, index, phase + 1);
        for (uint64_t rest = some; rest; rest &= rest - 1)
            explorer->phase[__builtin_ctzll(rest)] = 0;
        explorer->reasons = reasons;
        explorer->x.exit_dependency = exits;
        if (!go_on)
            return false;
    }
    return true;
}

// Each arrival is counted or not.
static bool try_quorum(struct trial *trial, unsigned index, unsigned arrival) {
    struct barrier *barrier = &trial->barriers[index];
    if (arrival == barrier->arrival_count)
        return !is_right(trial->explorer, barrier) || try_barrier(trial, index + 1);
    for (unsigned phase = 0; phase <= 1; phase++) {
        trial->explorer->phase[barrier->arrivals[arrival]] = phase;
        if (!try_quorum(trial, index, arrival + 1))
            return false;
    }
    trial->explorer->phase[barrier->arrivals[arrival]] = 0;
    return true;
}

static bool try_barrier(struct trial *trial, unsigned index) {
    if (!explore_count_step(trial->explorer))
        return false;
    if (index == trial->count)
        return try_phases(trial);
    return trial->barriers[index].quorum ? try_quorum(trial, index, 0) : try_phase(trial, index, 1);
}

bool barriers_each(struct explorer *explorer, bool (*go_on)(struct explorer *explorer)) {
    struct trial trial = {.explorer = explorer, .go_on = go_on};
    explorer->reasons = rel_empty(explorer->x.n);
    for (unsigned e = 0; e < explorer->x.n; e++)
        explorer->phase[e] = 0;
    find_barriers(&trial);
    return try_barrier(&trial, 0);
}
