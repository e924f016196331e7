// Instructions that all threads of a warp or warpgroup execute: what other files of the room need
// of them.
#ifndef PTXLITMUS_LAUNCH_ALIGNED_H
#define PTXLITMUS_LAUNCH_ALIGNED_H

#include <stdbool.h>
#include <stdint.h>

struct instruction;
struct lane;
struct machine;

enum aligned_extent { ALIGNED_WARP, ALIGNED_WARPGROUP, ALIGNED_EXTENTS };

// What a thread has executed of instructions that are for a whole warp or warpgroup
// (launch/aligned.c).
struct lane_aligned {
    struct aligned_history {
        uint64_t hash;                    // of what all of them say, in their order
        const struct instruction *latest; // or NULL
    } histories[ALIGNED_EXTENTS];
    uint32_t registers; // that setmaxnreg has given it; 0: those with which it has started
};

// Notes that a thread executes an instruction that all threads of its warp or warpgroup have to
// execute; `said` is what its constants say.
void aligned_note(struct lane *lane, enum aligned_extent extent,
                  const struct instruction *instruction, uint64_t said);

// Runs a setmaxnreg. How many registers there are changes no value; that a thread asks for fewer by
// .inc than it was given last, or for more by .dec, is undefined (PTX ISA 9.7.19.5). As with all
// functions that run an instruction, false is returned when the run is over.
bool run_setmaxnreg(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction);

// Runs what an mma or wmma is besides its results and accesses: that of all lanes of a warp. They
// give a wmma one address and one stride, too. Returns false when the run is over.
bool run_warp_matrix(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction);

// Ends the run, when all threads of a launch have ended, where those of a warp or warpgroup have
// not all executed the same of these instructions: of mma and wmma, "all threads in the warp must
// execute the same" (PTX ISA 9.7.14); "If a setmaxnreg instruction is not executed by all warps in
// the warpgroup, then the behavior is undefined" (PTX ISA 9.7.19.5), and so of wgmma.fence,
// .commit_group and .wait_group (PTX ISA 9.7.15.7.1 to 9.7.15.7.3).
void aligned_end(struct machine *machine);

#endif
