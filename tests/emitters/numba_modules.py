"""Modules as numba-cuda writes them, without a GPU: numba_modules.py FOLDER."""

import sys
from pathlib import Path

from numba import cuda, float32, int32

ints, floats = int32[:], float32[:]


def message(data, flag, out):
    if cuda.blockIdx.x == 0:
        data[0] = 1
        cuda.threadfence()
        cuda.atomic.exch(flag, 0, 1)
    else:
        while cuda.atomic.add(flag, 0, 0) == 0:
            pass
        cuda.threadfence()
        out[0] = data[0]


def last_block(x, partial, count, out):
    last = cuda.shared.array(1, int32)
    t, block = cuda.threadIdx.x, cuda.blockIdx.x
    if t == 0:
        partial[block] = x[block]
        cuda.threadfence()
        last[0] = cuda.atomic.add(count, 0, 1)
        cuda.threadfence()
    cuda.syncthreads()
    if last[0] == cuda.gridDim.x - 1 and t == 0:
        total = 0
        for i in range(cuda.gridDim.x):
            total += partial[i]
        out[0] = total


def lock(mutex, counter):
    while cuda.atomic.cas(mutex, 0, 0, 1) != 0:
        pass
    cuda.threadfence()
    counter[0] += 1
    cuda.threadfence()
    cuda.atomic.exch(mutex, 0, 0)


def reduce_warp(x, out):
    v = x[cuda.grid(1)]
    for step in (16, 8, 4, 2, 1):
        v += cuda.shfl_down_sync(0xFFFFFFFF, v, step)
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, v)
    if cuda.any_sync(0xFFFFFFFF, v > 0):
        out[1] = cuda.ballot_sync(0xFFFFFFFF, v > 1)


def grid_sync(x, out):
    i = cuda.grid(1)
    x[i] = i
    cuda.cg.this_grid().sync()
    out[i] = x[x.size - 1 - i]


def stencil(x, out):
    tile = cuda.shared.array(130, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    tile[t + 1] = x[i]
    if t == 0 and i > 0:
        tile[0] = x[i - 1]
    cuda.syncthreads()
    out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3


KERNELS = [
    (message, (ints, ints, ints)),
    (last_block, (ints, ints, ints, ints)),
    (lock, (ints, ints)),
    (reduce_warp, (ints, ints)),
    (grid_sync, (ints, ints)),
    (stencil, (floats, floats)),
]


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    targets = [int(target) for target in sys.argv[2:]] or [80, 89, 90, 100, 120]
    for kernel, types in KERNELS:
        for target in targets:
            try:
                text = cuda.compile_ptx(kernel, types, cc=divmod(target, 10))[0]
            except Exception as error:
                print(f"{kernel.__name__} sm_{target}: {str(error).splitlines()[0]}", file=sys.stderr)
                continue
            (folder / f"numba-{kernel.__name__}-sm_{target}.ptx").write_text(text)


main()
