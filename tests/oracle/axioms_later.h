// memory-model section 20: what PTX ISA 9.2 and 9.3 add to the model of 9.1.
#ifndef PTXLITMUS_ORACLE_AXIOMS_LATER_H
#define PTXLITMUS_ORACLE_AXIOMS_LATER_H

#include "tests/oracle/axioms.h"

// Whether two accesses are elements of 16 bytes of relaxed bulk copies, and else morally strong.
bool later_elements(const struct occurrence *a, const struct occurrence *b);

// From release fences, which `fences` are, to the strong writes (`writes`) of asynchronous
// operations that are issued after them.
struct rel later_releases(const struct execution *x, const struct derived *d, uint64_t fences,
                          uint64_t writes);

// From the strong reads (`reads`) of asynchronous operations to the acquire fences (`fences`) after
// the observation of their completion.
struct rel later_acquires(const struct execution *x, const struct derived *d, uint64_t reads,
                          uint64_t fences);

// From release fences (`fences`) to what the grids do whose start they synchronise with.
struct rel later_grid_starts(const struct execution *x, const struct derived *d, uint64_t fences);

// From a write to a read through the read-only proxy, of which the kernel may be running then.
// `base` is base causality.
struct rel later_written(const struct execution *x, const struct derived *d, struct rel base);

#endif
