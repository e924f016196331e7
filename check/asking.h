// What is asked of the tests of a file: an outcome of each, or whether it is free of faults.
#ifndef PTXLITMUS_CHECK_ASKING_H
#define PTXLITMUS_CHECK_ASKING_H

#include "litmus/readers/reader.h"

#include <stdbool.h>

// Whether something is asked of each test, or launch of a module. False after an error in
// `diagnostics`.
bool asking_is_there(const struct test_list *tests, struct diagnostics *diagnostics);

// Takes away what is asked of each test, of which those that are the same then are kept once: of a
// launch with several conditions, one. This is what `check` asks.
void asking_nothing(struct arena *arena, struct test_list *tests);

#endif
