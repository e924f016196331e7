// Why a change does, and why none does, in a sentence.
#ifndef PTXLITMUS_REPAIR_REASONS_H
#define PTXLITMUS_REPAIR_REASONS_H

#include "repair/work.h"

// Returns why the outcome is impossible with a choice: what now synchronises, and the axiom that
// an execution with the outcome would break. NULL when there is nothing to say. The arena of the
// work owns it.
const char *reason_of_remedy(struct change_work *work, const size_t *choice);

// Returns why no order, scope or fence forbids the outcome, as far as the test tells.
const char *reason_of_none(struct change_work *work);

#endif
