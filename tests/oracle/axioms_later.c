// memory-model section 20, from sections 8.8 and 9.7.9.26.4.1 of PTX ISA 9.3 and 9.7.13.13
// of 9.2.
#include "tests/oracle/axioms_later.h"

#include "tests/oracle/axioms_mbarrier.h"

// "Naturally-aligned strong memory operations with element-wise atomic size": of 16 bytes.
bool later_elements(const struct occurrence *a, const struct occurrence *b) {
    return a->wide && b->wide && a->proxy == PROXY_ASYNC && b->proxy == PROXY_ASYNC;
}

// "A release or acquire-release memory fence followed in program order by an asynchronous operation
// that performs a strong write on M."
struct rel later_releases(const struct execution *x, const struct derived *d, uint64_t fences,
                          uint64_t writes) {
    struct rel patterns = rel_empty(x->n);
    for (; writes; writes &= writes - 1) {
        unsigned write = (unsigned)__builtin_ctzll(writes), issue = x->event[write].operation;
        for (unsigned f = 0; f < x->n && issue != 0; f++)
            if ((fences & bit(f)) && rel_has(&d->po, f, issue))
                rel_add(&patterns, f, write);
    }
    return patterns;
}

// Whether all that the operation of a read has written is over at an event, too.
static bool is_complete_at(const struct execution *x, unsigned read, unsigned event) {
    for (unsigned w = 0; w < x->n; w++)
        if ((x->executed & bit(w)) && x->event[w].operation == x->event[read].operation &&
            x->event[w].stage == STAGE_WRITES && rel_has(&x->done, w, event))
            return true;
    return false;
}

// "First observing completion of an asynchronous operation": by a wait for its group, or by one
// that finds the phase complete in which it has completed.
static uint64_t observers(const struct execution *x, const struct rel *found, unsigned read) {
    uint64_t events = 0;
    for (uint64_t ends = x->done.row[read] & x->executed; ends; ends &= ends - 1) {
        unsigned end = (unsigned)__builtin_ctzll(ends);
        if (!is_complete_at(x, read, end))
            continue;
        if (x->event[end].action == ACTION_ASYNC_WAIT)
            events |= bit(end);
        else
            events |= found->row[end];
    }
    return events;
}

// "And then this observation is followed by an acquire memory fence in program order."
struct rel later_acquires(const struct execution *x, const struct derived *d, uint64_t reads,
                          uint64_t fences) {
    struct rel patterns = rel_empty(x->n), found = mbarrier_observed_completions(x, d);
    for (; reads; reads &= reads - 1) {
        unsigned read = (unsigned)__builtin_ctzll(reads);
        if (x->event[read].operation == 0)
            continue;
        for (uint64_t seen = observers(x, &found, read); seen; seen &= seen - 1)
            patterns.row[read] |= d->po.row[__builtin_ctzll(seen)] & fences;
    }
    return patterns;
}

// Whether some griddepcontrol.launch_dependents of the fence's CTA may come before the fence:
// "repeated invocations of this instruction by threads in the current CTA will have no additional
// side effects past that of the first invocation."
static bool may_be_late(const struct execution *x, const struct rel *before, unsigned fence) {
    for (unsigned l = 0; l < x->n; l++)
        if ((x->executed & bit(l)) && x->event[l].action == ACTION_LAUNCH &&
            x->together[x->event[fence].thread][x->event[l].thread] == SCOPE_CTA &&
            !rel_has(before, fence, l))
            return true;
    return false;
}

// "A release fence preceding a griddepcontrol.launch_dependents in program-order synchronizes with
// the start of a dependent grid if [...] the fence scope is gpu, or if the fence scope is sys."
struct rel later_grid_starts(const struct execution *x, const struct derived *d, uint64_t fences) {
    struct rel starts = rel_empty(x->n);
    if (rel_is_empty(x->started))
        return starts;
    struct rel before = rel_closure(rel_or(d->po, rel_or(d->sync, d->barrier)));
    for (; fences; fences &= fences - 1) {
        unsigned fence = (unsigned)__builtin_ctzll(fences);
        if (x->event[fence].scope < SCOPE_GPU || may_be_late(x, &before, fence))
            continue;
        for (uint64_t after = d->po.row[fence]; after; after &= after - 1)
            starts.row[fence] |= x->started.row[__builtin_ctzll(after)] & x->executed;
    }
    return starts;
}

// "When this qualifier is specified, the memory location referred to by source operand a is treated
// as read-only during the lifetime of the kernel."
struct rel later_written(const struct execution *x, const struct derived *d, struct rel base) {
    struct rel found = rel_empty(x->n), may_come_before = rel_optional(base);
    struct rel started = rel_seq(may_come_before, d->launches);
    struct rel ended = rel_seq(d->launches, may_come_before);
    for (unsigned r = 0; r < x->n; r++) {
        const struct occurrence *read = &x->event[r];
        if (!(x->executed & bit(r)) || read->action != ACTION_READ || read->proxy != PROXY_READONLY)
            continue;
        for (uint64_t all = d->writes & ~d->initials; all; all &= all - 1) {
            unsigned w = (unsigned)__builtin_ctzll(all);
            if (rel_has(&d->loc, w, r) && !rel_has(&started, w, r) && !rel_has(&ended, r, w))
                rel_add(&found, w, r);
        }
    }
    return found;
}
