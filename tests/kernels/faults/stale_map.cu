// A tensormap is turned to another tensor, and a copy by it may still see the old one: what is stored into a map reaches
// copies only by fences of its proxy.
// PTXLITMUS global from[64]
// PTXLITMUS global other[64]
// PTXLITMUS global out[64]
// PTXLITMUS global tensormap map = from, {16}, {16}
// PTXLITMUS kernel stale_map block 2
// PTXLITMUS arg 0 = &map
// PTXLITMUS arg 1 = &other
// PTXLITMUS arg 2 = &out
#include <cuda.h>
#include <cuda/ptx>
#include <cstdint>
namespace ptx = cuda::ptx;

__global__ void stale_map(CUtensorMap *map, const int *other, int *out) {
    __shared__ alignas(128) int tile[16];
    __shared__ alignas(8) uint64_t full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::tensormap_replace_global_address(ptx::space_global, map, other);
#ifdef FIXED
        ptx::fence_proxy_tensormap_generic(ptx::sem_release, ptx::scope_cta);
#endif
    }
    __syncthreads();
    if (threadIdx.x == 0) {
#ifdef FIXED
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_cta, map, ptx::n32_t<128>());
#endif
        const int32_t at[1] = {0};
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, map, at, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
    }
    out[threadIdx.x] = tile[threadIdx.x];
}
