// Allocation of tensor memory in tests (PTX ISA 9.7.16.7).
#ifndef PTXLITMUS_LITMUS_COLUMNS_H
#define PTXLITMUS_LITMUS_COLUMNS_H

#include "litmus/test.h"

// Whether that many columns can be allocated at once.
bool columns_fit(uint64_t count);

// Whether a test allocates its tensor memory, by tcgen05.alloc.
bool columns_are_allocated(const struct test *test);

#endif
