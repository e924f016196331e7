// Values that threads pass to each other without memory, at a bar.red or inside a warp, as
// expressions of what these threads have read.
#ifndef PTXLITMUS_PROGRAM_DEPENDENCY_PASSED_H
#define PTXLITMUS_PROGRAM_DEPENDENCY_PASSED_H

#include "program/builder.h"
#include "program/dependency/influence.h"

// What was found, kept for later questions.
struct passed_values;

// Returns an empty store, owned by the arena; NULL where no expression is over what threads pass
// on. After phases_build.
struct passed_values *passed_values_new(struct arena *arena, struct builder *builder,
                                        struct influences *influences);

// Returns an expression with what each EXPR_REDUCED returns in its place: over EXPR_PHASE_PAIR and
// what the threads give, so that its leaves are reads of several threads; the expression itself
// where `values` is NULL. A result that would come from itself, through phases of which only some
// can be, stays. May add to the pool.
const struct expr *passed_values_in(struct passed_values *values, const struct expr *expr);

#endif
