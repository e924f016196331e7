// The first block of a cluster loads a tile for both by a multicast, and a second one when both have read the first.
//   nvcc -std=c++17 -O3 -arch=sm_90a -ptx -o whole/multicast.ptx multicast.cu
#include <cooperative_groups.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

extern "C" __global__ void share(const long long *in, long long *out) {
    __shared__ alignas(128) long long tile[2];
    __shared__ uint64_t full, empty;
    auto cluster = cooperative_groups::this_cluster();
    ptx::mbarrier_init(&full, 1);
    ptx::mbarrier_init(&empty, 2);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    cluster.sync();
    long long sum = 0;
    for (int k = 0; k < 2; k++) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 16);
        if (cluster.block_rank() == 0) {
            if (k > 0) {
                while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &empty, 0)) {
                }
                ptx::fence_proxy_async(ptx::space_cluster);
            }
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + 2 * k, 16, &full, (uint16_t)3);
        }
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, k)) {
        }
        sum += tile[0];
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, cluster.map_shared_rank(&empty, 0));
    }
    out[cluster.block_rank()] = sum;
    cluster.sync();
}
