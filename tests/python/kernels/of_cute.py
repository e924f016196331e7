"""Kernels in CuTe DSL for tests/python/packages.py: neighbours read what each thread has written, with and without a barrier."""

import os
import tempfile

os.environ.update(CUTE_DSL_ARCH="sm_90a", CUTE_DSL_KEEP_PTX="1", CUTE_DSL_LINEINFO="1", CUTE_DSL_DUMP_DIR=tempfile.mkdtemp())

import cutlass  # noqa: E402
import cutlass.cute as cute  # noqa: E402
from cutlass.cute.runtime import make_fake_compact_tensor  # noqa: E402

from ptxlitmus import Launch, Ptr  # noqa: E402

PACKAGE = "nvidia-cutlass-dsl"


@cute.kernel
def shift_kernel(a: cute.Tensor, b: cute.Tensor):
    i, _, _ = cute.arch.thread_idx()
    a[i] = 5
    cute.arch.sync_threads()
    b[i] = a[(i + 1) % 64]


@cute.jit
def shift(a: cute.Tensor, b: cute.Tensor):
    shift_kernel(a, b).launch(grid=[1, 1, 1], block=[64, 1, 1])


@cute.kernel
def shift_early_kernel(a: cute.Tensor, b: cute.Tensor):
    i, _, _ = cute.arch.thread_idx()
    a[i] = 5
    b[i] = a[(i + 1) % 64]


@cute.jit
def shift_early(a: cute.Tensor, b: cute.Tensor):
    shift_early_kernel(a, b).launch(grid=[1, 1, 1], block=[64, 1, 1])


LAUNCH = Launch(grid=1, block=64, args=[Ptr("a", 256), Ptr("b", 256)])


def compiled(function):
    tensor = make_fake_compact_tensor(cutlass.Int32, (64,))
    return cute.compile(function, tensor, tensor), LAUNCH


def right():
    return compiled(shift)


def wrong():
    return compiled(shift_early)


SHOWN = ("a[i] = 5", "b[i] = a[(i + 1) % 64]")
