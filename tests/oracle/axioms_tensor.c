#include "tests/oracle/axioms_tensor.h"

#include "tests/oracle/axioms_mbarrier.h"

// --- Pipelines -----------------------------------------------------------------------------------

static bool is_here(const struct execution *x, unsigned e) {
    return (x->executed & bit(e)) != 0;
}

// The accesses to tensor memory of the operation that an event starts.
static uint64_t cells_of(const struct execution *x, unsigned issue) {
    uint64_t set = 0;
    for (uint64_t rest = x->issues.row[issue] & x->executed; rest; rest &= rest - 1)
        if (x->event[__builtin_ctzll(rest)].tensor)
            set |= rest & -rest;
    return set;
}

// "Same N and accumulator, shape and kind": what both write is in one place.
static bool share_accumulator(const struct execution *x, const struct derived *d, unsigned a,
                              unsigned b) {
    if (x->event[a].matrix_kind != x->event[b].matrix_kind ||
        x->event[a].matrix_shape != x->event[b].matrix_shape)
        return false;
    for (uint64_t first = cells_of(x, a) & d->writes; first; first &= first - 1)
        if (d->same_extent.row[__builtin_ctzll(first)] & cells_of(x, b) & d->writes)
            return true;
    return false;
}

// "Some specific pairs of the asynchronous tcgen05 instructions form tcgen05 pipelines."
static bool form_pipeline(const struct execution *x, const struct derived *d, unsigned a,
                          unsigned b) {
    enum opcode first = x->event[a].starts, then = x->event[b].starts;
    switch (first) {
    case OP_TENSOR_MMA:
        return then == OP_TENSOR_SHIFT || (then == OP_TENSOR_MMA && share_accumulator(x, d, a, b));
    case OP_TENSOR_CP: return then == OP_TENSOR_MMA;
    case OP_TENSOR_SHIFT:
        return then == OP_TENSOR_MMA || (then == OP_TENSOR_CP && x->event[b].is_4x256b);
    default: return false;
    }
}

// --- Across threads ------------------------------------------------------------------------------

static uint64_t fences(const struct execution *x, enum opcode opcode) {
    uint64_t set = 0;
    for (unsigned e = 0; e < x->n; e++)
        if (is_here(x, e) && x->event[e].action == ACTION_TENSOR_FENCE &&
            x->event[e].starts == opcode)
            set |= bit(e);
    return set;
}

static uint64_t row_of(struct rel relation, uint64_t events) {
    uint64_t row = 0;
    for (uint64_t rest = events; rest; rest &= rest - 1)
        row |= relation.row[__builtin_ctzll(rest)];
    return row;
}

// What is executed after events, by "execution ordering instructions, like morally strong
// ld/st/atom instructions, mbarrier instruction, barrier instructions and so on", and after a
// tcgen05.fence::after_thread_sync that comes after that.
struct ordering {
    const struct execution *x;
    const struct derived *d;
    struct rel executes; // the order of execution, as far as threads see it
    uint64_t before, after;
};

static uint64_t resumed(const struct ordering *o, uint64_t events) {
    return row_of(o->d->po, row_of(o->executes, events) & o->after);
}

// "An asynchronous tcgen05 operation prior to a tcgen05.fence::before_thread_sync is ordered before
// all subsequent tcgen05 and the execution ordering operations."
static uint64_t handed_over(const struct ordering *o, uint64_t events) {
    return resumed(o, row_of(o->d->po, events) & o->before);
}

// Where operations are ordered after one that is complete at `end`: tcgen05.wait is a synchronous
// instruction; the arrival of a commit implies a fence::before_thread_sync.
static uint64_t after_end(const struct ordering *o, unsigned end) {
    if (o->x->event[end].action == ACTION_ASYNC_WAIT)
        return o->d->po.row[end] | handed_over(o, bit(end));
    return resumed(o, bit(end));
}

static bool comes_before(const struct ordering *o, unsigned a, unsigned b) {
    uint64_t ends = row_of(o->x->done, cells_of(o->x, a)) & o->x->executed, after = 0;
    for (uint64_t rest = ends; rest; rest &= rest - 1)
        after |= after_end(o, (unsigned)__builtin_ctzll(rest));
    if (form_pipeline(o->x, o->d, a, b))
        after |= o->d->po.row[a] | handed_over(o, bit(a));
    return (after & bit(b)) != 0;
}

static struct ordering ordering_of(const struct execution *x, const struct derived *d,
                                   struct rel threads) {
    struct rel completed = rel_and(d->ms, mbarrier_completed(x, d));
    struct rel meets = rel_within(x->meets, x->executed, x->executed);
    struct rel links = rel_or(rel_or(threads, rel_and(d->ms, d->rf)), rel_or(completed, meets));
    return (struct ordering){x, d, rel_closure(links), fences(x, OP_TENSOR_BEFORE),
                             fences(x, OP_TENSOR_AFTER)};
}

// The operations that access tensor memory, by their issues.
static uint64_t tensor_issues(const struct execution *x) {
    uint64_t starts = 0;
    for (unsigned e = 0; e < x->n; e++)
        if (is_here(x, e) && x->event[e].action == ACTION_ISSUE && cells_of(x, e))
            starts |= bit(e);
    return starts;
}

static struct rel order_of_operations(const struct ordering *o, uint64_t starts) {
    struct rel operations = rel_empty(o->x->n);
    for (uint64_t a = starts; a; a &= a - 1)
        for (uint64_t b = starts; b; b &= b - 1)
            if (comes_before(o, (unsigned)__builtin_ctzll(a), (unsigned)__builtin_ctzll(b)))
                rel_add(&operations, (unsigned)__builtin_ctzll(a), (unsigned)__builtin_ctzll(b));
    return rel_closure(operations);
}

struct rel tensor_order(const struct execution *x, const struct derived *d, struct rel threads) {
    struct rel order = rel_empty(x->n);
    uint64_t starts = tensor_issues(x);
    if (!starts)
        return order;
    struct ordering o = ordering_of(x, d, threads);
    struct rel operations = order_of_operations(&o, starts);
    for (uint64_t a = starts; a; a &= a - 1)
        for (uint64_t rest = cells_of(x, (unsigned)__builtin_ctzll(a)); rest; rest &= rest - 1)
            for (uint64_t b = operations.row[__builtin_ctzll(a)]; b; b &= b - 1)
                order.row[__builtin_ctzll(rest)] |= cells_of(x, (unsigned)__builtin_ctzll(b));
    return rel_and(order, d->loc);
}

// --- Allocation ----------------------------------------------------------------------------------

// The events of an instruction about allocation.
static uint64_t about(const struct execution *x, enum opcode opcode, int allocation) {
    uint64_t set = 0;
    for (uint64_t rest = fences(x, opcode); rest; rest &= rest - 1)
        if (x->event[__builtin_ctzll(rest)].allocation == allocation)
            set |= rest & -rest;
    return set;
}

// "The operand taddr must point to a previous Tensor Memory allocation."
static bool is_allocated(const struct ordering *o, unsigned event, int allocation) {
    uint64_t allocations = allocation ? about(o->x, OP_TENSOR_ALLOC, allocation) : 0;
    return (row_of(o->executes, allocations) & bit(event)) != 0;
}

// Whether what an issue starts is over before a deallocation: complete itself, or before another
// operation of its pipelines that is.
static bool is_over(const struct ordering *o, struct rel operations, unsigned issue, unsigned end) {
    uint64_t ends = 0;
    for (uint64_t rest = bit(issue) | operations.row[issue]; rest; rest &= rest - 1)
        ends |= row_of(o->x->done, cells_of(o->x, (unsigned)__builtin_ctzll(rest)));
    return (row_of(o->executes, ends & o->x->executed) & bit(end)) != 0;
}

// The columns that the peer has allocated together with these, or 0: "one warp from each of the
// peer CTAs must collectively perform the allocation".
static int partner_of(const struct ordering *o, int allocation) {
    for (uint64_t rest = allocation ? about(o->x, OP_TENSOR_ALLOC, allocation) : 0; rest;
         rest &= rest - 1) {
        const struct occurrence *event = &o->x->event[__builtin_ctzll(rest)];
        if (event->pair && about(o->x, OP_TENSOR_ALLOC, event->partner))
            return event->partner;
    }
    return 0;
}

// "The first warp to perform the operation could block until the second warp in the Peer CTA also
// performs the operation": whether one of two such instructions waits for what comes after the
// other.
static bool waits_in_circles(const struct ordering *o, uint64_t those, unsigned e) {
    struct rel links = rel_or(mbarrier_completed(o->x, o->d),
                              rel_within(o->x->meets, o->x->executed, o->x->executed));
    struct rel waits = rel_closure(rel_or(links, o->d->po));
    for (; those; those &= those - 1) {
        unsigned other = (unsigned)__builtin_ctzll(those);
        if (rel_has(&waits, e, other) || rel_has(&waits, other, e))
            return true;
    }
    return false;
}

static bool access_is_misuse(const struct ordering *o, struct rel operations, unsigned access) {
    const struct occurrence *event = &o->x->event[access];
    uint64_t ends = about(o->x, OP_TENSOR_DEALLOC, event->allocation);
    int partner = partner_of(o, event->allocation);
    if (partner)
        ends |= about(o->x, OP_TENSOR_DEALLOC, partner);
    if (!is_allocated(o, event->operation, event->allocation))
        return true;
    for (; ends; ends &= ends - 1)
        if (!is_over(o, operations, event->operation, (unsigned)__builtin_ctzll(ends)))
            return true;
    return false;
}

// "All of the Tensor Memory that was allocated [...] must be explicitly deallocated", once, and "it
// is illegal for a CTA to perform tcgen05.alloc after any of its constituent threads execute
// tcgen05.relinquish_alloc_permit".
static bool management_is_misuse(const struct ordering *o, unsigned e) {
    const struct occurrence *event = &o->x->event[e];
    uint64_t permits = fences(o->x, OP_TENSOR_RELINQUISH);
    int partner = partner_of(o, event->allocation);
    if (partner && event->starts == OP_TENSOR_DEALLOC &&
        waits_in_circles(o, about(o->x, OP_TENSOR_DEALLOC, partner), e))
        return true;
    if (event->starts == OP_TENSOR_DEALLOC)
        return !is_allocated(o, e, event->allocation) ||
               about(o->x, OP_TENSOR_DEALLOC, event->allocation) != bit(e);
    if (event->starts != OP_TENSOR_ALLOC)
        return false;
    if (event->pair && (!partner || waits_in_circles(o, about(o->x, OP_TENSOR_ALLOC, partner), e)))
        return true;
    for (; permits; permits &= permits - 1)
        if (o->x->together[event->thread][o->x->event[__builtin_ctzll(permits)].thread] ==
                SCOPE_CTA &&
            !rel_has(&o->executes, e, (unsigned)__builtin_ctzll(permits)))
            return true;
    return about(o->x, OP_TENSOR_DEALLOC, event->allocation) == 0;
}

bool tensors_misused(const struct execution *x, const struct derived *d, struct rel threads) {
    if (!x->allocates)
        return false;
    struct ordering o = ordering_of(x, d, threads);
    struct rel operations = order_of_operations(&o, tensor_issues(x));
    for (unsigned e = 0; e < x->n; e++)
        if (is_here(x, e) &&
            ((x->event[e].tensor && access_is_misuse(&o, operations, e)) ||
             (x->event[e].action == ACTION_TENSOR_FENCE && management_is_misuse(&o, e))))
            return true;
    return false;
}

// --- Shared memory
// ---------------------------------------------------------------------------------

// Whether an event is where a product, or a copy to tensor memory, starts.
static bool starts_reading(const struct execution *x, unsigned issue) {
    enum opcode started = x->event[issue].starts;
    return (started == OP_TENSOR_MMA || started == OP_TENSOR_CP) && is_here(x, issue);
}

static bool reads_shared(const struct execution *x, unsigned issue, unsigned read) {
    return is_here(x, read) && rel_has(&x->issues, issue, read) && !x->event[read].tensor &&
           x->event[read].action == ACTION_READ;
}

// Adds what is between accesses over one read.
static void add_over(struct rel *all, const struct derived *d, struct rel order, unsigned read) {
    uint64_t later = order.row[read] & d->loc.row[read];
    for (unsigned a = 0; a < all->n; a++)
        if (rel_has(&order, a, read) && rel_has(&d->loc, a, read))
            all->row[a] |= later;
}

struct rel tensor_settled(const struct execution *x, const struct derived *d, struct rel order) {
    struct rel over = rel_empty(x->n);
    for (unsigned issue = 0; issue < x->n; issue++)
        for (unsigned read = 0; read < x->n && starts_reading(x, issue); read++)
            if (reads_shared(x, issue, read))
                add_over(&over, d, order, read);
    return rel_is_empty(over) ? order : rel_or(order, rel_closure(over));
}
