// A flag that is polled relaxed does not show what was stored before it was set.
#include <cuda/atomic>

__global__ void flag(int *data, int *ready, int *out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> set(*ready);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        data[0] = 42;
        set.store(1, cuda::memory_order_release);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
#ifdef FIXED
        while (set.load(cuda::memory_order_acquire) == 0) {
#else
        while (set.load(cuda::memory_order_relaxed) == 0) {
#endif
        }
        out[0] = data[0];
    }
}
