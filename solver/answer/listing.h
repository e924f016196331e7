// The list of states while it is built: what outcomes.c and listing.c share.
#ifndef PTXLITMUS_SOLVER_ANSWER_LISTING_H
#define PTXLITMUS_SOLVER_ANSWER_LISTING_H

#include "solver/answer/run.h"
#include "solver/backend/literals.h"

struct listing {
    struct solver_run *run;
    size_t width; // observed values
    const struct encoded_value **values;
    literal *undefs;
    literal *pinned;      // scratch space for the literals that pin a state
    struct state *states; // malloc'd
    size_t count, capacity;
    struct literals assumptions;      // a stack
    enum truth satisfiable, violable; // as far as the states tell
};

// Starts an empty list for a run, which is borrowed. The caller ends it with listing_free.
void listing_init(struct listing *listing, struct solver_run *run);

// Frees what the list allocated; the states go with it unless they were taken out.
void listing_free(struct listing *listing);

// Enumerates all states and sorts them by their values. Returns false when the list is cut
// (options->max_states) or the solver could not go on (run->outcomes->reason says why).
bool listing_enumerate(struct listing *listing);

// --- States ruled out (answer/ruled_out.c) ------------------------------------------------------

// Puts the literals that together say what an observed value is into `literals`, one or two.
// Returns how many.
size_t listing_pin(struct listing *listing, size_t i, const struct state_value *value,
                   literal *literals);

// Asserts that where the guard holds the state is none of those from `begin` on, which are sorted.
void listing_rule_out(struct listing *listing, size_t begin, literal guard);

#endif
