// A tile of a tensor that TMA loads by a tensormap, all threads change, and TMA stores by another
// one: the maps are arguments (cuda::ptx). See weakened.txt.
//   nvcc -std=c++17 -O3 -arch=sm_90 -ptx -o whole/tensor_tile.ptx tensor_tile.cu
#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

extern "C" __global__ void change(const __grid_constant__ CUtensorMap in,
                                  const __grid_constant__ CUtensorMap out, int row) {
    __shared__ alignas(128) int tile[4];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        const int32_t at[2] = {0, row};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &in, at, &full);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                       sizeof tile);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    tile[threadIdx.x] += 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        const int32_t at[2] = {0, row};
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &out, at, tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}
