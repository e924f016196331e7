// Grids that come after each other in the order of launches (memory-model section 17).
#ifndef PTXLITMUS_LAUNCH_GRID_H
#define PTXLITMUS_LAUNCH_GRID_H

#include "launch/internal.h"

// Finds the grids of a test that orders some. Threads wait whose grid starts when another one is
// complete. Needs the threads, their clocks and the blocks.
void grids_start(struct machine *machine);

// Frees what grids have.
void grids_free(struct machine *machine);

// Notes that a thread has ended: where its grid is complete then, those go on that waited for it.
void grid_end(struct machine *machine, const struct lane *lane);

// Runs griddepcontrol.wait or griddepcontrol.launch_dependents.
bool run_grid(struct machine *machine, struct lane *lane, const struct instruction *instruction);

#endif
