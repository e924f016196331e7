// One choice: whether the outcome is there with it, and with its neighbours.
#ifndef PTXLITMUS_REPAIR_CHOICE_H
#define PTXLITMUS_REPAIR_CHOICE_H

#include "solver/solver.h"

#include <stdbool.h>
#include <stddef.h>

struct candidates;
struct change_work;

// Returns whether the outcome is there with a choice, as far as the programs that share events
// tell. Which other choices allow it, too, is told to the candidates (NULL: it is not looked for).
enum truth choice_allows(struct change_work *work, const size_t *choice,
                         struct candidates *candidates);

// Returns whether the outcome is there with each choice that is weaker by one form in one place,
// and how many of these there are: each is decided on the test read again from its text.
enum truth choice_is_least(struct change_work *work, const size_t *choice, size_t *neighbours);

// Fills `choice` with the strongest form of each place, without new barriers and other waits.
// Returns false where some place has two such forms, or its strongest one says nothing of the
// others.
bool choice_strongest(const struct change_work *work, size_t *choice);

#endif
