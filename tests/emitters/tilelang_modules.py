"""Modules as tilelang writes them, by way of CUDA C++ and nvcc, without a GPU: tilelang_modules.py FOLDER."""

import subprocess
import sys
from pathlib import Path

import tilelang
import tilelang.language as T
from tilelang import tvm


def add():
    @T.prim_func
    def main(x: T.Tensor((1024,), "float32"), y: T.Tensor((1024,), "float32")):
        with T.Kernel(8, threads=128) as block:
            for i in T.Parallel(128):
                y[block * 128 + i] = x[block * 128 + i] + y[block * 128 + i]

    return main


def matmul(size=256, tile=64, depth=32):
    @T.prim_func
    def main(
        a: T.Tensor((size, size), "float16"),
        b: T.Tensor((size, size), "float16"),
        c: T.Tensor((size, size), "float32"),
    ):
        with T.Kernel(size // tile, size // tile, threads=128) as (column, row):
            left = T.alloc_shared((tile, depth), "float16")
            right = T.alloc_shared((depth, tile), "float16")
            sums = T.alloc_fragment((tile, tile), "float32")
            T.clear(sums)
            for k in T.Pipelined(size // depth, num_stages=2):
                T.copy(a[row * tile, k * depth], left)
                T.copy(b[k * depth, column * tile], right)
                T.gemm(left, right, sums)
            T.copy(sums, c[row * tile, column * tile])

    return main


def row_sum(rows=64, columns=256):
    @T.prim_func
    def main(x: T.Tensor((rows, columns), "float32"), out: T.Tensor((rows,), "float32")):
        with T.Kernel(rows, threads=128) as block:
            row = T.alloc_fragment((1, columns), "float32")
            total = T.alloc_fragment((1,), "float32")
            T.copy(x[block, 0], row)
            T.reduce_sum(row, total, dim=1)
            T.copy(total, out[block])

    return main


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    home = Path(tilelang.__file__).parent
    includes = [f"-I{home / 'src'}", f"-I{home / '3rdparty/cutlass/include'}"]
    for kernel in (add, matmul, row_sum):
        for name in sys.argv[2:] or ["sm_80", "sm_90a", "sm_100a", "sm_120a"]:
            target = {"kind": "cuda", "arch": name}
            out = folder / f"tilelang-{kernel.__name__}-{name}.ptx"
            try:
                with tvm.target.Target(target):
                    source = tilelang.lower(kernel(), target=target).kernel_source
                nvcc = ["nvcc", "-std=c++17", "-ptx", f"-arch={name}", "-x", "cu", *includes, "-o", out, "-"]
                subprocess.run(nvcc, input=source, text=True, check=True, capture_output=True)
            except Exception as error:
                print(f"{kernel.__name__} {name}: {str(error).splitlines()[0]}", file=sys.stderr)


main()
