// The tensor of a tensormap that a test does not give.
#ifndef PTXLITMUS_LAUNCH_MAP_SHAPE_H
#define PTXLITMUS_LAUNCH_MAP_SHAPE_H

#include "launch/launch.h"

// A copy by such a map.
struct map_copy {
    size_t map;
    bool loads;                  // from global memory
    unsigned object;             // in shared memory,
    uint64_t offset;             // and where in it
    int32_t at[TENSOR_RANK_MAX]; // its coordinates
    uint64_t stored; // of a copy to global memory: how many bytes from there on threads have stored
};

// Finds the tensor of map number `index`, where it is known how many bytes its copies move: its
// tiles have as many, those at other coordinates do not overlap, and all are inside. Where no copy
// by it writes to global memory, tiles may overlap if they have to. Sets `map->tensor` and
// `map->is_found`.
void map_shape(struct launch_map *map, const struct map_copy *copies, size_t count, size_t index);

#endif
