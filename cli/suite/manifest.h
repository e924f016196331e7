// Manifests of suites: which tests there are, and what they are expected to come to.
#ifndef PTXLITMUS_CLI_SUITE_MANIFEST_H
#define PTXLITMUS_CLI_SUITE_MANIFEST_H

#include "cli/input/files.h"

#include <stdbool.h>

struct arena;
struct diagnostics;

// Whether a path names a manifest: a file that ends in ".suite".
bool manifest_is_named(const char *path);

// Reads a manifest and adds its inputs, with what it says of them, to the list. A file that is not
// there becomes an input with `is_nothing`. Returns false after errors in `diagnostics`. Everything
// lives in the arena.
bool manifest_collect(struct arena *arena, const char *path, struct diagnostics *diagnostics,
                      struct input_list *list);

#endif
