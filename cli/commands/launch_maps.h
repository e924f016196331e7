// The tensormaps of a derived launch.
#ifndef PTXLITMUS_CLI_COMMANDS_LAUNCH_MAPS_H
#define PTXLITMUS_CLI_COMMANDS_LAUNCH_MAPS_H

#include "cli/options/options.h"

struct arena;
struct run;

// A search for the tensormaps of a kernel.
struct map_search {
    struct run *run;
    struct arena *arena;       // of what is found
    const char *path;          // of the kernel
    struct derived_map *known; // of which it is known how many bytes their copies move
    size_t known_count;
};

// Finds tensormaps for the parameters of a launch by which it copies, and sets them:
// `derived->objects`, without those that are not found. Each of its runs takes `seconds` at most,
// and has objects of `measured` bytes together.
void launch_maps_find(struct map_search *search, struct derived_launch *derived, double seconds,
                      uint64_t measured);

// Returns what is to be said of faults that a run has met where tensormaps are derived, a sentence
// without a full stop; NULL: they do not come of what copies move.
const char *launch_maps_blame(const struct launch_result *launched);

#endif
