// Kernels of the shapes that people write, in blocks of 128 threads: right as written, and wrong where a scope, an order, a fence
// or a barrier is weakened. Each weakening is a template argument.
#include <cuda/atomic>

enum weakening { RIGHT, FIRST, SECOND, THIRD };

template <cuda::thread_scope scope>
using word = cuda::atomic_ref<unsigned, scope>;
using device_word = word<cuda::thread_scope_device>;

// --- A reduction that the last block to come finishes ------------------------------------------
// FIRST: no fence before the counter. SECOND: none after it. THIRD: no barrier between the two halves.

__device__ unsigned arrived;

template <weakening weak>
__global__ void last_block(const int *in, int *partial, int *out) {
    __shared__ int sums[128];
    __shared__ bool is_last;
    unsigned t = threadIdx.x;
    sums[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    if (t == 0) {
        partial[blockIdx.x] = sums[0] + sums[32];
        if (weak != FIRST)
            __threadfence();
        is_last = atomicAdd(&arrived, 1) == gridDim.x - 1;
        if (weak != SECOND)
            __threadfence();
    }
    if (weak != THIRD)
        __syncthreads();
    if (is_last && t < gridDim.x)
        out[t] = partial[t];
}

// --- Blocks that add to a tile one after the other, by a semaphore (split-K) ---------------------
// FIRST: the wait acquires nothing. SECOND: the semaphore is released before the others of the block have stored.
// THIRD: the scope is the block.

template <weakening weak>
__global__ void split_k(const int *in, int *tile, unsigned *semaphore) {
    constexpr auto scope = weak == THIRD ? cuda::thread_scope_block : cuda::thread_scope_device;
    unsigned t = threadIdx.x;
    if (t == 0)
        while (word<scope>(*semaphore).load(weak == FIRST ? cuda::memory_order_relaxed
                                                          : cuda::memory_order_acquire) != blockIdx.x)
            ;
    __syncthreads();
    int sum = in[blockIdx.x * 128 + t];
    if (blockIdx.x > 0)
        sum += tile[t];
    tile[t] = sum;
    if (weak != SECOND)
        __syncthreads();
    if (t == 0)
        word<scope>(*semaphore).store(blockIdx.x + 1, cuda::memory_order_release);
}

// --- A barrier of the grid, by a counter of which the highest bit turns --------------------------
// FIRST: no fence before it. SECOND: none after it. THIRD: the block does not wait for the thread that waits.

template <weakening weak>
__global__ void grid_barrier(int *data, unsigned *counter, int *out) {
    unsigned t = threadIdx.x, block = blockIdx.x;
    data[block * 128 + t] = 1;
    __syncthreads();
    if (t == 0) {
        unsigned count = block == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
        if (weak != FIRST)
            __threadfence();
        unsigned before = atomicAdd(counter, count);
        while (((before ^ device_word(*counter).load(cuda::memory_order_relaxed)) & 0x80000000u) == 0)
            ;
        if (weak != SECOND)
            __threadfence();
    }
    if (weak != THIRD)
        __syncthreads();
    out[block * 128 + t] = data[(gridDim.x - 1 - block) * 128 + t];
}

// --- A scan in one pass: each block looks back for the sum of those before it --------------------
// FIRST: the sum is published by a flag that releases nothing. SECOND: it is read by one that acquires nothing.
// THIRD: the block does not wait for the thread that looks back.

template <weakening weak>
__global__ void look_back(const int *in, int *sums, unsigned *states, int *out) {
    __shared__ int before;
    unsigned t = threadIdx.x, block = blockIdx.x;
    if (t == 0) {
        int sum = 0;
        if (block > 0) {
            while (device_word(states[block - 1])
                       .load(weak == SECOND ? cuda::memory_order_relaxed : cuda::memory_order_acquire) == 0)
                ;
            sum = sums[block - 1];
        }
        before = sum;
        sums[block] = sum + in[block];
        device_word(states[block])
            .store(1, weak == FIRST ? cuda::memory_order_relaxed : cuda::memory_order_release);
    }
    if (weak != THIRD)
        __syncthreads();
    out[block * 128 + t] = before;
}

// --- Data that is sent together with its flag, in one store of 64 bits (as in NCCL's LL) ----------
// FIRST: two words, which may arrive one by one. SECOND: the flag is sent first. THIRD: the reader looks only once.

template <weakening weak>
__global__ void data_and_flag(unsigned long long *slots, int *out) {
    unsigned t = threadIdx.x;
    volatile unsigned long long *slot = &slots[t];
    volatile unsigned *words = (volatile unsigned *)slot;
    if (blockIdx.x == 0) {
        if (weak == FIRST) {
            words[0] = 7;
            words[1] = 1;
        } else if (weak == SECOND) {
            words[1] = 1;
            words[0] = 7;
        } else {
            *slot = 1ull << 32 | 7;
        }
        return;
    }
    unsigned long long seen;
    do
        if (weak == FIRST || weak == SECOND) {
            unsigned flag = words[1];
            seen = (unsigned long long)flag << 32 | words[0];
        } else
            seen = *slot;
    while (seen >> 32 == 0 && weak != THIRD);
    out[t] = (int)seen;
}

#define EACH(kernel, ...)                                                                                              \
    template __global__ void kernel<RIGHT>(__VA_ARGS__);                                                               \
    template __global__ void kernel<FIRST>(__VA_ARGS__);                                                               \
    template __global__ void kernel<SECOND>(__VA_ARGS__);                                                              \
    template __global__ void kernel<THIRD>(__VA_ARGS__);

EACH(last_block, const int *, int *, int *)
EACH(split_k, const int *, int *, unsigned *)
EACH(grid_barrier, int *, unsigned *, int *)
EACH(look_back, const int *, int *, unsigned *, int *)
EACH(data_and_flag, unsigned long long *, int *)
