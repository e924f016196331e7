// Barriers of blocks and warps, and exchanges of lanes: what other files of the room need of them.
#ifndef PTXLITMUS_LAUNCH_BARRIER_H
#define PTXLITMUS_LAUNCH_BARRIER_H

#include "launch/internal.h"

// Drops what a barrier remembers of its phase to save time.
void barrier_forget(struct numbered_barrier *slot);

// Places among the lanes of a block.
struct lane_range {
    unsigned begin, end;
};

// Returns where the lanes of the warp of a lane are: some of them, or the whole block where that is
// not known.
struct lane_range barrier_warp_range(const struct lane *lane);

// Lets a lane that waits at an exchange go on where a lane of its warp that has ended was the last
// one missing. Returns false when the run is over.
bool exchange_end(struct machine *machine, struct lane *lane);

#endif
