// Blocks exchange data by the barrier of cooperative groups' grid, and write it again after a second one: the module whole/grid_sync.ptx
// is what nvcc -O3 -arch=sm_80 makes of it.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void grid_sync(int *data, int *out) {
    cg::grid_group grid = cg::this_grid();
    unsigned rank = grid.thread_rank();
    data[rank] = rank + 1;
    grid.sync();
    out[rank] = data[rank ^ blockDim.x];
    grid.sync();
    data[rank ^ blockDim.x] = 7;
}
