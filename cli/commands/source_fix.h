// Fixes of a .cu file's own text: a barrier on a line of its own.
#ifndef PTXLITMUS_CLI_COMMANDS_SOURCE_FIX_H
#define PTXLITMUS_CLI_COMMANDS_SOURCE_FIX_H

#include "check/report/report.h"

struct arena;
struct model;
struct run;
struct solver_options;

// Looks for a barrier of the block or the warp that leaves the launch of a .cu file free of faults,
// near the two accesses of a race in one block: each text is compiled, launched as the file is, and
// decided. A compiler may merge branches, so that no point of the module is left at which a barrier
// would do that does in the source. Returns what to put in, "tile.cu:7: __syncthreads(); before
// it", owned by the arena; NULL where none is found.
const char *source_fix_find(struct run *run, struct arena *arena, const struct model *model,
                            const struct report *report, const struct race *race,
                            const struct solver_options *limits);

#endif
