// Barriers of blocks and warps, and exchanges of lanes: what other files of the room need of them.
#ifndef PTXLITMUS_LAUNCH_BARRIER_H
#define PTXLITMUS_LAUNCH_BARRIER_H

#include "launch/internal.h"

// Drops what a barrier remembers of its phase to save time.
void barrier_forget(struct numbered_barrier *slot);

// Lets a lane that waits at an exchange go on where a lane of its warp that has ended was the last
// one missing. Returns false when the run is over.
bool exchange_end(struct machine *machine, struct lane *lane);

// Runs a barrier of a block or of a warp.
bool run_barrier(struct machine *machine, struct lane *lane, const struct instruction *instruction);

// Runs an exchange of lanes of a warp.
bool run_exchange(struct machine *machine, struct lane *lane,
                  const struct instruction *instruction);

#endif
