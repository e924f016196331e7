// CaDiCaL by its C interface. Literals are those of DIMACS.
#ifndef PTXLITMUS_SOLVER_BACKEND_CADICAL_H
#define PTXLITMUS_SOLVER_BACKEND_CADICAL_H

#include <stdbool.h>
#include <stddef.h>

struct cadical;

// Returns a new solver. `must_stop(context)` is called now and then during checks, which end when
// it returns true. The caller frees it with cadical_free. Where an allocation inside CaDiCaL
// fails, this and the functions below call out_of_memory, after which the solver is not used again
// and not freed; in a build without a compiler of C++, the process ends.
struct cadical *cadical_new(bool (*must_stop)(void *context), void *context);

// Frees a solver.
void cadical_free(struct cadical *cadical);

// Has each clause that is learned from now on given to `learned`, up to the empty one: each follows
// from those before it by unit propagation. Nothing may have been added yet. What would change
// clauses in other ways is turned off.
void cadical_trace(struct cadical *cadical,
                   void (*learned)(void *context, const int *literals, size_t count),
                   void *context);

// Adds a clause.
void cadical_clause(struct cadical *cadical, const int *literals, size_t count);

// Whether there is a model in which all assumptions hold: 1, -1 for none, 0 when it was stopped or
// reached the limit of conflicts. The model is there until the next call.
int cadical_solve(struct cadical *cadical, const int *assumptions, size_t count);

// Bounds the conflicts of the next check.
void cadical_limit_conflicts(struct cadical *cadical, int conflicts);

// Returns whether a variable is true in the model.
bool cadical_value(struct cadical *cadical, int variable);

#endif
