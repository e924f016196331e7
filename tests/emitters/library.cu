// What CUB, libcu++ and cooperative groups give, for inspect.sh.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

namespace cg = cooperative_groups;

extern "C" __global__ void grid_sync(int *data, int *out) {
    cg::grid_group grid = cg::this_grid();
    data[grid.thread_rank()] = 1;
    grid.sync();
    out[grid.thread_rank()] = data[grid.size() - 1 - grid.thread_rank()];
}

extern "C" __global__ void reduce_tile(const int *in, int *out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
    if (tile.thread_rank() == 0)
        cuda::atomic_ref<int, cuda::thread_scope_device>(*out).fetch_add(sum);
}

extern "C" __global__ void block_barrier(int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x);
    __syncthreads();
    out[threadIdx.x] = 1;
    barrier.arrive_and_wait();
    out[threadIdx.x] += out[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void semaphore(cuda::counting_semaphore<cuda::thread_scope_device, 1> *turn, int *counter) {
    turn->acquire();
    *counter += 1;
    turn->release();
}

extern "C" __global__ void copies(const int *in, int *out) {
    __shared__ int buffer[128];
    auto pipeline = cuda::make_pipeline();
    pipeline.producer_acquire();
    cuda::memcpy_async(&buffer[threadIdx.x], &in[threadIdx.x], sizeof(int), pipeline);
    pipeline.producer_commit();
    pipeline.consumer_wait();
    out[threadIdx.x] = buffer[threadIdx.x];
    pipeline.consumer_release();
}
