// Kernels of the shapes that people write, in blocks of 128 threads: right as written, and wrong where a scope, an order, a fence
// or a barrier is weakened. Each weakening is a template argument.
#include <cooperative_groups.h>
#include <cuda/atomic>

// --- A reduction that the last block to come finishes ------------------------------------------

enum { LAST_RIGHT, LAST_NO_FENCE, LAST_NO_FENCE_AFTER, LAST_NO_BARRIER };

__device__ unsigned arrived;

template <int variant>
__global__ void last_block(const int *in, int *partial, int *out) {
    __shared__ int sums[128];
    __shared__ bool is_last;
    unsigned t = threadIdx.x;
    sums[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    if (t == 0)
        partial[blockIdx.x] = sums[0] + sums[32];
    if (t == 0) {
        if (variant != LAST_NO_FENCE)
            __threadfence();
        is_last = atomicAdd(&arrived, 1) == gridDim.x - 1;
        if (variant != LAST_NO_FENCE_AFTER)
            __threadfence();
    }
    if (variant != LAST_NO_BARRIER)
        __syncthreads();
    if (is_last && t < gridDim.x)
        out[t] = partial[t];
}

template __global__ void last_block<LAST_RIGHT>(const int *, int *, int *);
template __global__ void last_block<LAST_NO_FENCE>(const int *, int *, int *);
template __global__ void last_block<LAST_NO_FENCE_AFTER>(const int *, int *, int *);
template __global__ void last_block<LAST_NO_BARRIER>(const int *, int *, int *);
