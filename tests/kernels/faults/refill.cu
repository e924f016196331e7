// The producer fills the buffer again before the consumers have read it.
#include <cuda/ptx>
#include <cstdint>
namespace ptx = cuda::ptx;

__device__ void wait(uint64_t *barrier, uint32_t phase) {
    while (!ptx::mbarrier_try_wait_parity(barrier, phase)) {
    }
}

__global__ void refill(const int *data, int *out, int n) {
    __shared__ alignas(16) int tile[64];
    __shared__ alignas(8) uint64_t full, empty;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, blockDim.x);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < n; k++) {
        if (threadIdx.x == 0) {
#ifdef FIXED
            if (k > 0) wait(&empty, (k - 1) & 1);
#endif
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, data + k * 64, sizeof tile, &full);
        }
        wait(&full, k & 1);
        sum += tile[threadIdx.x];
#ifdef FIXED
        ptx::fence_proxy_async(ptx::space_shared);
#endif
        ptx::mbarrier_arrive(&empty);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
