// What a run has of asynchronous copies for other operations: those that complete on an mbarrier,
// and those that threads start and wait for in groups, as products of matrices.
#ifndef PTXLITMUS_LAUNCH_COPY_H
#define PTXLITMUS_LAUNCH_COPY_H

#include "launch/internal.h"

// Delivers the answer of a request, 16 bytes, to [d], and completes as many on [m]; with
// .multicast::cluster::all so in each block of the cluster. (PTX ISA 9.7.13.17)
bool copy_answer(struct machine *machine, struct lane *lane, const struct instruction *instruction,
                 const struct step_value *answer);

// --- sequence.c --------------------------------------------------------------------------------

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
