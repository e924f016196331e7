// A thread that goes on by itself, on a copy of its registers: what it would do.
#ifndef PTXLITMUS_LAUNCH_WALK_H
#define PTXLITMUS_LAUNCH_WALK_H

#include "launch/internal.h"

// Who walks.
struct lane_walk {
    struct machine *machine;
    struct lane *lane;
    size_t register_count;
};

// Where it is, with registers that the caller frees.
struct way_point {
    size_t pc;
    struct step_value *registers;
};

// Returns a place with a copy of registers.
struct way_point walk_copy(const struct lane_walk *walk, size_t pc,
                           const struct step_value *registers);

// Whether two places are one, with the same registers.
bool walk_equal(const struct lane_walk *walk, const struct way_point *a, const struct way_point *b);

// Returns the instruction at a place; NULL at the end.
const struct instruction *walk_at(const struct lane_walk *walk, const struct way_point *place);

// Runs an instruction that does nothing but compute, or go elsewhere. Returns false where it does
// more, or that is not known.
bool walk_step(const struct lane_walk *walk, struct way_point *place);

#endif
