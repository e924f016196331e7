// Changes after which a test has no race, no hang, or a flag no longer: one that does, in which
// nothing can be spared or weaker, and which brings no other fault.
#ifndef PTXLITMUS_REPAIR_FAULTS_H
#define PTXLITMUS_REPAIR_FAULTS_H

#include "repair/repair.h"

// What is to go.
struct fault_goal {
    bool races;       // each flag that is about accesses that race
    bool hangs;       // executions that never end, whatever the schedule
    const char *flag; // the flag of this name; NULL: none
};

// Whether anything is to go.
static inline bool fault_goal_is_set(const struct fault_goal *goal) {
    return goal->races || goal->hangs || goal->flag;
}

// Returns what is to go in words, "data races, hangs", owned by the arena; NULL where nothing is.
const char *fault_goal_text(struct arena *arena, const struct fault_goal *goal);

// Searches as repair_search does, of whose options `goal`, `most`, `max_cost` and `any` do not
// count. Returns a repair with one remedy at most, whose lost states are not looked for. NULL after
// errors in `diagnostics`, such as a flag that the test cannot have.
struct repair *faults_repair(struct solver *solver, struct arena *arena, const struct test *test,
                             size_t index, const struct repair_options *options,
                             const struct fault_goal *goal, struct diagnostics *diagnostics);

#endif
