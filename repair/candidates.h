// Which choices of changes remain to be tried, cheapest first: implicit hitting sets.
//
// What is known are choices that do not do (and with them all that are weaker) and choices that do
// (and with them all that are stronger, which are then not minimal).
#ifndef PTXLITMUS_REPAIR_CANDIDATES_H
#define PTXLITMUS_REPAIR_CANDIDATES_H

#include "repair/changes.h"

#include <stdbool.h>

struct candidates;

// Starts with nothing known, from the choice `first`: all others are at least as strong. `monotone`
// says, by place, whether a stronger form never makes less of a difference: where it is false, one
// form says nothing of another. The caller ends it with candidates_free.
struct candidates *candidates_new(const struct changes *changes, const size_t *first,
                                  const bool *monotone);

// Frees all of it. NULL is allowed.
void candidates_free(struct candidates *candidates);

// Finds the cheapest choice that is not known to do or not to do, and which is minimal if it does:
// all that are weaker are known not to do. Returns false when there is none, or when there are more
// than memory should hold (candidates_cut).
bool candidates_next(struct candidates *candidates, size_t *choice);

// `most` does not do. What candidates_next returned last, if nothing was said of it, is no
// stronger.
void candidates_reject(struct candidates *candidates, const size_t *most);

// What the last call returned does.
void candidates_accept(struct candidates *candidates);

// What the last call returned is left out, and says nothing of others: stronger ones are tried.
void candidates_skip(struct candidates *candidates);

// Whether a choice is known not to do.
bool candidates_refute(const struct candidates *candidates, const size_t *choice);

// What the last call of candidates_next returned will be returned again, if nothing was said of it.
void candidates_again(struct candidates *candidates);

// A choice does that candidates_next has not returned.
void candidates_include(struct candidates *candidates, const size_t *choice);

// Whether the list ended since there was too much to keep.
bool candidates_cut(const struct candidates *candidates);

// Returns what a choice costs beyond another one.
unsigned candidates_cost(const struct changes *changes, const size_t *first, const size_t *choice);

#endif
