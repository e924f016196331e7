// What is not modelled: asynchronous copies, mbarriers, shuffles, matrices, dynamic shared memory, timers, printf.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <mma.h>
#include <cstdio>

extern __shared__ int tile[];

__global__ void copy(const int *in, int *out) {
    auto block = cooperative_groups::this_thread_block();
    cooperative_groups::memcpy_async(block, tile, in, 4 * sizeof(int) * block.size());
    cooperative_groups::wait(block);
    out[threadIdx.x] = __shfl_xor_sync(~0u, tile[threadIdx.x], 1);
}

__global__ void arrive(int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
    }
    __syncthreads();
    barrier.arrive_and_wait();
    out[threadIdx.x] = __ballot_sync(~0u, threadIdx.x & 1) + __activemask();
}

__global__ void multiply(const half *a, const half *b, float *c) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> left;
    fragment<matrix_b, 16, 16, 16, half, col_major> right;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
    load_matrix_sync(left, a, 16);
    load_matrix_sync(right, b, 16);
    mma_sync(sum, left, right, sum);
    store_matrix_sync(c, sum, 16, mem_row_major);
}

__global__ void timed(long long *out, float scale) {
    long long start = clock64();
    float value = sinf(scale) * scale;
    if (value > 1e30f) {
        printf("%f\n", value);
        __trap();
    }
    out[threadIdx.x] = clock64() - start;
}
