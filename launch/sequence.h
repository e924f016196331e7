// Groups of asynchronous operations of a thread, in the order in which it has started them: those
// of cp.async, of bulk copies and of products of matrices.
#ifndef PTXLITMUS_LAUNCH_SEQUENCE_H
#define PTXLITMUS_LAUNCH_SEQUENCE_H

#include "launch/internal.h"

// Ends a group: what has been started since the last one is in it.
void sequence_commit(struct machine *machine, struct sequence *sequence);

// Finds the last operation for which a wait for groups waits, in `*time`; 0: for none. Gives up,
// and returns false, where it is not known how many groups may be pending.
bool sequence_waited(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction, const struct sequence *sequence,
                     uint32_t *time);

// Makes what an actor has done up to a time be before what the thread does next.
void lane_hear(struct lane *lane, uint32_t actor, uint32_t time);

#endif
