// The PTX memory consistency model, written by hand from memory-model: sections 3 to 5 for one
// execution, with the differences between versions of section 8. What barriers synchronise
// (section 6) is given.
#ifndef PTXLITMUS_ORACLE_AXIOMS_H
#define PTXLITMUS_ORACLE_AXIOMS_H

#include "tests/oracle/execution.h"

// A column of the table in section 8. From proxy_fences_anywhere to multimem_variables, and
// whole_accesses: the other reading of a rule that has two.
struct version {
    const char *name; // "ptx-9.1"
    bool cluster_scope;
    bool proxies;
    bool async_proxies;         // async and tensormap
    bool proxy_fences_anywhere; // a proxy fence counts wherever it is
    bool relaxed_waits_show;    // what a copy has written
    bool async_destination;     // operations take place where the destination is
    bool one_async_proxy;       // for all CTAs
    bool st_async_releases;     // when it is complete
    bool mbarrier_chains;       // waits at mbarriers observe along chains
    bool grid_waits_cross;      // proxies, as the start of a grid does
    bool multimem_variables;    // accesses are at the addresses of the variables
    bool one_directional_fences;
    bool po_in_base_causality;
    bool sc_per_location;
    bool red_starts_acquire_pattern;
    bool atomics_in_turn; // of several sizes
    bool any_program;     // only that holds, whatever races
    bool async_patterns;  // section 20
    bool whole_accesses;  // accesses are read as whole
};

// The version of that name ("9.1" and "ptx-9.1" are one), or NULL.
const struct version *version_find(const char *name);

// What is left of a version in programs with mixed-size races.
struct version version_in_any_program(const struct version *version);

// What follows from the events alone, whichever of them are executed.
struct given {
    struct rel po, same_extent, apart, loc, vloc, ms, others, overlap_in_proxy, one_proxy, fence_of,
        fence_before, release_of, about, paired, near, counts_for;
};
struct given given(const struct execution *x, const struct version *version);

// What follows from the events and rf alone. Every relation is confined to executed events.
struct derived {
    struct rel po;
    struct rel same_extent;
    struct rel apart; // in different threads
    struct rel loc;   // touch a common byte of physical memory
    struct rel vloc;  // the same through one virtual address
    struct rel ms;
    struct rel others; // events of two atomic operations of which one is performed before the other
    struct rel rmw;
    struct rel rf;
    struct rel obs;
    struct rel sync;
    struct rel restricted; // synchronisation of which one end or both are restricted fences
    struct rel
        counts_for; // an event, and all events but the restricted fences that are not about it
    struct rel barrier;
    uint64_t writes;   // W, the initial writes among them
    uint64_t initials; // IW
    uint64_t memory;   // M
    uint64_t sc_fences;
    // Section 5.
    struct rel overlap_in_proxy; // vloc through one proxy
    struct rel one_proxy;        // the same in one CTA
    struct rel fence_before;     // the same for a fence before the access
    struct rel fence_of;   // an access that is not generic, and a fence of its proxy in its CTA
    struct rel release_of; // an access, and a releasing proxy fence in its CTA
    struct rel about;      // a proxy fence, and an access that it counts for by its place
    struct rel paired;     // proxy fences of one kind, in each other's scope
    struct rel tensormap;  // what synchronises two fences of the tensormap proxy
    struct rel async;      // and of the async proxy
    struct rel fabric;     // and of the fabric proxy
    struct rel near;       // an access, and a fence of the fabric proxy in its CTA
    uint64_t fabrics, fabric_releases[3], fabric_acquires[3]; // accesses, and fences by direction
    uint64_t generic;                                         // accesses of the generic proxy
    uint64_t mbarriers;   // reads and writes of operations on mbarriers, which are in memory, too
    bool mbarrier_chains; // waits observe along chains (the other reading)
    uint64_t alias_fences;
    uint64_t tensormaps, tensormap_acquires; // accesses of the tensormap proxy; fences
    struct rel launches, grid_waits;         // of the execution
    struct rel grid_starts; // from release fences to what dependent grids do (section 20)
    uint64_t both_ways;     // proxy fences
    uint64_t releasing, acquiring;
};
struct derived derive(const struct execution *x, const struct version *version);
// The same, where what is given by the events is known already.
struct derived derive_from(const struct execution *x, const struct version *version,
                           const struct given *given);

// What follows when sc is chosen too. `sc` need hold only its morally strong pairs. co has no part
// in it.
struct causality {
    struct rel base;    // bc
    struct rel order;   // cause
    struct rel threads; // bc of the threads alone, where tensor memory is allocated
};
struct causality causality(const struct execution *x, const struct derived *d,
                           const struct version *version, struct rel sc);

// rmw: the read and the write of each atomic operation.
struct rel read_modify_write(const struct execution *x);

// fr, cell by cell.
struct rel from_read(const struct execution *x, struct rel co);

// The axioms of section 4, in its order; each says whether it holds.
bool coherence_holds(const struct derived *d, struct rel cause, struct rel co);
bool fence_sc_holds(const struct derived *d, struct rel base, struct rel sc);
bool atomicity_holds(const struct execution *x, const struct derived *d, struct rel co,
                     struct rel fr);
bool no_thin_air_holds(const struct execution *x, const struct derived *d, struct rel base);
bool sc_per_location_holds(const struct derived *d, struct rel co, struct rel fr);
bool causality_holds(const struct derived *d, struct rel cause, struct rel fr);

// Whether atomic operations are performed one completely before the other.
bool atomics_in_turn_hold(const struct derived *d, struct rel co, struct rel fr);

// Whether co is a strict partial order on overlapping writes, the initial ones first.
bool coherence_is_order(const struct derived *d, struct rel co);

// What `--tearing none` forbids besides.
bool whole_accesses_hold(const struct execution *x, const struct derived *d, struct rel co);

// Section 7: the races that leave the model defined, and those that do not. Symmetric.
struct races {
    struct rel defined; // flagged
    struct rel mixed;   // of accesses that overlap in part
    struct rel open;    // those among them that are not between atomics that take turns
};
struct races races(const struct derived *d, struct rel cause);

// Section 6: pairs of arrivals that misuse a barrier: PTX does not say what becomes of it.
struct rel barriers_misused(const struct execution *x, const struct derived *d, struct rel base);

// The name of the first axiom that the execution violates, or NULL when it is allowed. `co` is the
// whole strict partial order (IW first); a relation that is none violates Coherence.
const char *first_violated(const struct execution *x, const struct version *version, struct rel sc,
                           struct rel co);

#endif
