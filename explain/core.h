// Which axioms it takes to forbid an outcome.
#ifndef PTXLITMUS_EXPLAIN_CORE_H
#define PTXLITMUS_EXPLAIN_CORE_H

#include "explain/explain.h"

// Finds a set of axioms that together forbid what the condition (one bit) says, and of which none
// can be spared, and for each an execution that breaks it alone of them. `explanation` has the
// program of the search and its names; its breaches are filled, none when no execution at all is as
// the condition says. Returns TRUTH_YES; TRUTH_NO when all axioms together do not forbid it;
// TRUTH_UNKNOWN when a limit was reached.
enum truth core_find(struct arena *arena, struct search *search, const struct expr *condition,
                     struct explanation *explanation);

#endif
