#include "tests/oracle/axioms_async.h"
#include "tests/oracle/axioms_mbarrier.h"

static bool is_here(const struct execution *x, unsigned e) {
    return (x->executed & bit(e)) != 0;
}

// An access of an operation, not what it does to an mbarrier.
static bool is_part(const struct execution *x, unsigned e) {
    enum stage stage = x->event[e].stage;
    return is_here(x, e) && (stage == STAGE_MAP || stage == STAGE_READS || stage == STAGE_WRITES);
}

// "Reading from the tensormap; read the source; write the destination; make the writes visible",
// then completion.
bool async_is_earlier(const struct execution *x, unsigned a, unsigned b) {
    const struct occurrence *first = &x->event[a], *then = &x->event[b];
    if (!is_here(x, a) || !is_here(x, b) || first->operation == 0 ||
        first->operation != then->operation ||
        (first->target != 0 && first->target != then->target))
        return false;
    switch (then->stage) {
    case STAGE_READS: return first->stage == STAGE_MAP;
    case STAGE_READ_FENCE:
    case STAGE_WRITES: return first->stage == STAGE_MAP || first->stage == STAGE_READS;
    case STAGE_FENCE: return first->stage != STAGE_READ_FENCE && first->stage < STAGE_FENCE;
    case STAGE_COMPLETES: return first->stage != STAGE_COMPLETES;
    default: return false;
    }
}

// The events at which an event of an operation is over: later steps, and where it is complete.
static uint64_t after_part(const struct execution *x, unsigned e) {
    uint64_t set = x->done.row[e] & x->executed;
    for (unsigned later = 0; later < x->n; later++)
        if (async_is_earlier(x, e, later))
            set |= bit(later);
    return set;
}

// "Ordered after prior instructions in the same thread (except in the case of wgmma.mma_async)",
// which is ordered after what is before a wgmma.fence before it.
static bool is_started_after(const struct execution *x, unsigned issue, uint64_t events) {
    if (!x->event[issue].product)
        return (events & bit(issue)) != 0;
    for (uint64_t rest = events & x->executed; rest; rest &= rest - 1) {
        const struct occurrence *fence = &x->event[__builtin_ctzll(rest)];
        if (fence->action == ACTION_PRODUCT_FENCE && fence->thread == x->event[issue].thread &&
            fence->position < x->event[issue].position)
            return true;
    }
    return false;
}

// The accesses of the operations that are issued at one of some events, which include all that
// follow them in their threads.
static uint64_t parts_issued(const struct execution *x, uint64_t issues) {
    uint64_t set = 0;
    for (unsigned e = 0; e < x->n; e++)
        if (is_part(x, e) && !x->event[e].tensor &&
            is_started_after(x, x->event[e].operation, issues))
            set |= bit(e);
    return set;
}

static uint64_t in_tensor_memory(const struct execution *x) {
    uint64_t set = 0;
    for (unsigned e = 0; e < x->n; e++)
        if (is_here(x, e) && x->event[e].tensor)
            set |= bit(e);
    return set;
}

// "Ordered after prior instructions in the same thread, but not part of the program order": what an
// operation is issued after precedes its accesses, its accesses precede what follows its
// completion, and nothing goes through it ("it does not transitively establish ordering").
struct rel async_base(const struct execution *x, struct rel threads) {
    struct rel base = threads;
    for (unsigned e = 0; e < x->n; e++) {
        uint64_t reached = threads.row[e] | bit(e);
        if (!is_here(x, e))
            continue;
        base.row[e] |= parts_issued(x, reached);
        // Accesses to tensor memory are ordered by rules of their own (PTX ISA 9.7.16.6).
        uint64_t over = x->event[e].tensor ? 0 : after_part(x, e) & ~in_tensor_memory(x);
        base.row[e] |= over;
        for (uint64_t rest = over; rest; rest &= rest - 1) {
            unsigned at = (unsigned)__builtin_ctzll(rest);
            base.row[e] |= threads.row[at] | parts_issued(x, threads.row[at] | bit(at));
        }
    }
    return base;
}

struct rel async_maps_read(const struct execution *x, struct rel threads) {
    struct rel read = rel_empty(x->n);
    for (unsigned e = 0; e < x->n; e++) {
        if (!is_here(x, e) || x->event[e].stage != STAGE_MAP)
            continue;
        for (uint64_t rest = x->done.row[e] & x->executed; rest; rest &= rest - 1) {
            unsigned at = (unsigned)__builtin_ctzll(rest);
            read.row[e] |= threads.row[at] | bit(at);
        }
    }
    return read;
}

static uint64_t of_action(const struct execution *x, enum action action) {
    uint64_t set = 0;
    for (unsigned e = 0; e < x->n; e++)
        if (is_here(x, e) && x->event[e].action == action)
            set |= bit(e);
    return set;
}

struct rel async_before_completion(const struct execution *x, struct rel base) {
    uint64_t completions = 0;
    for (unsigned e = 0; e < x->n; e++)
        if (is_here(x, e) && x->event[e].stage == STAGE_COMPLETES)
            completions |= bit(e);
    return rel_within(rel_seq(rel_optional(base), x->issues), x->executed, completions);
}

struct rel async_comes(const struct execution *x, const struct derived *d, struct rel phases) {
    uint64_t waits = of_action(x, ACTION_ASYNC_WAIT);
    struct rel comes = rel_within(x->issues, x->executed, x->executed);
    for (unsigned a = 0; a < x->n; a++) {
        waits |= phases.row[a];
        if (is_here(x, a))
            comes.row[a] |= after_part(x, a);
    }
    struct rel started = rel_within(d->po, waits, of_action(x, ACTION_ISSUE));
    for (unsigned a = 0; a < x->n; a++)
        for (unsigned b = 0; b < x->n; b++)
            if (rel_has(&started, a, b) && !is_started_after(x, b, d->po.row[a]))
                started.row[a] &= ~bit(b);
    return rel_or(comes, started);
}

bool async_products_misused(const struct execution *x) {
    for (unsigned e = 0; e < x->n; e++)
        if (is_here(x, e) && x->event[e].product && x->event[e].undefined)
            return true;
    return false;
}

// "Modifying the source memory location or reading from the destination memory location before the
// asynchronous operation completes, exhibits undefined behavior"; and two copies to one place.
static bool is_bad(const struct occurrence *part, const struct occurrence *other) {
    bool writes = other->action == ACTION_WRITE, reads = other->action == ACTION_READ;
    if (part->stage == STAGE_MAP || part->stage == STAGE_READS)
        return writes;
    // A reduction reads its destination itself.
    return part->action == ACTION_WRITE && (reads || (writes && other->stage == STAGE_WRITES));
}

struct rel async_conflicts(const struct execution *x, const struct derived *d,
                           const struct causality *c) {
    struct rel before = rel_or(c->base, c->order);
    struct rel bad = rel_empty(x->n);
    for (unsigned p = 0; p < x->n; p++)
        for (unsigned e = 1; is_part(x, p) && e < x->n; e++)
            if (is_here(x, e) && x->event[e].mbarrier == MBARRIER_NONE &&
                rel_has(&d->apart, p, e) && rel_has(&d->loc, p, e) && !rel_has(&d->ms, p, e) &&
                is_bad(&x->event[p], &x->event[e]) && !rel_has(&before, p, e) &&
                !rel_has(&before, e, p) && !rel_has(&d->ms, p, e))
                rel_add(&bad, p, e);
    return rel_or(bad, rel_inverse(bad));
}

// --- Cancelled launches --------------------------------------------------------------------------

static bool is_try(const struct execution *x, unsigned e) {
    return is_here(x, e) && x->event[e].action == ACTION_ISSUE &&
           x->event[e].starts == OP_CANCEL_TRY;
}

// "No other successful response from other clusterlaunchcontrol.try_cancel operations from the same
// grid will contain that id."
bool async_answers_differ(const struct execution *x, const unsigned *grids) {
    for (unsigned a = 0; a < x->n; a++)
        for (unsigned b = 0; b < a; b++)
            if (is_try(x, a) && is_try(x, b) && x->event[a].answer == ANSWER_CANCELLED &&
                x->event[b].answer == ANSWER_CANCELLED &&
                x->event[a].cancelled == x->event[b].cancelled &&
                grids[x->event[a].thread] == grids[x->event[b].thread])
                return false;
    return true;
}

// Whether a request was issued before an event: by base causality, or since its completion, or that
// of a later one, has been waited for by then.
static bool is_issued_before(const struct execution *x, const struct derived *d, struct rel base,
                             unsigned issue, unsigned event) {
    struct rel completed = mbarrier_completed(x, d);
    if (rel_has(&base, issue, event))
        return true;
    for (unsigned e = 0; e < x->n; e++) {
        unsigned later = x->event[e].operation;
        if (!is_here(x, e) || later == 0 || (later != issue && !rel_has(&base, issue, later)))
            continue;
        uint64_t known = completed.row[e] & x->executed;
        for (uint64_t rest = known; rest; rest &= rest - 1) {
            unsigned at = (unsigned)__builtin_ctzll(rest);
            if (at == event || rel_has(&base, at, event))
                return true;
        }
    }
    return false;
}

// "If the executing CTA has already observed the completion of a clusterlaunchcontrol.try_cancel
// instruction as failed, then the behavior of issuing a subsequent clusterlaunchcontrol.try_cancel
// instruction is undefined": observed by a load of one of its threads.
struct rel async_cancels_again(const struct execution *x, const struct derived *d,
                               struct rel base) {
    struct rel again = rel_empty(x->n);
    for (unsigned r = 0; r < x->n; r++) {
        const struct occurrence *read = &x->event[r];
        if (!is_here(x, r) || read->action != ACTION_READ || read->operation != 0 ||
            read->answer != ANSWER_FAILED)
            continue;
        for (unsigned issue = 0; issue < x->n; issue++)
            if (is_try(x, issue) &&
                x->together[x->event[issue].thread][read->thread] == SCOPE_CTA &&
                !is_issued_before(x, d, base, issue, r))
                rel_add(&again, r, issue);
    }
    return again;
}

// --- CTAs that have exited -----------------------------------------------------------------------

// The threads of the CTA of a thread.
static uint64_t cta_of(const struct execution *x, int thread) {
    uint64_t threads = 0;
    for (unsigned t = 0; t < THREADS_MAX; t++)
        if (x->together[thread][t] == SCOPE_CTA)
            threads |= bit(t);
    return threads;
}

// What comes after an access that has been performed: by base causality, and what has read or found
// what it wrote, with all that comes after that.
static uint64_t after_performed(const struct execution *x, const struct derived *d, struct rel base,
                                struct rel turns, unsigned access) {
    uint64_t seen = d->rf.row[access] | turns.row[access], after = base.row[access];
    for (uint64_t rest = x->done.row[access] & x->executed; rest; rest &= rest - 1)
        seen |= turns.row[__builtin_ctzll(rest)];
    for (uint64_t rest = seen; rest; rest &= rest - 1)
        after |= base.row[__builtin_ctzll(rest)];
    return after | seen;
}

static bool does_any(const struct execution *x, uint64_t threads, uint64_t events) {
    for (uint64_t rest = events; rest; rest &= rest - 1) {
        const struct occurrence *e = &x->event[__builtin_ctzll(rest)];
        if (e->thread >= 0 && e->operation == 0 && (threads & bit((unsigned)e->thread)))
            return true;
    }
    return false;
}

uint64_t async_outlives(const struct execution *x, const struct derived *d, struct rel base,
                        struct rel turns) {
    uint64_t late = 0;
    for (unsigned e = 1; e < x->n; e++) {
        if (!is_here(x, e) || x->event[e].owner == 0)
            continue;
        uint64_t cta = cta_of(x, x->event[e].owner - 1);
        if ((cta & bit((unsigned)x->event[e].thread)) || (cta & ~x->exited))
            continue;
        if (!does_any(x, cta, after_performed(x, d, base, turns, e)))
            late |= bit(e);
    }
    return late;
}

uint64_t async_underway(const struct execution *x, const struct derived *d, struct rel base,
                        struct rel turns) {
    uint64_t late = 0;
    for (unsigned e = 1; e < x->n; e++) {
        const struct occurrence *part = &x->event[e];
        if (!is_part(x, e) || part->tensor || part->owner == 0)
            continue;
        uint64_t cta = cta_of(x, part->thread);
        bool own = (cta & bit((unsigned)part->owner - 1)) != 0, ends = (cta & ~x->exited) == 0;
        if (own && ends && !does_any(x, cta, after_performed(x, d, base, turns, e)))
            late |= bit(e);
    }
    return late;
}
