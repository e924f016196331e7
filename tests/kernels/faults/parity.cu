// The threads wait for the phase before the first one, which is over from the start, and not for the copy.
#include <cuda/ptx>
#include <cstdint>
namespace ptx = cuda::ptx;

#ifdef FIXED
#define PHASE 0
#else
#define PHASE 1
#endif

__global__ void parity(const int *data, int *out) {
    __shared__ alignas(16) int tile[64];
    __shared__ alignas(8) uint64_t full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, data, sizeof tile, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, PHASE)) {
    }
    out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x];
}
