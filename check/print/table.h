// Cells of the tables of states that are printed for people.
#ifndef PTXLITMUS_CHECK_PRINT_TABLE_H
#define PTXLITMUS_CHECK_PRINT_TABLE_H

#include "check/report/report.h"

struct arena;

// Returns the value in a column of a state as text, owned by the arena: a number, the variable
// whose address it is, or '?' for one that is unknown.
const char *table_cell(struct arena *arena, const struct report *report, const struct state *state,
                       size_t column);

// Returns "*" for a state that satisfies the condition, "~" for one where an unknown initial value
// decides whether it does, else " ".
const char *table_mark(const struct state *state);

#endif
