// Products of matrices by warpgroups (PTX ISA 9.7.15), and what their threads do with their
// registers.
#ifndef PTXLITMUS_LAUNCH_PRODUCT_H
#define PTXLITMUS_LAUNCH_PRODUCT_H

#include "launch/internal.h"

// Finds the warpgroups of a launch in which there are products, and adds their actors to those of
// the machine. Needs the blocks.
void products_start(struct machine *machine);

// Frees what products have.
void products_free(struct machine *machine);

// Runs wgmma.mma_async, or what fences, commits or waits for some.
bool run_product(struct machine *machine, struct lane *lane, const struct instruction *instruction);

// Notes that all products of a thread's warpgroup are done.
void product_finish(const struct lane *lane, struct clock *clock);

// Whether a thread waits for others of its warpgroup.
bool product_is_awaited(const struct lane *lane);

// Begins to note what a thread does with registers of products. Returns false where it has none.
bool uses_start(struct machine *machine, struct lane *lane);

// Notes which registers an instruction uses that is not a product. Returns false, after ending the
// run, where one of them is of a product that may not be complete ("undefined
// behavior", 9.7.15.7.3).
bool uses_note(struct machine *machine, struct lane *lane, const struct instruction *instruction);

// Whether an instruction uses a register of some product of a thread.
bool uses_some(const struct lane *lane, const struct instruction *instruction);

// Notes the registers of a product of the thread. Returns false, after ending the run, where a
// wgmma.fence is missing before it (9.7.15.7.1).
bool uses_note_product(struct machine *machine, struct lane *lane,
                       const struct instruction *instruction);

#endif
