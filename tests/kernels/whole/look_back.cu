// The look-back of CUB's scan, cub::TilePrefixCallbackOp, as cub::DeviceScan uses it: a block of 128 threads for each tile, the
// first warp of which looks back, and all threads of which need what comes before their tile. A tile is one number here; as
// this is `short`, the state and the sum of a tile are one number of 32 bits. It is compiled where nvcc is, and not stored.
#include <cub/agent/single_pass_scan_operators.cuh>
#include <cuda/functional>

using number = short;
using tiles = cub::ScanTileState<number>;
using look_back_op = cub::TilePrefixCallbackOp<number, cuda::std::plus<>, tiles>;

extern "C" __global__ void look_back(const number *in, unsigned *states, unsigned *out) {
    __shared__ typename look_back_op::TempStorage storage;
    __shared__ number before;
    unsigned t = threadIdx.x, tile = blockIdx.x;
    tiles all;
    all.Init(4, states, 4096);
    number own = in[tile];
    if (tile == 0) {
        if (t == 0) {
            all.SetInclusive(0, own);
            before = 0;
        }
    } else if (t < 32) {
        look_back_op op(all, storage, cuda::std::plus<>{}, (int)tile);
        number sum = op(own);
        if (t == 0)
            before = sum;
    }
    __syncthreads();
    out[tile * 128 + t] = before + t;
}
