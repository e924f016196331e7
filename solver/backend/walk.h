// A walk through the models of clauses, without an engine: one model for each combination of a few
// choices. What it finds is sure, since each model is held against every clause before it is shown.
// That it has found all is not: it gives up where that would take a search, and callers ask the
// engine for more in the end.
#ifndef PTXLITMUS_SOLVER_BACKEND_WALK_H
#define PTXLITMUS_SOLVER_BACKEND_WALK_H

#include "solver/backend/backend.h"

struct walk;

// Begins a walk through the models of clauses (each with a 0 after it; LITERAL_FALSE and
// LITERAL_TRUE are not in them) over the variables up to `variables`. The log is copied, choices
// are borrowed until walk_free.
struct walk *walk_new(size_t variables, const literal *log, size_t length,
                      const struct backend_choice *choices, size_t choice_count);

// Ends a walk.
void walk_free(struct walk *walk);

// Has a literal hold in all models, before the first one is looked for.
void walk_assume(struct walk *walk, literal l);

// Looks for the next model. WALK_MORE: there is one. `must_stop` is asked now and then, and ends
// the walk with WALK_GAVE_UP.
enum walk_end walk_next(struct walk *walk, bool (*must_stop)(void *context), void *context);

// Returns the value of a literal in the model that was found.
bool walk_value(const struct walk *walk, literal l);

#endif
