// Races for people and for JSON: the two instructions, and an execution in which they race.
#ifndef PTXLITMUS_RACES_H
#define PTXLITMUS_RACES_H

#include "cli/report.h"

#include <jansson.h>
#include <stdio.h>

struct arena;

// "P0 line 7: st.weak.u32 [x], 1, and P1 line 7: ld.weak.u32 %r0, [x]", owned by the arena.
const char *race_text(struct arena *arena, const struct report *report, const struct race *race);

// The races of a report, each with its execution, an access a line.
void races_print(FILE *out, struct arena *arena, const struct report *report);

// The same as an array of objects, which the caller owns.
json_t *races_json(struct arena *arena, const struct report *report);

#endif
