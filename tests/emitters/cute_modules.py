"""Modules as CuTe's Python language (CUTLASS) writes them, without a GPU: cute_modules.py FOLDER TARGET.
The target of a process cannot be changed."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

target = sys.argv[2] if len(sys.argv) > 2 else "sm_90a"
work = TemporaryDirectory()
os.environ.update(CUTE_DSL_ARCH=target, CUTE_DSL_KEEP_PTX="1", CUTE_DSL_DUMP_DIR=work.name)

import cutlass
import cutlass.cute as cute
from cutlass.cute.runtime import make_fake_compact_tensor


@cute.kernel
def add_kernel(x: cute.Tensor, out: cute.Tensor):
    t, _, _ = cute.arch.thread_idx()
    b, _, _ = cute.arch.block_idx()
    out[b * 128 + t] = x[b * 128 + t] + out[b * 128 + t]


@cute.jit
def add(x: cute.Tensor, out: cute.Tensor):
    add_kernel(x, out).launch(grid=[2, 1, 1], block=[128, 1, 1])


@cute.kernel
def message_kernel(x: cute.Tensor, out: cute.Tensor):
    t, _, _ = cute.arch.thread_idx()
    x[t] = 1
    cute.arch.fence_acq_rel_gpu()
    cute.arch.sync_threads()
    out[t] = x[127 - t]
    cute.arch.fence_acq_rel_sys()


@cute.jit
def message(x: cute.Tensor, out: cute.Tensor):
    message_kernel(x, out).launch(grid=[1, 1, 1], block=[128, 1, 1])


@cute.kernel
def warp_kernel(x: cute.Tensor, out: cute.Tensor):
    t, _, _ = cute.arch.thread_idx()
    value = x[t]
    for step in cutlass.range_constexpr(5):
        value = value + cute.arch.shuffle_sync_bfly(value, offset=1 << step)
    out[t] = value
    cute.arch.sync_warp()
    cute.arch.fence_acq_rel_cta()


@cute.jit
def warp(x: cute.Tensor, out: cute.Tensor):
    warp_kernel(x, out).launch(grid=[1, 1, 1], block=[32, 1, 1])


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    x = make_fake_compact_tensor(cutlass.Int32, (256,))
    for host in (add, message, warp):
        try:
            text = cute.compile(host, x, x).__ptx__
        except Exception as error:
            print(f"{host.__name__} {target}: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        (folder / f"cute-{host.__name__}-{target}.ptx").write_text(text)


main()
