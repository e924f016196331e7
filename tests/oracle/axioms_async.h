// memory-model section 16: where asynchronous operations are in base causality, and which
// accesses PTX leaves undefined while one is in flight.
#ifndef PTXLITMUS_ORACLE_AXIOMS_ASYNC_H
#define PTXLITMUS_ORACLE_AXIOMS_ASYNC_H

#include "tests/oracle/axioms.h"

// Base causality with the accesses of operations, from that of the threads, and of what completes
// operations, alone.
struct rel async_base(const struct execution *x, struct rel threads);

// From the reading of a tensormap to what comes after its completion in base causality of the
// threads.
struct rel async_maps_read(const struct execution *x, struct rel threads);

// From what comes before an issue in base causality to what the operation does to its mbarrier.
struct rel async_before_completion(const struct execution *x, struct rel base);

// What comes before what, for the axiom of no thin air.
struct rel async_comes(const struct execution *x, const struct derived *d, struct rel phases);

// Whether one event of an operation comes before another by the order of its steps.
bool async_is_earlier(const struct execution *x, unsigned a, unsigned b);

// The accesses to the shared memory of a CTA that may come when that has exited: nothing that a
// thread of the CTA does comes after them. `turns` is the order of operations on each mbarrier.
uint64_t async_outlives(const struct execution *x, const struct derived *d, struct rel base,
                        struct rel turns);

// The accesses of asynchronous operations to the shared memory of the CTA that has started them, of
// which the same is true.
uint64_t async_underway(const struct execution *x, const struct derived *d, struct rel base,
                        struct rel turns);

struct rel async_conflicts(const struct execution *x, const struct derived *d,
                           const struct causality *c);

// Whether no two answers of try_cancel in one grid name one CTA. `grids`: the grid of each thread.
bool async_answers_differ(const struct execution *x, const unsigned *grids);

// From loads with which a CTA observes that a try_cancel has failed to each try_cancel of the CTA
// that may come after that.
struct rel async_cancels_again(const struct execution *x, const struct derived *d, struct rel base);

// Whether registers of a product of matrices are used as PTX does not define.
bool async_products_misused(const struct execution *x);

#endif
