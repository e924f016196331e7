// Races that a run meets, of each two places once.
#ifndef PTXLITMUS_LAUNCH_RACES_H
#define PTXLITMUS_LAUNCH_RACES_H

#include "launch/launch.h"
#include "launch/shadow.h"

struct race_table;

// Notes a race of two accesses, the earlier one first, to a variable of the test: as one more pair
// of those of its two places, or as a new race of `result`, whose arrays live in `arena`. `*table`
// is NULL at first.
void races_note(struct arena *arena, struct race_table **table, struct launch_result *result,
                const struct shadow_access *earlier, const struct shadow_access *later,
                unsigned variable);

// Forgets all races that were noted, but those of the result.
void races_forget(struct race_table **table);

#endif
