"""Kernels in numba-cuda for tests/python/packages.py: a block reverses an array in shared memory, with and without a barrier."""

import numba
from numba import cuda, int32

from ptxlitmus import Array, Launch

PACKAGE = "numba-cuda"


def reverse(values):
    tile = cuda.shared.array(32, dtype=int32)
    i = cuda.threadIdx.x
    tile[i] = values[i]
    cuda.syncthreads()
    values[i] = tile[31 - i]


def reverse_early(values):
    tile = cuda.shared.array(32, dtype=int32)
    i = cuda.threadIdx.x
    tile[i] = values[i]
    values[i] = tile[31 - i]


LAUNCH = Launch(grid=1, block=32, args=[Array("values", 32, "s32")])


def compiled(kernel):
    return cuda.compile_ptx(kernel, (numba.types.Array(int32, 1, "C"),), cc=(9, 0), lineinfo=True)


def right():
    return compiled(reverse), LAUNCH


def wrong():
    return compiled(reverse_early), LAUNCH


SHOWN = ("tile[i] = values[i]", "values[i] = tile[31 - i]")
