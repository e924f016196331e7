// Warps of a block. In most blocks the number of a thread is its place, so that a warp is found
// without a look at the others.
#include "launch/warp.h"

struct lane_range warp_range(const struct lane *lane) {
    const struct block *block = lane->block;
    unsigned first = lane->number - lane->number % LANES_OF_WARP, end = first + LANES_OF_WARP;
    if (!block->is_dense)
        return (struct lane_range){0, block->count};
    return (struct lane_range){first, end < block->count ? end : block->count};
}
