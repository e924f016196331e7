// The relations of memory-model sections 1, 2, 3 and 5, line by line.
#include "tests/oracle/axioms.h"

#include "tests/oracle/axioms_async.h"
#include "tests/oracle/axioms_later.h"
#include "tests/oracle/axioms_launches.h"
#include "tests/oracle/axioms_mbarrier.h"
#include "tests/oracle/axioms_tensor.h"

// --- Section 1: tags -----------------------------------------------------------------------------

static bool is_memory(const struct occurrence *e) {
    return e->action == ACTION_INIT || e->action == ACTION_READ || e->action == ACTION_WRITE;
}

static bool is_write(const struct occurrence *e) {
    return e->action == ACTION_WRITE || e->action == ACTION_INIT;
}

// PTX ISA 9.7.13.4: a fence.proxy.tensormap::generic.release "can form a release sequence" that
// synchronises with an acquire sequence with the .acquire form; both have a scope.
static bool is_tensormap_release(const struct occurrence *e) {
    return e->action == ACTION_PROXY_FENCE && e->proxy == PROXY_TENSORMAP &&
           e->order == ORDER_RELEASE;
}

static bool is_tensormap_acquire(const struct occurrence *e) {
    return e->action == ACTION_PROXY_FENCE && e->proxy == PROXY_TENSORMAP &&
           e->order == ORDER_ACQUIRE;
}

// And so can those between the generic and the async proxy.
static bool is_async_release(const struct occurrence *e) {
    return e->action == ACTION_PROXY_FENCE && e->proxy == PROXY_ASYNC && e->order == ORDER_RELEASE;
}

static bool is_async_acquire(const struct occurrence *e) {
    return e->action == ACTION_PROXY_FENCE && e->proxy == PROXY_ASYNC && e->order == ORDER_ACQUIRE;
}

// And those of the fabric proxy, which have a direction each: 0 from it to the generic one, 1 to
// it, 2 within it.
static bool is_fabric_fence(const struct occurrence *e, enum access_order order) {
    return e->action == ACTION_PROXY_FENCE && e->proxy == PROXY_FABRIC && e->order == order;
}

static uint64_t fabric_fences(const struct execution *x, enum access_order order,
                              unsigned direction) {
    uint64_t set = 0;
    for (unsigned e = 0; e < x->n; e++) {
        const struct occurrence *fence = &x->event[e];
        unsigned own = !fence->to_fabric ? 0 : !fence->from_fabric ? 1 : 2;
        if ((x->executed & bit(e)) && is_fabric_fence(fence, order) && own == direction)
            set |= bit(e);
    }
    return set;
}

static bool is_fabric_access(const struct occurrence *e) {
    return is_memory(e) && e->proxy == PROXY_FABRIC;
}

// The waits at the barrier of a cluster acquire.
static bool is_cluster_wait(const struct occurrence *e) {
    return e->action == ACTION_BARRIER && e->order == ORDER_ACQUIRE;
}

static bool is_relaxed_arrival(const struct occurrence *e) {
    return e->action == ACTION_BARRIER && e->order == ORDER_RELAXED;
}

// "Strong events: every F, and every memory event that is not weak", the tensormap fences and the
// waits of clusters. IW is not strong.
static bool is_strong(const struct occurrence *e) {
    if (e->mbarrier != MBARRIER_NONE)
        return mbarrier_is_strong(e);
    if (e->action == ACTION_FENCE || is_tensormap_release(e) || is_tensormap_acquire(e) ||
        is_async_release(e) || is_async_acquire(e) || is_cluster_wait(e) ||
        is_fabric_fence(e, ORDER_RELEASE) || is_fabric_fence(e, ORDER_ACQUIRE))
        return true;
    return is_memory(e) && e->action != ACTION_INIT && e->order != ORDER_WEAK;
}

// "Release events: W with RELEASE or ACQ_REL."
static bool is_release_write(const struct occurrence *e) {
    return e->action == ACTION_WRITE && e->mbarrier == MBARRIER_NONE &&
           (e->order == ORDER_RELEASE || e->order == ORDER_ACQ_REL);
}

// "Acquire events: R with ACQUIRE or ACQ_REL."
static bool is_acquire_read(const struct occurrence *e) {
    return e->action == ACTION_READ && e->mbarrier == MBARRIER_NONE &&
           (e->order == ORDER_ACQUIRE || e->order == ORDER_ACQ_REL);
}

// "Release fences: RELEASE, ACQ_REL, SC."
static bool is_release_fence(const struct occurrence *e) {
    return e->action == ACTION_FENCE && !e->orders_init &&
           (e->order == ORDER_RELEASE || e->order == ORDER_ACQ_REL || e->order == ORDER_SC);
}

// "Acquire fences: ACQUIRE, ACQ_REL, SC."
static bool is_acquire_fence(const struct occurrence *e) {
    return e->action == ACTION_FENCE &&
           (e->order == ORDER_ACQUIRE || e->order == ORDER_ACQ_REL || e->order == ORDER_SC);
}

static bool is_strong_write(const struct occurrence *e) {
    return e->action == ACTION_WRITE && e->mbarrier == MBARRIER_NONE && is_strong(e);
}

static bool is_strong_read(const struct occurrence *e) {
    return e->action == ACTION_READ && e->mbarrier == MBARRIER_NONE && is_strong(e);
}

static bool is_red(const struct occurrence *e) {
    return e->red;
}

static bool is_initial(const struct occurrence *e) {
    return e->action == ACTION_INIT;
}

static bool is_generic_access(const struct occurrence *e) {
    return is_memory(e) && !is_initial(e) && e->proxy == PROXY_GENERIC &&
           e->mbarrier == MBARRIER_NONE;
}

static bool is_tensormap_access(const struct occurrence *e) {
    return is_memory(e) && e->proxy == PROXY_TENSORMAP;
}

static bool is_alias_fence(const struct occurrence *e) {
    return e->action == ACTION_PROXY_FENCE && e->proxy == PROXY_ALIAS;
}

static bool is_both_ways(const struct occurrence *e) {
    return e->action == ACTION_PROXY_FENCE && e->order != ORDER_RELEASE &&
           e->order != ORDER_ACQUIRE;
}

static bool is_releasing_proxy_fence(const struct occurrence *e) {
    return e->action == ACTION_PROXY_FENCE && e->proxy != PROXY_FABRIC && e->order == ORDER_RELEASE;
}

static bool is_acquiring_proxy_fence(const struct occurrence *e) {
    return e->action == ACTION_PROXY_FENCE && e->proxy != PROXY_FABRIC && e->order == ORDER_ACQUIRE;
}

// A fence with .sync_restrict.
static bool is_restricted(const struct occurrence *e) {
    return e->restricted;
}

static bool is_shared_access(const struct occurrence *e) {
    return e->shared;
}

static bool is_sc_fence(const struct occurrence *e) {
    return e->action == ACTION_FENCE && e->order == ORDER_SC;
}

// The executed events that have a property.
static uint64_t those(const struct execution *x, bool (*property)(const struct occurrence *)) {
    uint64_t set = 0;
    for (unsigned e = 0; e < x->n; e++)
        if ((x->executed & bit(e)) && property(&x->event[e]))
            set |= bit(e);
    return set;
}

// --- Section 2: relations given by the events ----------------------------------------------------

static bool in_one_thread(const struct occurrence *a, const struct occurrence *b) {
    return a->thread >= 0 && a->thread == b->thread && a->operation == b->operation;
}

static bool is_apart(const struct execution *x, const struct occurrence *a,
                     const struct occurrence *b) {
    (void)x;
    return a->thread >= 0 && b->thread >= 0 &&
           (a->thread != b->thread || a->operation != b->operation);
}

static bool is_po(const struct execution *x, const struct occurrence *a,
                  const struct occurrence *b) {
    bool is_own_write = a->position == b->position && a->rmw == (int)(b - x->event);
    bool earlier = a->operation == 0 && a->position < b->position;
    return in_one_thread(a, b) && (earlier || is_own_write);
}

static bool is_loc(const struct execution *x, const struct occurrence *a,
                   const struct occurrence *b) {
    (void)x;
    return (a->cells & b->cells) != 0;
}

static bool is_vloc(const struct execution *x, const struct occurrence *a,
                    const struct occurrence *b) {
    return is_loc(x, a, b) && !is_initial(a) && !is_initial(b) && a->range == b->range;
}

static bool is_same_extent(const struct execution *x, const struct occurrence *a,
                           const struct occurrence *b) {
    return is_vloc(x, a, b) && a->cells == b->cells;
}

// "inclusive: both events are strong and each one's scope contains the other's thread." Scopes
// nest, so a scope contains the thread when it is not smaller than the one in which the two are
// together.
static int place_of(const struct occurrence *e) {
    return e->moved ? e->moved - 1 : e->thread;
}

static enum scope together(const struct execution *x, const struct occurrence *a,
                           const struct occurrence *b) {
    return x->together[place_of(a)][place_of(b)];
}

static bool is_inclusive(const struct execution *x, const struct occurrence *a,
                         const struct occurrence *b) {
    if (!is_strong(a) || !is_strong(b))
        return false;
    enum scope needed = together(x, a, b);
    return a->scope >= needed && b->scope >= needed;
}

// "po & overlapping, same proxy": overlap is by virtual address.
static bool is_overlap_in_proxy(const struct execution *x, const struct occurrence *a,
                                const struct occurrence *b) {
    return is_vloc(x, a, b) && a->proxy == b->proxy;
}

static bool in_one_cta(const struct execution *x, const struct occurrence *a,
                       const struct occurrence *b) {
    return a->thread >= 0 && b->thread >= 0 && together(x, a, b) == SCOPE_CTA;
}

// Rule 2 of section 5: "same virtual address, same proxy, same CTA".
static bool is_one_proxy(const struct execution *x, const struct occurrence *a,
                         const struct occurrence *b) {
    return is_overlap_in_proxy(x, a, b) && in_one_cta(x, a, b) && a->mbarrier == MBARRIER_NONE &&
           b->mbarrier == MBARRIER_NONE;
}

// "One async proxy for all". Rule 2 without the CTA.
static bool is_one_async_proxy(const struct execution *x, const struct occurrence *a,
                               const struct occurrence *b) {
    bool async =
        a->proxy == PROXY_ASYNC && is_overlap_in_proxy(x, a, b) && is_memory(a) && is_memory(b);
    return async || is_one_proxy(x, a, b);
}

// "With a state space it counts only for accesses to that space"; "with an address operand,
// .acquire counts only for the 128 bytes it names". From the fence to the access.
static bool is_about(const struct execution *x, const struct occurrence *fence,
                     const struct occurrence *access) {
    (void)x;
    return fence->action == ACTION_PROXY_FENCE && is_memory(access) && !is_initial(access) &&
           !(access->cells & ~fence->about);
}

// Rules 3 to 5: "a fence of p", here executed anywhere. From the access to the fence.
static bool is_fence_of_proxy(const struct execution *x, const struct occurrence *access,
                              const struct occurrence *fence) {
    return is_about(x, fence, access) && access->proxy != PROXY_GENERIC &&
           fence->proxy == access->proxy;
}

// "A fence of p, executed in the CTA of X."
static bool is_fence_of(const struct execution *x, const struct occurrence *access,
                        const struct occurrence *fence) {
    return is_fence_of_proxy(x, access, fence) && in_one_cta(x, access, fence);
}

// "Fences before the issue count in the issuer's CTA", wherever the access is, but not those
// of a pair of CTAs.
static bool is_fence_before(const struct execution *x, const struct occurrence *access,
                            const struct occurrence *fence) {
    bool issued_there = access->operation > 0 && !access->pair && fence->thread >= 0 &&
                        x->together[access->thread][place_of(fence)] == SCOPE_CTA;
    return is_fence_of_proxy(x, access, fence) && (issued_there || in_one_cta(x, access, fence));
}

// "Their .release form plays the fence of the source", so it is executed in the CTA of X.
static bool is_release_of(const struct execution *x, const struct occurrence *access,
                          const struct occurrence *fence) {
    return is_memory(access) && !is_initial(access) && is_releasing_proxy_fence(fence) &&
           in_one_cta(x, access, fence);
}

static bool is_one_kind(const struct execution *x, const struct occurrence *a,
                        const struct occurrence *b) {
    (void)x;
    return a->action == ACTION_PROXY_FENCE && b->action == ACTION_PROXY_FENCE &&
           a->proxy == b->proxy;
}

// "ms: both in one thread, or inclusive; and same-proxy; and, if both are memory events,
// same-extent." Fences and accesses without a proxy are of the generic one. Other threads can rely
// on no guarantees for accesses of more than 64 bits (torn accesses).
static bool may_be_morally_strong(const struct execution *x, const struct occurrence *a,
                                  const struct occurrence *b) {
    if (a == b || a->proxy != b->proxy || (!in_one_thread(a, b) && !is_inclusive(x, a, b)))
        return false;
    bool accesses = is_memory(a) && is_memory(b) && a->mbarrier == MBARRIER_NONE &&
                    b->mbarrier == MBARRIER_NONE;
    return !accesses || is_same_extent(x, a, b);
}

static bool is_morally_strong(const struct execution *x, const struct occurrence *a,
                              const struct occurrence *b) {
    return may_be_morally_strong(x, a, b) && (in_one_thread(a, b) || (!a->wide && !b->wide));
}

// From PTX ISA 9.3 on, they can on elements of relaxed copies.
static bool is_morally_strong_later(const struct execution *x, const struct occurrence *a,
                                    const struct occurrence *b) {
    return is_morally_strong(x, a, b) || (may_be_morally_strong(x, a, b) && later_elements(a, b));
}

// Atomics take turns: two atomic operations that overlap and "such that each specifies a scope that
// includes the other" (8.7.2). Those that are morally strong are left to axioms 1, 3 and 5.
static bool are_other_atomics(const struct execution *x, const struct occurrence *a,
                              const struct occurrence *b) {
    bool is_one = a->rmw == (int)(b - x->event) || b->rmw == (int)(a - x->event);
    return a != b && !is_one && a->atomic && b->atomic && is_inclusive(x, a, b) &&
           is_overlap_in_proxy(x, a, b) && !is_morally_strong(x, a, b);
}

static struct rel pairs(const struct execution *x,
                        bool (*holds)(const struct execution *, const struct occurrence *,
                                      const struct occurrence *)) {
    struct rel r = rel_empty(x->n);
    for (unsigned a = 0; a < x->n; a++)
        for (unsigned b = 0; b < x->n; b++)
            if (holds(x, &x->event[a], &x->event[b]))
                rel_add(&r, a, b);
    return r;
}

static struct rel reads_from(const struct execution *x, uint64_t reads) {
    struct rel rf = rel_empty(x->n);
    for (; reads; reads &= reads - 1) {
        unsigned r = (unsigned)__builtin_ctzll(reads);
        for (int k = 0; k < __builtin_popcountll(x->event[r].cells); k++)
            rel_add(&rf, x->source[r][k], r);
    }
    return rf;
}

// "a read is before a write W when some byte that both access was read from a write that is before
// W in co."
struct rel from_read(const struct execution *x, struct rel co) {
    struct rel fr = rel_empty(x->n);
    for (unsigned r = 0; r < x->n; r++) {
        if (!(x->executed & bit(r)) || x->event[r].action != ACTION_READ)
            continue;
        unsigned k = 0;
        for (uint64_t cells = x->event[r].cells; cells; cells &= cells - 1, k++) {
            unsigned cell = (unsigned)__builtin_ctzll(cells);
            for (uint64_t later = co.row[x->source[r][k]]; later; later &= later - 1) {
                unsigned w = (unsigned)__builtin_ctzll(later);
                if (x->event[w].cells & bit(cell))
                    rel_add(&fr, r, w);
            }
        }
    }
    return fr;
}

// rmw, where both halves execute (a cas that fails does not write).
struct rel read_modify_write(const struct execution *x) {
    struct rel rmw = rel_empty(x->n);
    for (unsigned r = 0; r < x->n; r++)
        if (x->event[r].action == ACTION_READ && x->event[r].rmw >= 0)
            rel_add(&rmw, r, (unsigned)x->event[r].rmw);
    return rel_within(rmw, x->executed, x->executed);
}

// --- Section 3 -----------------------------------------------------------------------------------

// "obs: (ms & rf) ; (rmw ; (ms & rf))*": the whole chain.
static struct rel observation(const struct rel ms, const struct rel rf, const struct rel rmw) {
    struct rel step = rel_and(ms, rf);
    struct rel chain = rel_optional(rel_closure(rel_seq(rmw, step)));
    return rel_seq(step, chain);
}

// "Restricted fences: the write of such a pattern, or its read, has to be an access to shared
// memory." Takes away the patterns of a restricted fence and another access.
static struct rel without_others(const struct execution *x, struct rel patterns) {
    uint64_t fences = those(x, is_restricted), others = x->executed & ~those(x, is_shared_access);
    if (!fences)
        return patterns;
    return rel_minus(patterns,
                     rel_or(rel_product(x->n, fences, others), rel_product(x->n, others, fences)));
}

// "release-pattern: [W & release] ; (po & vloc to a strong W)?  |  [release fence] ; po ; [strong
// W]"
static struct rel release_pattern(const struct execution *x, const struct derived *d) {
    uint64_t strong_writes = those(x, is_strong_write);
    struct rel to_strong = rel_within(rel_and(d->po, d->vloc), x->executed, strong_writes);
    struct rel from_fence = rel_within(d->po, those(x, is_release_fence), strong_writes);
    return rel_or(rel_within(rel_optional(to_strong), those(x, is_release_write), x->executed),
                  without_others(x, from_fence));
}

// "acquire-pattern: [strong R, not RED] ; (po & vloc to an acquire R)?, ending in an acquire R
//                   |  [strong R, not RED] ; po ; [acquire fence]"
static struct rel acquire_pattern(const struct execution *x, const struct derived *d,
                                  const struct version *version) {
    uint64_t first = those(x, is_strong_read);
    if (!version->red_starts_acquire_pattern)
        first &= ~those(x, is_red);
    struct rel to_acquire = rel_optional(rel_and(d->po, d->vloc));
    return rel_or(rel_within(to_acquire, first, those(x, is_acquire_read)),
                  without_others(x, rel_within(d->po, first, those(x, is_acquire_fence))));
}

// "A release fence before a relaxed arrival at the barrier of a cluster makes a pattern that
// each wait of the phase acquires."
static struct rel through_relaxed_arrivals(const struct execution *x, const struct derived *d) {
    struct rel arrivals =
        rel_within(d->po, those(x, is_release_fence), those(x, is_relaxed_arrival));
    struct rel meets = rel_within(x->meets, x->executed, those(x, is_cluster_wait));
    return rel_and(d->ms, rel_seq(arrivals, meets));
}

// "Tensormap fences synchronise with each other, along patterns as other fences make them."
static struct rel tensormap_synchronisation(const struct execution *x, const struct derived *d) {
    uint64_t releases = those(x, is_tensormap_release), acquires = those(x, is_tensormap_acquire);
    uint64_t reads = those(x, is_strong_read) & ~those(x, is_red);
    struct rel released = rel_within(d->po, releases, those(x, is_strong_write));
    struct rel acquired = rel_within(d->po, reads, acquires);
    return rel_and(d->ms, rel_seq(rel_seq(released, d->obs), acquired));
}

// "The pair of async fences synchronises, over memory, relaxed arrivals at the barrier of a cluster
// and the phases of mbarriers".
static struct rel pair_synchronisation(const struct execution *x, const struct derived *d,
                                       uint64_t releases, uint64_t acquires) {
    uint64_t reads = those(x, is_strong_read) & ~those(x, is_red),
             waits = those(x, is_cluster_wait);
    if (!releases || !acquires)
        return rel_empty(x->n);
    struct rel met = rel_seq(rel_within(d->po, releases, those(x, is_relaxed_arrival)),
                             rel_within(x->meets, x->executed, waits));
    struct rel read = rel_seq(rel_within(d->po, releases, those(x, is_strong_write)), d->obs);
    struct rel over = rel_or(rel_seq(met, rel_within(d->po, waits, acquires)),
                             rel_seq(read, rel_within(d->po, reads, acquires)));
    return rel_and(d->ms, rel_or(over, mbarrier_patterns(x, d, releases, acquires)));
}

// "Both are executed in the same thread, or each one's scope contains the thread of the other."
static bool is_paired(const struct execution *x, const struct occurrence *a,
                      const struct occurrence *b) {
    if (!is_one_kind(x, a, b))
        return false;
    enum scope needed = together(x, a, b);
    return a->thread == b->thread || (a->scope >= needed && b->scope >= needed);
}

// From an access to a fence of the fabric proxy in its CTA.
static bool is_near(const struct execution *x, const struct occurrence *access,
                    const struct occurrence *fence) {
    return is_memory(access) && !is_initial(access) && fence->action == ACTION_PROXY_FENCE &&
           fence->proxy == PROXY_FABRIC && in_one_cta(x, access, fence);
}

static bool is_anywhere(const struct execution *x, const struct occurrence *access,
                        const struct occurrence *fence) {
    (void)x;
    return is_memory(access) && !is_initial(access) && fence->action == ACTION_PROXY_FENCE &&
           fence->proxy == PROXY_FABRIC;
}

// From an event to all events but the restricted fences that are not about it.
static bool counts_for(const struct execution *x, const struct occurrence *event,
                       const struct occurrence *fence) {
    (void)x;
    return !fence->restricted || !(event->cells & ~fence->about);
}

struct given given(const struct execution *x, const struct version *version) {
    struct given given = {
        .po = pairs(x, is_po),
        .loc = pairs(x, is_loc),
        .vloc = pairs(x, is_vloc),
        .same_extent = pairs(x, is_same_extent),
        .apart = pairs(x, is_apart),
        .ms = pairs(x, version->async_patterns ? is_morally_strong_later : is_morally_strong),
        .others = version->atomics_in_turn ? pairs(x, are_other_atomics) : rel_empty(x->n),
        .overlap_in_proxy = pairs(x, is_overlap_in_proxy),
        .one_proxy = pairs(x, version->one_async_proxy ? is_one_async_proxy : is_one_proxy),
        .fence_of = pairs(x, version->proxy_fences_anywhere ? is_fence_of_proxy : is_fence_of),
        .fence_before =
            pairs(x, version->proxy_fences_anywhere ? is_fence_of_proxy : is_fence_before),
        .release_of = pairs(x, is_release_of),
        .about = pairs(x, is_about),
        .paired = pairs(x, is_paired),
        .near = pairs(x, version->proxy_fences_anywhere ? is_anywhere : is_near),
        .counts_for = pairs(x, counts_for),
    };
    return given;
}

static struct rel among_executed(const struct execution *x, struct rel r) {
    return rel_within(r, x->executed, x->executed);
}

// Fills what depends neither on rf nor on the barriers.
static void take_events(struct derived *d, const struct execution *x, const struct given *given) {
    d->po = among_executed(x, given->po);
    d->loc = among_executed(x, given->loc);
    d->vloc = among_executed(x, given->vloc);
    d->same_extent = among_executed(x, given->same_extent);
    d->apart = among_executed(x, given->apart);
    d->ms = among_executed(x, given->ms);
    d->others = among_executed(x, given->others);
    d->overlap_in_proxy = among_executed(x, given->overlap_in_proxy);
    d->one_proxy = among_executed(x, given->one_proxy);
    d->fence_of = among_executed(x, given->fence_of);
    d->fence_before = among_executed(x, given->fence_before);
    d->release_of = among_executed(x, given->release_of);
    d->about = among_executed(x, given->about);
    d->paired = among_executed(x, given->paired);
    d->near = among_executed(x, given->near);
    d->counts_for = given->counts_for;
    d->writes = those(x, is_write);
    d->initials = those(x, is_initial);
    d->memory = those(x, is_memory);
    d->sc_fences = those(x, is_sc_fence);
    d->generic = those(x, is_generic_access);
    d->tensormaps = those(x, is_tensormap_access);
    d->tensormap_acquires = those(x, is_tensormap_acquire);
    d->launches = among_executed(x, x->launches);
    d->grid_waits = among_executed(x, x->grid_waits);
    d->alias_fences = those(x, is_alias_fence);
    d->both_ways = those(x, is_both_ways);
    d->releasing = those(x, is_releasing_proxy_fence);
    d->acquiring = those(x, is_acquiring_proxy_fence);
    d->fabrics = those(x, is_fabric_access);
    for (unsigned direction = 0; direction < 3; direction++) {
        d->fabric_releases[direction] = fabric_fences(x, ORDER_RELEASE, direction);
        d->fabric_acquires[direction] = fabric_fences(x, ORDER_ACQUIRE, direction);
    }
}

// 8.8 of PTX ISA 9.3: patterns of asynchronous operations. Restricted fences make none.
static void add_later_patterns(const struct execution *x, const struct derived *d,
                               struct rel *releases, struct rel *acquires) {
    uint64_t free = x->executed & ~those(x, is_restricted);
    uint64_t reads = those(x, is_strong_read) & ~those(x, is_red);
    *releases = rel_or(*releases, later_releases(x, d, those(x, is_release_fence) & free,
                                                 those(x, is_strong_write)));
    *acquires = rel_or(*acquires, later_acquires(x, d, reads, those(x, is_acquire_fence) & free));
}

struct derived derive_from(const struct execution *x, const struct version *version,
                           const struct given *given) {
    struct derived d;
    take_events(&d, x, given);
    d.rmw = read_modify_write(x);
    d.barrier = among_executed(x, x->barrier);
    d.rf = reads_from(x, d.memory & ~d.writes);
    d.obs = observation(d.ms, d.rf, d.rmw);
    d.mbarriers = mbarriers_of(x, &d);
    d.mbarrier_chains = version->mbarrier_chains;
    // "sync: ms & (release-pattern ; obs ; acquire-pattern)"
    struct rel releases = release_pattern(x, &d), acquires = acquire_pattern(x, &d, version);
    if (version->async_patterns)
        add_later_patterns(x, &d, &releases, &acquires);
    struct rel sync = rel_and(d.ms, rel_seq(rel_seq(releases, d.obs), acquires));
    sync = rel_or(sync, through_relaxed_arrivals(x, &d));
    sync = rel_or(sync, mbarrier_synchronisation(x, &d));
    if (version->relaxed_waits_show)
        sync = rel_or(sync, rel_within(mbarrier_observed_completions(x, &d),
                                       those(x, mbarrier_releases), x->executed));
    uint64_t free = x->executed & ~those(x, is_restricted);
    d.sync = rel_within(sync, free, free);
    d.restricted = rel_minus(sync, d.sync);
    d.tensormap = tensormap_synchronisation(x, &d);
    d.async = pair_synchronisation(x, &d, those(x, is_async_release), those(x, is_async_acquire));
    d.fabric = pair_synchronisation(
        x, &d, d.fabric_releases[0] | d.fabric_releases[1] | d.fabric_releases[2],
        d.fabric_acquires[0] | d.fabric_acquires[1] | d.fabric_acquires[2]);
    if (version->proxy_fences_anywhere)
        d.sync = rel_or(d.sync, d.tensormap);
    d.grid_starts = version->async_patterns
                        ? later_grid_starts(x, &d, those(x, is_release_fence) & free)
                        : rel_empty(x->n);
    return d;
}

struct derived derive(const struct execution *x, const struct version *version) {
    struct given g = given(x, version);
    return derive_from(x, version, &g);
}

// "bc: (po | sync | (ms & sc) | barrier synchronisation)+"; in 6.0
// "po? ; ((sync or sc or barrier) ; po?)+".
static struct rel base_of_threads(const struct execution *x, const struct derived *d,
                                  const struct version *version, struct rel sc) {
    struct rel links = rel_or(rel_or(d->sync, d->barrier), rel_and(d->ms, sc));
    links = rel_or(links, rel_or(d->launches, rel_or(d->grid_waits, d->grid_starts)));
    // "A strong operation with .release semantics": what is before the issue is before it.
    links = rel_or(links, rel_within(x->issues, x->executed, those(x, is_release_write)));
    if (version->po_in_base_causality)
        return rel_closure(rel_or(d->po, links));
    struct rel maybe_po = rel_optional(d->po);
    return rel_seq(maybe_po, rel_closure(rel_seq(links, maybe_po)));
}

// The same with what asynchronous operations do.
static struct rel base_causality(const struct execution *x, const struct derived *d,
                                 const struct version *version, struct rel sc) {
    struct rel threads = base_of_threads(x, d, version, sc);
    return version->po_in_base_causality ? async_base(x, threads) : threads;
}

// The effect of X is in the generic proxy from X on when X is generic, else from a fence of its
// proxy on.
static struct rel leaves_proxy(const struct derived *d, struct rel base) {
    struct rel by_fence = rel_within(rel_and(base, d->fence_of), d->memory, d->both_ways);
    return rel_or(rel_identity(base.n, d->generic), by_fence);
}

// From the fences of Y's proxy before Y to Y.
static struct rel enters_proxy(const struct derived *d, struct rel base, uint64_t fences) {
    return rel_within(rel_and(base, rel_inverse(d->fence_before)), fences, d->memory);
}

// Rules 1, 3, 4 and 5 along `path`, which is base causality or, for rule 6, the part of it that
// passes an alias fence. `entering`: the fences that play the fence of Y's proxy alone.
static struct rel reaches(const struct derived *d, struct rel base, struct rel path,
                          uint64_t entering) {
    struct rel in = rel_or(rel_identity(base.n, d->generic), enters_proxy(d, base, entering));
    return rel_seq(rel_seq(leaves_proxy(d, base), path), in);
}

// The same with one-directional fences, which lead from the generic proxy to that of Y: the release
// plays the fence of the source, in the CTA of X and where the effect is in the generic proxy, the
// acquire that of the destination.
static struct rel reaches_one_way(const struct derived *d, struct rel base, struct rel path) {
    if (!d->releasing)
        return rel_empty(base.n);
    struct rel released = rel_and(rel_seq(leaves_proxy(d, base), base), d->release_of);
    struct rel passed = rel_within(rel_and(path, d->paired), d->releasing, d->acquiring);
    struct rel entered = rel_seq(passed, enters_proxy(d, base, d->acquiring));
    return rel_seq(released, rel_and(entered, d->about));
}

// "A uni-directional proxy ordering from the from-proxykind to the to-proxykind establishes
// ordering between a prior memory access performed via the from-proxykind and a subsequent memory
// access performed via the to-proxykind" (9.7.15.4 of PTX ISA 9.4), here of a release, and an
// acquire of the same two proxies after it.
static struct rel through_fabric(const struct derived *d, struct rel base) {
    struct rel reached = rel_empty(base.n);
    struct rel path = rel_and(rel_or(base, d->fabric), d->paired);
    struct rel near = rel_and(base, d->near), after = rel_and(base, rel_inverse(d->near));
    struct rel leaves = rel_and(base, d->fence_of);
    struct rel enters = rel_and(base, rel_inverse(d->fence_before));
    for (unsigned direction = 0; direction < 3; direction++) {
        uint64_t releases = d->fabric_releases[direction], acquires = d->fabric_acquires[direction];
        struct rel first = direction == 1 ? rel_within(near, d->generic, releases)
                                          : rel_within(leaves, d->fabrics, releases);
        struct rel last = direction == 0 ? rel_within(after, acquires, d->generic)
                                         : rel_within(enters, acquires, d->fabrics);
        struct rel passed = rel_within(path, releases, acquires);
        reached = rel_or(reached, rel_seq(rel_seq(first, passed), last));
    }
    return rel_and(reached, d->loc);
}

// Section 5. Rules 1, 3, 4 and 5 at one virtual address; rule 6, for two addresses of one location,
// with an alias fence after the fence of the source and before that of the destination; rule 2
// wants no fence. The generous reading of where proxy fences count: "a fence anywhere on the path
// orders all prior accesses of the one proxy with all later ones of the other", a one-directional
// one in its direction.
static struct rel proxy_preserved(const struct derived *d, const struct version *version,
                                  struct rel base) {
    uint64_t entering = d->both_ways;
    if (version->proxy_fences_anywhere)
        entering |= d->releasing | d->acquiring;
    struct rel aliased = rel_seq(rel_seq(base, rel_identity(base.n, d->alias_fences)), base);
    struct rel direct =
        rel_or(reaches(d, base, base, entering),
               reaches_one_way(d, base, rel_or(base, rel_or(d->tensormap, d->async))));
    struct rel reached = rel_and(direct, d->vloc);
    if (d->alias_fences) {
        struct rel by_alias =
            rel_or(reaches(d, base, aliased, entering), reaches_one_way(d, base, aliased));
        reached = rel_or(reached, rel_and(by_alias, d->loc));
    }
    if (d->fabrics)
        reached = rel_or(reached, through_fabric(d, base));
    struct rel in = rel_or(rel_identity(base.n, d->generic), enters_proxy(d, base, entering));
    struct rel crossing = d->launches;
    if (version->grid_waits_cross) // "made visible to the current grid"
        crossing = rel_or(crossing, rel_seq(d->grid_waits, base));
    struct rel launched =
        launches_cross(d, crossing, rel_seq(leaves_proxy(d, base), base), rel_seq(base, in),
                       enters_proxy(d, base, d->tensormap_acquires));
    return rel_or(rel_or(reached, launched), rel_and(base, d->one_proxy));
}

// "What is gained by restricted synchronisation orders two generic accesses of one address to which
// each restricted fence on the path applies." For one location at a time: base causality as if the
// synchronisation that is about the location were plain.
static struct rel gained(const struct execution *x, const struct derived *d,
                         const struct version *version, struct rel sc) {
    struct rel order = rel_empty(sc.n);
    for (uint64_t from = d->generic; from && !rel_is_empty(d->restricted); from &= from - 1) {
        unsigned access = (unsigned)__builtin_ctzll(from);
        uint64_t usable = d->counts_for.row[access];
        struct derived here = *d;
        here.sync = rel_or(d->sync, rel_within(d->restricted, usable, usable));
        struct rel base = base_causality(x, &here, version, sc);
        order.row[access] = base.row[access] & d->vloc.row[access] & d->generic;
    }
    return order;
}

// "cause: obs? ; ppcb"; in 6.0 "bc or (obs ; (bc or po & loc))". The initial writes, which precede
// everything, are left out: they are first in co as it is, and no other axiom looks at what follows
// them.
static struct rel causality_order(const struct execution *x, const struct derived *d,
                                  const struct version *version, struct rel sc, struct rel base) {
    if (!version->po_in_base_causality)
        return rel_or(base, rel_seq(d->obs, rel_or(base, rel_and(d->po, d->loc))));
    struct rel ppcb = rel_or(proxy_preserved(d, version, base), gained(x, d, version, sc));
    struct rel threads = base_of_threads(x, d, version, sc);
    ppcb = rel_or(ppcb, tensor_order(x, d, threads));
    // The map may be modified after "the completion of reading of the tensormap object".
    struct rel maps = rel_within(async_maps_read(x, threads), x->executed, d->generic);
    ppcb = rel_or(ppcb, rel_and(maps, d->vloc));
    return tensor_settled(x, d, rel_seq(rel_optional(d->obs), ppcb));
}

struct causality causality(const struct execution *x, const struct derived *d,
                           const struct version *version, struct rel sc) {
    struct rel base = base_causality(x, d, version, sc);
    struct causality c = {.base = base, .order = causality_order(x, d, version, sc, base)};
    if (x->allocates)
        c.threads = base_of_threads(x, d, version, sc);
    return c;
}
