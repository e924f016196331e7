// Instructions that all threads of a warpgroup execute: what other files of the room need of them.
#ifndef PTXLITMUS_LAUNCH_ALIGNED_H
#define PTXLITMUS_LAUNCH_ALIGNED_H

#include <stdbool.h>
#include <stdint.h>

struct instruction;
struct lane;
struct machine;

// What a thread has executed of instructions that are for a whole warpgroup (launch/aligned.c).
struct lane_aligned {
    uint64_t history;                 // a hash of what all of them say, in their order
    const struct instruction *latest; // or NULL
    uint32_t registers; // that setmaxnreg has given it; 0: those with which it has started
};

// Notes that a thread executes an instruction that all threads of its warpgroup have to execute;
// `said` is what its constants say.
void aligned_note(struct lane *lane, const struct instruction *instruction, uint32_t said);

// Runs a setmaxnreg. How many registers there are changes no value; that a thread asks for fewer by
// .inc than it was given last, or for more by .dec, is undefined (PTX ISA 9.7.19.5). As with all
// functions that run an instruction, false is returned when the run is over.
bool run_setmaxnreg(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction);

// Ends the run, when all threads of a launch have ended, where those of a warpgroup have not all
// executed the same of these instructions: "If a setmaxnreg instruction is not executed by all
// warps in the warpgroup, then the behavior is undefined" (PTX ISA 9.7.19.5), and so of
// wgmma.fence, .commit_group and .wait_group (PTX ISA 9.7.15.7.1 to 9.7.15.7.3).
void aligned_end(struct machine *machine);

#endif
