// A barrier object that expects half of the threads that arrive.
#include <cuda/ptx>
#include <cstdint>

#ifdef FIXED
#define EXPECTED blockDim.x
#else
#define EXPECTED (blockDim.x / 2)
#endif

__global__ void arrivals(const int *data, int *out) {
    __shared__ int tile[64];
    __shared__ alignas(8) uint64_t full;
    int i = threadIdx.x;
    if (i == 0) {
        cuda::ptx::mbarrier_init(&full, EXPECTED);
    }
    __syncthreads();
    tile[i] = data[i];
    cuda::ptx::mbarrier_arrive(&full);
    while (!cuda::ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    out[blockIdx.x * 64 + i] = tile[blockDim.x - 1 - i];
}
