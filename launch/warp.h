// Warps of a block: where their lanes are.
#ifndef PTXLITMUS_LAUNCH_WARP_H
#define PTXLITMUS_LAUNCH_WARP_H

#include "launch/internal.h"

// Places among the lanes of a block.
struct lane_range {
    unsigned begin, end;
};

// Returns where the lanes of the warp of a lane are: some of them, or the whole block where that is
// not known.
struct lane_range warp_range(const struct lane *lane);

#endif
