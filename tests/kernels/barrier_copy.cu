// Each thread copies a part, and reads that of its neighbour when the barrier has all (cuda::barrier).
//   nvcc -std=c++17 -O3 -arch=sm_90 -ptx -o whole/barrier_copy.ptx barrier_copy.cu
#include <cuda/barrier>

#pragma nv_diag_suppress static_var_with_dynamic_init
extern "C" __global__ void exchange(const int *in, int *out) {
    __shared__ int tile[2];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
    }
    __syncthreads();
    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], cuda::aligned_size_t<4>(4), barrier);
    barrier.arrive_and_wait();
    out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
