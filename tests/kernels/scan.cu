// A scan in one pass in which lanes of a warp look back together, after the shape of cub::DeviceScan: each lane polls the tile
// that is as far before its own as its number says, all go on when no tile is missing, and the sums up to the nearest tile that
// includes all before it are added; where there is none, the lanes go on to the tiles before. State and sum of a tile are one
// number of 64 bits. The module whole/scan.ptx is what nvcc -O3 -arch=sm_80 makes of it.
#include <cuda/atomic>

constexpr unsigned WINDOW = 4, MASK = (1u << WINDOW) - 1;
enum state : unsigned { MISSING, PARTIAL, INCLUSIVE };

using word = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;

__device__ unsigned before_tile(unsigned long long *tiles, int tile) {
    int at = tile - 1 - (int)threadIdx.x;
    unsigned sum = 0, found;
    do {
        unsigned long long seen;
        do
            seen = at < 0 ? (unsigned long long)INCLUSIVE << 32 : word(tiles[at]).load(cuda::memory_order_relaxed);
        while (__any_sync(MASK, seen >> 32 == MISSING));
        found = __ballot_sync(MASK, seen >> 32 == INCLUSIVE);
        bool counts = threadIdx.x < __ffs(found) || found == 0;
        sum += __reduce_add_sync(MASK, counts ? (unsigned)seen : 0);
        at -= WINDOW;
    } while (found == 0);
    return sum;
}

extern "C" __global__ void scan(const unsigned *in, unsigned long long *tiles, unsigned *out) {
    __shared__ unsigned before;
    unsigned t = threadIdx.x;
    int tile = blockIdx.x;
    if (t < WINDOW) {
        unsigned own = in[tile];
        if (tile > 0 && t == 0)
            word(tiles[tile]).store((unsigned long long)PARTIAL << 32 | own, cuda::memory_order_relaxed);
        unsigned sum = tile == 0 ? 0 : before_tile(tiles, tile);
        if (t == 0) {
            word(tiles[tile]).store((unsigned long long)INCLUSIVE << 32 | (sum + own), cuda::memory_order_relaxed);
            before = sum;
        }
    }
    __syncthreads();
    out[tile * 128 + t] = before + t;
}
