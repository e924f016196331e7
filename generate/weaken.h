// Cycles that are one step weaker than another one.
#ifndef PTXLITMUS_GENERATE_WEAKEN_H
#define PTXLITMUS_GENERATE_WEAKEN_H

#include "generate/cycle.h"

// Returns the resolved cycles in which one thing of a resolved cycle is one step weaker, `*count`
// of them in an array of the arena: an order (acquire and release become relaxed, relaxed becomes
// weak), a scope (the next smaller one; .cluster where threads share one), a fence (.sc becomes
// .acq_rel, others are left out), or a dependency (left out). `order` is that of accesses without
// marks.
const struct cycle *cycle_weaken(struct arena *arena, const struct cycle *cycle, const char *order,
                                 size_t *count);

#endif
