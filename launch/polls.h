// Loops that poll: a thread that reads a value and comes back to read again has done nothing, so
// that it does not matter how often it does so, nor whether it does.
#ifndef PTXLITMUS_LAUNCH_POLLS_H
#define PTXLITMUS_LAUNCH_POLLS_H

#include "launch/internal.h"

// Finds which writes of its place a thread that waits for its turn may read and go on: those that
// causality order leaves to it, but for values with which it comes back to the access. Sets what
// `lane->turn` says of them.
void poll_find_options(struct machine *machine, struct lane *lane);

// Makes what polling may have changed in the registers of a thread depend on the schedule.
void poll_forget(struct lane *lane);

#endif
