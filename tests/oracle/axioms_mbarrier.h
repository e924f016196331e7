// memory-model section 14: what mbarriers synchronise, in which order their operations are, and
// which uses PTX leaves undefined.
#ifndef PTXLITMUS_ORACLE_AXIOMS_MBARRIER_H
#define PTXLITMUS_ORACLE_AXIOMS_MBARRIER_H

#include "tests/oracle/axioms.h"

// Whether an event of such an operation is strong.
bool mbarrier_is_strong(const struct occurrence *e);

// The executed events of operations on mbarriers.
uint64_t mbarriers_of(const struct execution *x, const struct derived *d);

// From an arrival to the waits of the same object that return true for a phase of its number.
struct rel mbarrier_phases(const struct execution *x, const struct derived *d);

// The same, where the states that operations pass on lead from the arrival to the wait.
struct rel mbarrier_completed(const struct execution *x, const struct derived *d);

// The order in which operations on each object are performed.
struct rel mbarrier_order(const struct execution *x, const struct derived *d, struct rel co,
                          struct rel fr);

// From an mbarrier.init to what comes after it.
struct rel mbarrier_initialised(const struct execution *x, const struct derived *d,
                                struct rel base);

// From the first event of a release pattern to the last of an acquire pattern, over a phase; those
// of restricted fences are among them. Needs everything of `d` but what synchronises.
struct rel mbarrier_synchronisation(const struct execution *x, const struct derived *d);

// Whether an event is an arrival, or the completion of an asynchronous operation, that releases.
bool mbarrier_releases(const struct occurrence *e);

// The generous reading of relaxed waits: from the completion of a copy to each wait that finds its
// phase complete, whatever the order of the wait.
struct rel mbarrier_observed_completions(const struct execution *x, const struct derived *d);

// The pairs of co between operations and ordinary accesses that base causality demands.
struct rel mbarrier_least_coherence(const struct execution *x, const struct derived *d,
                                    struct rel base);

// From fences of `first` to fences of `last` over the phases of mbarriers, whatever their orders.
struct rel mbarrier_patterns(const struct execution *x, const struct derived *d, uint64_t first,
                             uint64_t last);

// What it takes for the operations on each object to come one after the other, not against base
// causality.
struct mbarrier_turns {
    bool ordered;        // their writes are
    bool atomic;         // no write comes between the two halves of one
    bool memory_ordered; // so are they and ordinary writes of the same bytes that base causality
                         // orders
    bool memory_causal;  // ordinary accesses of the same bytes do not go against it
    bool causal;         // nor do the operations
};
struct mbarrier_turns mbarrier_turns(const struct execution *x, const struct derived *d,
                                     struct rel base, struct rel co, struct rel fr);

// Whether all of that holds.
bool mbarriers_in_turn(const struct execution *x, const struct derived *d, struct rel base,
                       struct rel co, struct rel fr);

// Whether an mbarrier is used in a way that PTX does not define.
bool mbarriers_misused(const struct execution *x, const struct derived *d, struct rel base,
                       struct rel co);

#endif
