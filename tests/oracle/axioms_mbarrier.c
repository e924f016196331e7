#include "tests/oracle/axioms_mbarrier.h"

#include "tests/oracle/axioms_async.h"
#include "tests/oracle/mbarrier.h"

bool mbarrier_is_strong(const struct occurrence *e) {
    bool signals = e->mbarrier == MBARRIER_ARRIVES || e->mbarrier == MBARRIER_COMPLETES ||
                   e->mbarrier == MBARRIER_COUNTS;
    return (signals && e->action == ACTION_WRITE) || e->mbarrier == MBARRIER_WAITS;
}

// What an asynchronous operation does when it is complete counts as an arrival of the phase.
static bool is_arrival(const struct occurrence *e) {
    return (e->mbarrier == MBARRIER_ARRIVES || e->mbarrier == MBARRIER_COMPLETES) &&
           e->action == ACTION_WRITE;
}

// "A release or acquire-release memory fence followed by a strong write on M in program order"
// (8.8): expect_tx and complete_tx are .relaxed.
static bool is_signal(const struct occurrence *e) {
    return is_arrival(e) || (e->mbarrier == MBARRIER_COUNTS && e->action == ACTION_WRITE);
}

static bool is_true_wait(const struct occurrence *e) {
    return e->mbarrier == MBARRIER_WAITS && e->completed;
}

static bool is_init(const struct occurrence *e) {
    return e->mbarrier == MBARRIER_SET;
}

static bool is_end(const struct occurrence *e) {
    return e->mbarrier == MBARRIER_END;
}

static bool is_write(const struct occurrence *e) {
    return e->mbarrier != MBARRIER_NONE && e->action == ACTION_WRITE;
}

static bool is_any(const struct occurrence *e) {
    return e->mbarrier != MBARRIER_NONE;
}

static bool is_init_fence(const struct occurrence *e) {
    return e->orders_init;
}

static bool is_fence(const struct occurrence *e) {
    return e->action == ACTION_FENCE && !e->orders_init;
}

static uint64_t those(const struct execution *x, bool (*property)(const struct occurrence *)) {
    uint64_t set = 0;
    for (unsigned e = 0; e < x->n; e++)
        if ((x->executed & bit(e)) && property(&x->event[e]))
            set |= bit(e);
    return set;
}

uint64_t mbarriers_of(const struct execution *x, const struct derived *d) {
    (void)d;
    return those(x, is_any);
}

// --- Order and phases ----------------------------------------------------------------------------

struct rel mbarrier_phases(const struct execution *x, const struct derived *d) {
    struct rel phases = rel_empty(x->n);
    uint64_t arrivals = those(x, is_signal), waits = those(x, is_true_wait);
    for (unsigned a = 0; a < x->n; a++)
        for (unsigned w = 0; w < x->n; w++)
            if ((arrivals & bit(a)) && (waits & bit(w)) && rel_has(&d->loc, a, w) &&
                (x->event[a].mbarrier_phase + 1) % (1 << MBARRIER_PHASE_BITS) ==
                    x->event[w].mbarrier_phase)
                rel_add(&phases, a, w);
    return phases;
}

// The writes of an object in the order in which rf chains them: each operation that changes the
// object reads from the one before it, an init begins a new chain. What comes before an event.
static struct rel chains(const struct execution *x, const struct derived *d) {
    uint64_t all = those(x, is_any);
    return rel_closure(rel_or(rel_within(d->rf, all, all), rel_within(d->rmw, all, all)));
}

// "During the completed phase": the arrivals of one generation of the object are those between an
// init and the wait, which the chain connects.
struct rel mbarrier_completed(const struct execution *x, const struct derived *d) {
    return rel_and(mbarrier_phases(x, d), chains(x, d));
}

// --- Synchronisation -----------------------------------------------------------------------------

bool mbarrier_releases(const struct occurrence *e) {
    return is_arrival(e) && e->order == ORDER_RELEASE;
}

static bool acquires(const struct occurrence *e) {
    return e->mbarrier == MBARRIER_WAITS && e->order == ORDER_ACQUIRE;
}

static bool is_releasing_fence(const struct occurrence *e) {
    return is_fence(e) &&
           (e->order == ORDER_RELEASE || e->order == ORDER_ACQ_REL || e->order == ORDER_SC);
}

static bool is_acquiring_fence(const struct occurrence *e) {
    return is_fence(e) &&
           (e->order == ORDER_ACQUIRE || e->order == ORDER_ACQ_REL || e->order == ORDER_SC);
}

// From a fence to the operation that the phase counts.
static struct rel released(const struct execution *x, const struct derived *d, uint64_t fences) {
    return rel_within(d->po, fences, those(x, is_signal));
}

static struct rel acquired(const struct execution *x, const struct derived *d, uint64_t fences) {
    return rel_or(rel_identity(x->n, those(x, acquires)),
                  rel_within(d->po, those(x, is_true_wait), fences));
}

static bool is_completion(const struct occurrence *e) {
    return is_arrival(e) && e->mbarrier == MBARRIER_COMPLETES;
}

// 8.9.2: from an operation to the next one that reads from it, where both are morally strong, over
// any number of these.
static struct rel observed(const struct execution *x, const struct derived *d) {
    struct rel links = rel_empty(x->n), turns = rel_within(d->rmw, those(x, is_any), x->executed);
    for (unsigned a = 0; a < x->n; a++)
        for (unsigned b = 0; b < x->n; b++) {
            const struct occurrence *read = &x->event[b];
            unsigned last = read->rmw >= 0 ? (unsigned)read->rmw : b;
            if (rel_has(&d->rf, a, b) && is_signal(&x->event[a]) && rel_has(&d->ms, a, last) &&
                (is_signal(&x->event[last]) || is_true_wait(read)))
                rel_add(&links, a, b);
        }
    struct rel chain = rel_seq(links, rel_optional(rel_closure(rel_seq(turns, links))));
    struct rel phases = mbarrier_phases(x, d);
    uint64_t found = 0;
    for (unsigned a = 0; a < x->n; a++)
        found |= phases.row[a];
    return rel_within(chain, x->executed, found);
}

// What a wait acquires from (waits acquire from their phase). "All memory accesses requested prior
// to mbarrier.arrive having release semantics during the completed phase by the participating
// threads of the CTA": one of the two readings takes this for the threads of the CTA alone.
static struct rel acquired_from(const struct execution *x, const struct derived *d) {
    struct rel phases = rel_and(d->ms, mbarrier_completed(x, d));
    if (!d->mbarrier_chains)
        return phases;
    struct rel found = rel_within(phases, those(x, is_completion), x->executed);
    for (unsigned a = 0; a < x->n; a++)
        for (unsigned w = 0; w < x->n; w++)
            if (rel_has(&phases, a, w) &&
                x->together[x->event[a].thread][x->event[w].thread] == SCOPE_CTA)
                rel_add(&found, a, w);
    return rel_or(found, observed(x, d));
}

struct rel mbarrier_patterns(const struct execution *x, const struct derived *d, uint64_t first,
                             uint64_t last) {
    struct rel phases = rel_and(d->ms, mbarrier_completed(x, d));
    return rel_seq(rel_seq(released(x, d, first), phases),
                   rel_within(d->po, those(x, is_true_wait), last));
}

struct rel mbarrier_synchronisation(const struct execution *x, const struct derived *d) {
    struct rel first = rel_or(rel_identity(x->n, those(x, mbarrier_releases)),
                              released(x, d, those(x, is_releasing_fence)));
    struct rel last = acquired(x, d, those(x, is_acquiring_fence));
    return rel_and(d->ms, rel_seq(rel_seq(first, acquired_from(x, d)), last));
}

struct rel mbarrier_observed_completions(const struct execution *x, const struct derived *d) {
    struct rel found = rel_within(mbarrier_completed(x, d), those(x, is_completion), x->executed);
    return rel_and(d->ms, found);
}

// --- fence.mbarrier_init -------------------------------------------------------------------------

static bool is_relaxed_cluster_arrival(const struct occurrence *e) {
    return e->action == ACTION_BARRIER && e->order == ORDER_RELAXED;
}

static bool is_cluster_wait(const struct occurrence *e) {
    return e->action == ACTION_BARRIER && e->order == ORDER_ACQUIRE;
}

static bool is_plain_strong(const struct occurrence *e) {
    return e->mbarrier == MBARRIER_NONE && e->action == ACTION_WRITE && e->order != ORDER_WEAK;
}

static bool is_plain_acquire(const struct occurrence *e) {
    return e->mbarrier == MBARRIER_NONE && e->action == ACTION_READ &&
           (e->order == ORDER_ACQUIRE || e->order == ORDER_ACQ_REL);
}

static bool is_plain_read(const struct occurrence *e) {
    return e->mbarrier == MBARRIER_NONE && e->action == ACTION_READ && e->order != ORDER_WEAK &&
           !e->red;
}

static bool is_plain_acquiring_fence(const struct occurrence *e) {
    return is_acquiring_fence(e) && !e->restricted;
}

// A release fence for earlier inits of its thread: the patterns that other fences make, from it.
static struct rel init_fence_synchronisation(const struct execution *x, const struct derived *d) {
    uint64_t fences = those(x, is_init_fence), reads = those(x, is_plain_read);
    struct rel stored = rel_seq(rel_within(d->po, fences, those(x, is_plain_strong)), d->obs);
    struct rel reread = rel_optional(rel_and(d->po, d->vloc));
    struct rel taken = rel_or(rel_within(reread, reads, those(x, is_plain_acquire)),
                              rel_within(d->po, reads, those(x, is_plain_acquiring_fence)));
    struct rel met = rel_seq(rel_within(d->po, fences, those(x, is_relaxed_cluster_arrival)),
                             rel_within(x->meets, x->executed, those(x, is_cluster_wait)));
    struct rel arrived = rel_seq(released(x, d, fences), acquired_from(x, d));
    struct rel waited = rel_seq(arrived, acquired(x, d, those(x, is_plain_acquiring_fence)));
    return rel_and(d->ms, rel_or(rel_or(rel_seq(stored, taken), met), waited));
}

// From an init to what comes after it.
struct rel mbarrier_initialised(const struct execution *x, const struct derived *d,
                                struct rel base) {
    struct rel fenced =
        rel_seq(rel_seq(d->po, init_fence_synchronisation(x, d)), rel_optional(base));
    return rel_within(rel_or(base, fenced), those(x, is_init), x->executed);
}

// What an operation does to an mbarrier when it is complete comes after what is before its issue,
// inits that a fence orders before it among them.
static struct rel before_completion(const struct execution *x, const struct derived *d,
                                    struct rel base) {
    return async_before_completion(x, rel_or(base, mbarrier_initialised(x, d, base)));
}

// --- Turns ---------------------------------------------------------------------------------------

// "Bytes are ordinary memory again": pairs of an operation and an ordinary access of the same
// bytes.
static struct rel beside(const struct execution *x, const struct derived *d) {
    uint64_t all = those(x, is_any), others = d->memory & ~all & ~d->initials;
    struct rel pairs = rel_or(rel_product(x->n, all, others), rel_product(x->n, others, all));
    return rel_and(d->loc, pairs);
}

struct rel mbarrier_least_coherence(const struct execution *x, const struct derived *d,
                                    struct rel base) {
    return rel_within(rel_and(beside(x, d), base), d->writes, d->writes);
}

struct rel mbarrier_order(const struct execution *x, const struct derived *d, struct rel co,
                          struct rel fr) {
    uint64_t all = those(x, is_any);
    struct rel seen = rel_or(rel_or(d->rf, d->rmw), rel_or(co, fr));
    return rel_closure(rel_within(seen, all, all));
}

struct mbarrier_turns mbarrier_turns(const struct execution *x, const struct derived *d,
                                     struct rel base, struct rel co, struct rel fr) {
    uint64_t all = those(x, is_any), writes = those(x, is_write);
    struct rel overlapping =
        rel_minus(rel_within(d->loc, writes, writes), rel_identity(x->n, writes));
    struct rel rmw = rel_within(d->rmw, all, all);
    struct rel seen = rel_or(d->rf, rel_or(co, fr));
    struct rel order = mbarrier_order(x, d, co, fr);
    return (struct mbarrier_turns){
        .ordered = rel_includes(rel_or(co, rel_inverse(co)), overlapping),
        .atomic = rel_is_empty(rel_and(rmw, rel_seq(fr, co))),
        .memory_ordered = rel_includes(co, mbarrier_least_coherence(x, d, base)),
        .memory_causal = rel_is_irreflexive(rel_seq(rel_and(seen, beside(x, d)), base)),
        .causal =
            rel_is_irreflexive(rel_seq(order, rel_or(base, mbarrier_initialised(x, d, base)))) &&
            rel_is_irreflexive(rel_seq(order, before_completion(x, d, base)))};
}

bool mbarriers_in_turn(const struct execution *x, const struct derived *d, struct rel base,
                       struct rel co, struct rel fr) {
    struct mbarrier_turns turns = mbarrier_turns(x, d, base, co, fr);
    return turns.ordered && turns.atomic && turns.memory_ordered && turns.memory_causal &&
           turns.causal;
}

// --- Misuse --------------------------------------------------------------------------------------

// What is known of one place, for one event there.
struct uses {
    const struct execution *x;
    const struct derived *d;
    struct rel base, begins, co;
};

static bool is_declared(const struct uses *u, unsigned e) {
    return (u->x->event[e].cells & u->x->event[0].ready) != 0;
}

static bool has(const struct rel *r, unsigned a, unsigned b) {
    return rel_has(r, a, b);
}

// Whether an object that `init` has made, or that was declared (init 0), is there when another init
// is performed: it comes later, with no inval between the two.
static bool is_there(const struct uses *u, unsigned init, unsigned e) {
    uint64_t ends = those(u->x, is_end);
    if (!has(&u->co, init, e) || (init == 0 && !is_declared(u, e)))
        return false;
    for (unsigned v = 0; v < u->x->n; v++)
        if ((ends & bit(v)) && has(&u->co, init, v) && has(&u->co, v, e))
            return false;
    return true;
}

// "Performing any mbarrier operation except init on an uninitialized object."
static bool lacks_init(const struct uses *u, unsigned e) {
    uint64_t inits = those(u->x, is_init);
    bool begun = is_declared(u, e);
    for (unsigned i = 0; i < u->x->n; i++)
        begun = begun || ((inits & bit(i)) && has(&u->d->loc, i, e) && has(&u->begins, i, e));
    return !begun;
}

static bool is_init_between(const struct uses *u, unsigned first, unsigned last) {
    uint64_t inits = those(u->x, is_init);
    for (unsigned i = 0; i < u->x->n; i++)
        if ((inits & bit(i)) && has(&u->co, first, i) && has(&u->co, i, last))
            return true;
    return false;
}

// The object is made again between two operations.
static bool is_made_between(const struct uses *u, const struct rel *order, unsigned first,
                            unsigned last) {
    uint64_t inits = those(u->x, is_init);
    for (unsigned i = 0; i < u->x->n; i++)
        if ((inits & bit(i)) && has(order, first, i) && has(order, i, last))
            return true;
    return false;
}

// It finds what an inval has left: its chain of states begins there.
static bool is_after_end(const struct uses *u, unsigned e) {
    struct rel order = chains(u->x, u->d);
    uint64_t ends = those(u->x, is_end);
    if (is_end(&u->x->event[e])) { // the state before an inval is that of the write before it
        for (unsigned v = 0; v < u->x->n; v++)
            if ((ends & bit(v)) && has(&u->co, v, e) && !is_init_between(u, v, e))
                return true;
        return false;
    }
    for (unsigned v = 0; v < u->x->n; v++)
        if ((ends & bit(v)) && has(&order, v, e))
            return true;
    return false;
}

// "Any non-mbarrier operation on an initialized object": an ordinary access that is neither before
// the making of an object nor after an inval that ends it.
static bool is_intruder(const struct uses *u, unsigned maker, unsigned e) {
    uint64_t ends = those(u->x, is_end);
    if (!has(&u->d->loc, maker, e) || (maker == 0 ? !is_declared(u, e) : has(&u->base, e, maker)))
        return false;
    for (unsigned v = 0; v < u->x->n; v++)
        if ((ends & bit(v)) && has(&u->d->loc, maker, v) && has(&u->base, v, e) &&
            (maker == 0 || has(&u->co, maker, v)))
            return false;
    return true;
}

// Nothing orders an operation and an inval.
static bool is_loose_end(const struct uses *u, unsigned end, unsigned e) {
    return is_end(&u->x->event[end]) && has(&u->d->apart, end, e) && has(&u->d->loc, end, e) &&
           !has(&u->base, end, e) && !has(&u->base, e, end);
}

// "For each phase of the mbarrier object, at least one test_wait or try_wait operation must be
// performed which returns True for waitComplete before an arrive-on operation in the subsequent
// phase."
static bool lacks_wait(const struct uses *u, unsigned e) {
    const struct occurrence *event = &u->x->event[e];
    bool arrives = event->mbarrier == MBARRIER_ARRIVES || event->is_arrival;
    if (!arrives || event->action != ACTION_WRITE || event->mbarrier_phase == 0)
        return false;
    struct rel order = mbarrier_order(u->x, u->d, u->co, from_read(u->x, u->co));
    for (unsigned w = 0; w < u->x->n; w++) {
        const struct occurrence *wait = &u->x->event[w];
        if ((u->x->executed & bit(w)) && wait->mbarrier == MBARRIER_WAITS && wait->completed &&
            wait->mbarrier_phase == event->mbarrier_phase && has(&order, w, e) &&
            !is_made_between(u, &order, w, e))
            return false;
    }
    return true;
}

// "Specified by state, which was returned by an mbarrier.arrive instruction on the same mbarrier
// object": a wait that is given none, or one of another object or of an earlier life of this one.
static bool lacks_state(const struct uses *u, unsigned e) {
    const struct occurrence *wait = &u->x->event[e];
    if (!wait->by_state)
        return false;
    struct rel order = mbarrier_order(u->x, u->d, u->co, from_read(u->x, u->co));
    for (unsigned a = 0; a < u->x->n; a++) {
        const struct occurrence *arrival = &u->x->event[a];
        if ((u->x->executed & bit(a)) && arrival->mbarrier == MBARRIER_ARRIVES &&
            arrival->token > 0 && arrival->token == wait->token && has(&u->d->loc, a, e))
            return is_made_between(u, &order, a, e) || is_made_between(u, &order, e, a);
    }
    return true;
}

static bool is_misused_at(const struct uses *u, unsigned e) {
    const struct occurrence *event = &u->x->event[e];
    bool operation = event->mbarrier != MBARRIER_NONE;
    if (operation && (event->undefined || lacks_wait(u, e) || lacks_state(u, e)))
        return true;
    if (operation && !is_init(event) && (lacks_init(u, e) || is_after_end(u, e)))
        return true;
    for (unsigned i = 0; i < u->x->n; i++) {
        bool makes = i == 0 || is_init(&u->x->event[i]);
        if (!(u->x->executed & bit(i)) || i == e)
            continue;
        if (makes && !operation && is_intruder(u, i, e))
            return true;
        if (makes && is_init(event) && is_there(u, i, e))
            return true;
        if (operation && is_loose_end(u, i, e))
            return true;
    }
    return false;
}

bool mbarriers_misused(const struct execution *x, const struct derived *d, struct rel base,
                       struct rel co) {
    struct rel begins = rel_or(mbarrier_initialised(x, d, base), before_completion(x, d, base));
    struct uses uses = {x, d, base, begins, co};
    for (unsigned e = 1; e < x->n; e++)
        if ((x->executed & bit(e)) && (d->memory & bit(e)) && d->mbarriers &&
            is_misused_at(&uses, e))
            return true;
    return false;
}
