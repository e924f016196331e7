// A bulk copy reads shared memory through the async proxy, which has not heard of what the threads have stored.
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__global__ void bulk_store(int *out) {
    __shared__ alignas(16) int tile[64];
    tile[threadIdx.x] = (int)threadIdx.x;
#ifdef FIXED
    ptx::fence_proxy_async(ptx::space_shared);
#endif
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * 64, tile, sizeof tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}
