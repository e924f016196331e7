// Allocation of tensor memory in tests (PTX ISA 9.7.16.7).
#ifndef PTXLITMUS_LITMUS_COLUMNS_H
#define PTXLITMUS_LITMUS_COLUMNS_H

#include "litmus/test.h"

// Whether that many columns can be allocated at once.
bool columns_fit(uint64_t count);

// Whether a test allocates its tensor memory, by tcgen05.alloc.
bool columns_are_allocated(const struct test *test);

// Returns the variable that a tcgen05.alloc gives: the first one in the text of a CTA's threads the
// first variable in .tmem, and so on. -1: there are not that many.
int columns_variable(const struct test *test, int thread, const struct instruction *instruction);

#endif
