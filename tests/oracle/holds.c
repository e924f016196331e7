// The axioms of memory-model section 4, and what section 7 says of races, line by line.
#include "tests/oracle/axioms.h"

#include "tests/oracle/axioms_async.h"
#include "tests/oracle/axioms_mbarrier.h"

#include <stddef.h>

// --- Section 4 -----------------------------------------------------------------------------------

// Section 2: "co: a strict partial order on overlapping writes, IW first." Writes that overlap only
// through a third are not related themselves, so transitivity is asked of overlapping ones.
static bool is_coherence_order(const struct derived *d, struct rel co) {
    struct rel overlapping = rel_within(d->loc, d->writes, d->writes);
    struct rel closed = rel_closure(co);
    uint64_t others = d->writes & ~d->initials;
    return rel_includes(overlapping, co) && rel_is_irreflexive(closed) &&
           rel_includes(co, rel_and(closed, overlapping)) &&
           rel_includes(co, rel_within(overlapping, d->initials, others));
}

bool coherence_is_order(const struct derived *d, struct rel co) {
    return is_coherence_order(d, co);
}

// Atomics take turns: "of two [...] one is performed completely before the other". What each sees
// of the other goes one way, whatever part of which sees it. An operation does not see its own
// write.
bool atomics_in_turn_hold(const struct derived *d, struct rel co, struct rel fr) {
    struct rel seen = rel_and(d->others, rel_or(d->rf, rel_or(co, fr)));
    struct rel parts = rel_optional(rel_or(d->rmw, rel_inverse(d->rmw)));
    struct rel writes = rel_within(d->others, d->writes, d->writes);
    return rel_includes(rel_or(co, rel_inverse(co)), writes) &&
           rel_is_acyclic(rel_seq(seen, parts)) && rel_is_irreflexive(rel_seq(d->rf, d->rmw));
}

// Axiom 1: "overlapping writes related by cause are related the same way by co. Overlapping morally
// strong writes are related by co one way or the other."
bool coherence_holds(const struct derived *d, struct rel cause, struct rel co) {
    struct rel overlapping = rel_within(d->loc, d->writes, d->writes);
    return is_coherence_order(d, co) && rel_includes(co, rel_and(cause, overlapping)) &&
           rel_includes(rel_or(co, rel_inverse(co)), rel_and(d->ms, overlapping));
}

// Axiom 2, on base causality: "no bc from F2 to F1 where F1 is sc-before F2 and the two are morally
// strong."
bool fence_sc_holds(const struct derived *d, struct rel base, struct rel sc) {
    return rel_is_empty(rel_and(base, rel_inverse(rel_and(d->ms, sc))));
}

// Axiom 3, second half: "no read that takes one byte from W and another from a write co-before W,
// when read and W are morally strong".
static bool is_single_copy(const struct execution *x, const struct derived *d, struct rel co) {
    for (uint64_t reads = d->memory & ~d->writes; reads; reads &= reads - 1) {
        unsigned r = (unsigned)__builtin_ctzll(reads);
        int count = __builtin_popcountll(x->event[r].cells);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++)
                if (rel_has(&d->ms, x->source[r][i], r) &&
                    rel_has(&co, x->source[r][j], x->source[r][i]))
                    return false;
    }
    return true;
}

// Axiom 3: "no write W with ms & fr from the read and ms & co to the write of one rmw pair".
bool atomicity_holds(const struct execution *x, const struct derived *d, struct rel co,
                     struct rel fr) {
    struct rel between = rel_seq(rel_and(d->ms, fr), rel_and(d->ms, co));
    return rel_is_empty(rel_and(between, read_modify_write(x))) && is_single_copy(x, d, co);
}

// Axiom 4: "acyclic (rf | addr | data | ctrl)"; and exits and thin air: "a read that decides
// whether its thread exits comes before what follows, in base causality or program order, a barrier
// that was complete only because of the exit".
bool no_thin_air_holds(const struct execution *x, const struct derived *d, struct rel base) {
    struct rel dependency = rel_within(x->dependency, x->executed, x->executed);
    struct rel exits = rel_within(x->exit_dependency, x->executed, x->executed);
    struct rel after = rel_seq(exits, rel_or(d->po, base));
    struct rel phases = mbarrier_phases(x, d);
    struct rel comes = rel_or(d->rf, rel_or(dependency, phases));
    comes = rel_or(comes, async_comes(x, d, phases));
    comes = rel_or(comes, rel_or(d->launches, rel_or(d->grid_waits, d->grid_starts)));
    return rel_is_acyclic(rel_or(comes, after));
}

// Axiom 5: "acyclic ((ms & (rf | co | fr)) | (po & overlapping, same proxy))".
bool sc_per_location_holds(const struct derived *d, struct rel co, struct rel fr) {
    struct rel communication = rel_and(d->ms, rel_or(d->rf, rel_or(co, fr)));
    return rel_is_acyclic(rel_or(communication, rel_and(d->po, d->overlap_in_proxy)));
}

// Axiom 6: "irreflexive ((rf | fr) ; cause)".
bool causality_holds(const struct derived *d, struct rel cause, struct rel fr) {
    return rel_is_irreflexive(rel_seq(rel_or(d->rf, fr), cause));
}

// Whether a read that takes a cell from `w` may take cell `other` from `v`: not when `w` comes
// later and wrote that cell, nor when none comes first and both wrote the same bytes through one
// address.
static bool may_mix(const struct execution *x, const struct derived *d, struct rel co, unsigned w,
                    unsigned v, unsigned other) {
    if (w == v || rel_has(&co, w, v) || !rel_has(&d->loc, w, v))
        return true;
    if (rel_has(&co, v, w))
        return !(x->event[w].cells & bit(other));
    return !rel_has(&d->same_extent, w, v);
}

// Torn accesses, with `--tearing none`: "a read takes no bytes from two writes of which one that is
// not before the other in coherence order has written both."
bool whole_accesses_hold(const struct execution *x, const struct derived *d, struct rel co) {
    for (uint64_t reads = d->memory & ~d->writes; reads; reads &= reads - 1) {
        unsigned r = (unsigned)__builtin_ctzll(reads);
        unsigned i = 0;
        for (uint64_t cells = x->event[r].cells; cells; cells &= cells - 1, i++) {
            unsigned j = 0;
            for (uint64_t others = x->event[r].cells; others; others &= others - 1, j++)
                if (!may_mix(x, d, co, x->source[r][i], x->source[r][j],
                             (unsigned)__builtin_ctzll(others)))
                    return false;
        }
    }
    return true;
}

// --- Section 7 -----------------------------------------------------------------------------------

// "Two overlapping memory events of different threads, at least one a write, race when they are
// neither related by cause nor morally strong. A race between accesses of the same extent leaves
// the model defined [...]. A race between accesses that overlap in part makes the axioms
// inapplicable." Overlap is by virtual address, so aliases do not overlap in part.
struct races races(const struct derived *d, struct rel cause) {
    struct rel ordered = rel_or(d->ms, rel_or(cause, rel_inverse(cause)));
    struct rel with_write = rel_or(rel_product(cause.n, d->writes, d->memory),
                                   rel_product(cause.n, d->memory, d->writes));
    struct rel race = rel_minus(rel_and(rel_and(d->loc, d->apart), with_write), ordered);
    race = rel_within(race, ~d->mbarriers, ~d->mbarriers);
    struct rel in_part = rel_minus(d->vloc, d->same_extent);
    struct races races = {.defined = rel_minus(race, in_part), .mixed = rel_and(race, in_part)};
    races.open = rel_minus(races.mixed, d->others);
    return races;
}

// Barrier misuse: "arrivals of a bar.red and others in one phase; a second arrival of a thread that
// is not sure to come after the phase of the first; arrivals that want different numbers of
// threads, of which neither is sure to come after the phase of the other." What comes after a phase
// follows one of its waits by program order, base causality and phases.
// Whether two arrivals in one phase are of different threads of a warp by different instructions,
// one of which all threads of the warp have to execute.
static bool diverge(const struct execution *x, const struct occurrence *a,
                    const struct occurrence *b) {
    return a->warp > 0 && a->warp == b->warp && a->thread != b->thread &&
           x->together[a->thread][b->thread] == SCOPE_CTA &&
           a->at->span.begin != b->at->span.begin && (a->at->is_aligned || b->at->is_aligned);
}

struct rel barriers_misused(const struct execution *x, const struct derived *d, struct rel base) {
    struct rel misused = rel_empty(x->n);
    struct rel meets = rel_within(x->meets, x->executed, x->executed);
    struct rel order = rel_closure(rel_or(meets, rel_or(d->po, base)));
    struct rel after = rel_seq(meets, rel_optional(order));
    for (unsigned a = 0; a < x->n; a++)
        for (unsigned b = 0; b < x->n; b++) {
            const struct occurrence *first = &x->event[a], *second = &x->event[b];
            if (a == b || !(x->executed & bit(a)) || !(x->executed & bit(b)) ||
                first->barrier == 0 || first->barrier != second->barrier)
                continue;
            bool one_phase = first->phase > 0 && first->phase == second->phase;
            bool unordered = !rel_has(&after, a, b) && !rel_has(&after, b, a);
            if ((one_phase && first->reduces != second->reduces) ||
                (one_phase && diverge(x, first, second)) ||
                (rel_has(&d->po, a, b) && !rel_has(&after, a, b)) ||
                (first->thread != second->thread && first->wants != second->wants && unordered))
                rel_add(&misused, a, b);
        }
    return misused;
}

const char *first_violated(const struct execution *x, const struct version *version, struct rel sc,
                           struct rel co) {
    struct derived d = derive(x, version);
    struct causality c = causality(x, &d, version, sc);
    struct rel fr = from_read(x, co);
    if (!coherence_holds(&d, c.order, co))
        return "Coherence";
    if (!fence_sc_holds(&d, c.base, sc))
        return "Fence-SC";
    if (!atomicity_holds(x, &d, co, fr))
        return "Atomicity";
    if (version->atomics_in_turn && !atomics_in_turn_hold(&d, co, fr))
        return "Atomics-in-turn";
    if (!no_thin_air_holds(x, &d, c.base))
        return "No-Thin-Air";
    if (version->sc_per_location && !sc_per_location_holds(&d, co, fr))
        return "SC-per-Location";
    if (!causality_holds(&d, c.order, fr))
        return "Causality";
    if (!mbarriers_in_turn(x, &d, c.base, co, fr))
        return "Mbarriers";
    if (version->whole_accesses && !whole_accesses_hold(x, &d, co))
        return "Whole-accesses";
    return NULL;
}
