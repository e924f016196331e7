// A cluster of two blocks with distributed shared memory: each block publishes a value in its own shared
// memory, both meet, and each reads the other's; then they meet again, so that no block ends while its memory is read.
//   nvcc -std=c++17 -arch=sm_90 -ptx -o whole/cluster.ptx cluster.cu
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) exchange(const int *in, int *out) {
    __shared__ int mine;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    if (threadIdx.x == 0)
        mine = in[rank];
    cluster.sync();
    if (threadIdx.x == 32)
        out[rank] = *cluster.map_shared_rank(&mine, rank ^ 1);
    cluster.sync();
}
