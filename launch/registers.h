// setmaxnreg in a run: what launch/run.c needs of it.
#ifndef PTXLITMUS_LAUNCH_REGISTERS_H
#define PTXLITMUS_LAUNCH_REGISTERS_H

#include "launch/internal.h"

// Runs a setmaxnreg. How many registers there are changes no value; that a thread asks for fewer by
// .inc than it was given last, or for more by .dec, is undefined (PTX ISA 9.7.19.5). As with all
// functions that run an instruction, false is returned when the run is over.
bool run_setmaxnreg(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction);

// Looks, when all threads of a launch have ended, for warpgroups that have not all executed the
// same instructions of this kind: "If a setmaxnreg instruction is not executed by all warps in the
// warpgroup, then the behavior is undefined" (PTX ISA 9.7.19.5).
void registers_end(struct machine *machine);

#endif
