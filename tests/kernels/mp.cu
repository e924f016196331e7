// Message passing between two blocks, by libcu++, by fences, and by volatile accesses.
#include <cuda/atomic>

using flag_type = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__global__ void mp(unsigned *data, unsigned *flag, unsigned *out) {
    if (blockIdx.x == 0) {
        *data = 1;
        flag_type(*flag).store(1, cuda::memory_order_release);
    } else {
        out[0] = flag_type(*flag).load(cuda::memory_order_acquire);
        out[1] = *data;
    }
}

__global__ void mp_fence(volatile unsigned *data, volatile unsigned *flag, unsigned *out) {
    if (blockIdx.x == 0) {
        *data = 1;
        __threadfence();
        *flag = 1;
    } else {
        out[0] = *flag;
        __threadfence();
        out[1] = *data;
    }
}

__global__ void mp_none(volatile unsigned *data, volatile unsigned *flag, unsigned *out) {
    if (blockIdx.x == 0) {
        *data = 1;
        *flag = 1;
    } else {
        out[0] = *flag;
        out[1] = *data;
    }
}
