// A ring of two stages: one thread loads three tiles by TMA, another one adds them up (cuda::ptx). Each stage has a
// barrier that says that it is full, and one that says that it is empty again.
//   nvcc -std=c++17 -O3 -arch=sm_90 -ptx -o whole/ring.ptx ring.cu
#include <cuda/ptx>

namespace ptx = cuda::ptx;

extern "C" __global__ void add(const long long *in, long long *out) {
    __shared__ alignas(128) long long tile[2][2];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < 2; stage++) {
            ptx::mbarrier_init(&full[stage], 1);
            ptx::mbarrier_init(&empty[stage], 1);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 0; k < 3; k++) {
            int stage = k % 2, parity = k / 2 % 2;
            while (!ptx::mbarrier_try_wait_parity(&empty[stage], parity ^ 1)) {
            }
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[stage], 16);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[stage], in + 2 * k, 16, &full[stage]);
        }
    } else {
        long long sum = 0;
        for (int k = 0; k < 3; k++) {
            int stage = k % 2, parity = k / 2 % 2;
            while (!ptx::mbarrier_try_wait_parity(&full[stage], parity)) {
            }
            sum += tile[stage][0];
            ptx::fence_proxy_async(ptx::space_shared);
            ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &empty[stage]);
        }
        out[0] = sum;
    }
}
