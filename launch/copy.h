// What a run has of asynchronous copies for other operations that complete on an mbarrier.
#ifndef PTXLITMUS_LAUNCH_COPY_H
#define PTXLITMUS_LAUNCH_COPY_H

#include "launch/internal.h"

// Delivers the answer of a request, 16 bytes, to [d], and completes as many on [m]; with
// .multicast::cluster::all so in each block of the cluster. (PTX ISA 9.7.13.17)
bool copy_answer(struct machine *machine, struct lane *lane, const struct instruction *instruction,
                 const struct step_value *answer);

#endif
