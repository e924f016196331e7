// A message whose reader asserts what it must see, prints it, and says how long it has waited: as CUDA code does in
// debug builds. A failed assertion ends the thread by a function without a body.
#include <cassert>
#include <cstdio>
#include <cuda/atomic>

extern "C" __global__ void checked(int *data, int *flag, int *out, long long *waited) {
    if (blockIdx.x == 0) {
        *data = 1;
        cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_release);
    } else {
        long long start = clock64();
        cuda::atomic_ref<int, cuda::thread_scope_device> arrived(*flag);
        while (arrived.load(cuda::memory_order_acquire) == 0)
            ;
        *waited = clock64() - start;
        assert(*data == 1);
        printf("data %d\n", *data);
        *out = *data;
    }
}

// The same with a flag that releases nothing.
extern "C" __global__ void unordered(int *data, int *flag, int *out) {
    if (blockIdx.x == 0) {
        *data = 1;
        cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_relaxed);
    } else {
        cuda::atomic_ref<int, cuda::thread_scope_device> arrived(*flag);
        while (arrived.load(cuda::memory_order_acquire) == 0)
            ;
        assert(*data == 1);
        *out = *data;
    }
}
