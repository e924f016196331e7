// memory-model section 19: the order of accesses to tensor memory.
#ifndef PTXLITMUS_ORACLE_AXIOMS_TENSOR_H
#define PTXLITMUS_ORACLE_AXIOMS_TENSOR_H

#include "tests/oracle/axioms.h"

// The accesses to one place in tensor memory that are in an order (PTX ISA 9.7.16.6). `threads` is
// base causality of the threads themselves.
struct rel tensor_order(const struct execution *x, const struct derived *d, struct rel threads);

// Causality order, and over what tensor cores read in shared memory: what comes before such a read
// there comes before what comes after it.
struct rel tensor_settled(const struct execution *x, const struct derived *d, struct rel order);

// Whether tensor memory is accessed that is not allocated, or allocated, deallocated or kept as PTX
// does not define (PTX ISA 9.7.16.7.1).
bool tensors_misused(const struct execution *x, const struct derived *d, struct rel threads);

#endif
