// The flag is for the threads of a block, and is polled by one of another block.
#include <cuda/atomic>

#ifdef FIXED
using flag_t = cuda::atomic_ref<int, cuda::thread_scope_device>;
#else
using flag_t = cuda::atomic_ref<int, cuda::thread_scope_block>;
#endif

__global__ void scope(int *data, int *ready, int *out) {
    flag_t flag(*ready);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        data[0] = 42;
        flag.store(1, cuda::memory_order_release);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (flag.load(cuda::memory_order_acquire) == 0) {
        }
        out[0] = data[0];
    }
}
