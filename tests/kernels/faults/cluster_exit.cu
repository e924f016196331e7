// A block reads the shared memory of its neighbour, which may have ended.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2) cluster_exit(int *out) {
    __shared__ int mine;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) mine = (int)cluster.block_rank();
    cluster.sync();
    if (threadIdx.x == 0) out[blockIdx.x] = *cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
#ifdef FIXED
    cluster.sync();
#endif
}
