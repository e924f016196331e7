// Corrections as changes: what is not a matter of strength, where a number is wrong or a wait is
// missing that other threads are ready for.
//
// A place of the kind CHANGE_CORRECTION is one instruction. Its first form leaves it as it is; the
// others are edits, none of which is stronger than another. What comes of each is decided by runs.
#ifndef PTXLITMUS_REPAIR_CORRECTIONS_H
#define PTXLITMUS_REPAIR_CORRECTIONS_H

#include "repair/changes.h"

// Returns the places of a test, `*count` of them, in an array of the arena; `file` is that of the
// changes. They are: counts of mbarrier.init, bytes of expect_tx, parities of waits; a wait for a
// phase before a copy into memory that others may still read; a barrier of a CTA in a loop.
struct change_place *corrections_find(struct arena *arena, const struct test *test,
                                      const struct source *file,
                                      const struct change_options *options, size_t *count);

#endif
