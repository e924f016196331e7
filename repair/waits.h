// Waits as changes: a wait for groups of asynchronous operations that waits for more, a wgmma.fence
// that is put in before a product of matrices, and a griddepcontrol.wait before the first access of
// a grid that may start before the one that it depends on is complete.
//
// A place of the kind CHANGE_WAIT is one instruction. Its first form leaves it as it is; the others
// are edits. One that waits for more groups, or for what is written where the written one is .read,
// is stronger.
#ifndef PTXLITMUS_REPAIR_WAITS_H
#define PTXLITMUS_REPAIR_WAITS_H

#include "repair/changes.h"

// Returns the places of a test, `*count` of them, in an array of the arena; `file` is that of the
// changes.
struct change_place *waits_find(struct arena *arena, const struct test *test,
                                const struct source *file, const struct change_options *options,
                                size_t *count);

#endif
