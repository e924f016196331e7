// A module as a test: what its manifest says of a launch, with the bodies of the module.
#ifndef PTXLITMUS_READERS_MODULE_TEST_H
#define PTXLITMUS_READERS_MODULE_TEST_H

#include "litmus/readers/reader.h"

// Reads the tests of a module: one for each condition of its manifest, which is in its comments
// or in its sidecar (docs/modules.md). After errors, all of them in `diagnostics`, the list is not
// to be used.
void module_read_tests(struct arena *arena, const struct source *source,
                       struct diagnostics *diagnostics, struct test_list *tests);

#endif
