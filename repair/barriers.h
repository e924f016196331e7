// Barriers as changes: where a barrier that the test does not have may be put, so that all threads
// of a CTA, or of a cluster, pass it once; and arrivals that become waits.
//
// A place of the kind CHANGE_BARRIER is a CTA, a cluster or an arrival. Each of its forms, but the
// first, is a way to put one barrier in: an edit for each text that the threads run. Forms are not
// ordered by strength; what comes of each is decided by runs.
#ifndef PTXLITMUS_REPAIR_BARRIERS_H
#define PTXLITMUS_REPAIR_BARRIERS_H

#include "repair/changes.h"

enum { BARRIER_FORMS_MAX = 100 };

// Returns the places of barriers of a test, `*count` of them, in an array of the arena; `file` is
// that of the changes. Of a CTA or a cluster with more than BARRIER_FORMS_MAX ways to put a barrier
// in, there is no place, and `*cut` is set.
struct change_place *barriers_find(struct arena *arena, const struct test *test,
                                   const struct source *file, const struct change_options *options,
                                   size_t *count, bool *cut);

// Returns a number of a barrier that the test does not use; -1: there is none, or some numbers are
// in registers.
int barriers_free_number(const struct test *test);

#endif
