"""Modules as Triton writes them, without a GPU: triton_modules.py FOLDER."""

import sys
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def add(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(out + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def softmax(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    row = tl.load(x + tl.program_id(0) * n + i, mask=i < n, other=-float("inf"))
    e = tl.exp(row - tl.max(row, axis=0))
    tl.store(out + tl.program_id(0) * n + i, e / tl.sum(e, axis=0), mask=i < n)


@triton.jit
def matmul(a, b, c, n, k, B: tl.constexpr):
    m0 = tl.program_id(0) * B + tl.arange(0, B)
    n0 = tl.program_id(1) * B + tl.arange(0, B)
    k0 = tl.arange(0, B)
    acc = tl.zeros((B, B), dtype=tl.float32)
    for i in range(0, k, B):
        x = tl.load(a + m0[:, None] * k + (i + k0)[None, :])
        y = tl.load(b + (i + k0)[:, None] * n + n0[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + m0[:, None] * n + n0[None, :], acc.to(tl.float16))


@triton.jit
def split_k(parts, tile, lock, B: tl.constexpr):
    """Blocks add to a tile one after the other, by a semaphore."""
    i = tl.arange(0, B)
    block = tl.program_id(0)
    mine = tl.load(parts + block * B + i)
    while tl.atomic_cas(lock, block, block, sem="acquire", scope="gpu") != block:
        pass
    mine += tl.load(tile + i)
    tl.store(tile + i, mine)
    tl.debug_barrier()
    tl.atomic_xchg(lock, block + 1, sem="release", scope="gpu")


@triton.jit
def stream_k(parts, partial, flags, out, B: tl.constexpr):
    """A block stores its part and raises a flag; the one that finishes the tile waits for it."""
    i = tl.arange(0, B)
    block = tl.program_id(0)
    mine = tl.load(parts + block * B + i)
    if block > 0:
        tl.store(partial + block * B + i, mine)
        tl.debug_barrier()
        tl.atomic_xchg(flags + block, 1, sem="release", scope="gpu")
    else:
        for other in range(1, tl.num_programs(0)):
            while tl.atomic_cas(flags + other, 1, 1, sem="acquire", scope="gpu") != 1:
                pass
            mine += tl.load(partial + other * B + i)
        tl.store(out + i, mine)


@triton.jit
def grid_barrier(data, count, out, B: tl.constexpr):
    i = tl.arange(0, B)
    block = tl.program_id(0)
    blocks = tl.num_programs(0)
    tl.store(data + block * B + i, block + 1)
    tl.debug_barrier()
    tl.atomic_add(count, 1, sem="acq_rel", scope="gpu")
    while tl.atomic_add(count, 0, sem="acquire", scope="gpu") < blocks:
        pass
    tl.debug_barrier()
    tl.store(out + block * B + i, tl.load(data + (blocks - 1 - block) * B + i))


@triton.jit
def all_reduce(mine, inbox, flags, out, B: tl.constexpr):
    """Two ranks push their data to each other, and raise flags at system scope, in one kernel."""
    i = tl.arange(0, B)
    rank = tl.program_id(0)
    own = tl.load(mine + rank * B + i)
    tl.store(inbox + (1 - rank) * B + i, own)
    tl.debug_barrier()
    tl.atomic_xchg(flags + 1 - rank, 1, sem="release", scope="sys")
    while tl.atomic_cas(flags + rank, 1, 1, sem="acquire", scope="sys") != 1:
        pass
    tl.debug_barrier()
    tl.store(out + rank * B + i, own + tl.load(inbox + rank * B + i))


@triton.jit
def combine(a, b):
    return a + b


@triton.jit
def scan(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(out + i, tl.associative_scan(tl.load(x + i), 0, combine))


@triton.jit
def histogram(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(out + tl.arange(0, 64), tl.histogram(tl.load(x + i) % 64, 64))


@triton.jit
def sort(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(out + i, tl.sort(tl.load(x + i)))


@triton.jit
def atomics(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n)
    tl.atomic_max(out, tl.max(v, axis=0), sem="relaxed", scope="cta")
    tl.atomic_min(out + 1 + i, v, mask=i < n, sem="acq_rel")
    tl.atomic_or(out + 1 + n + i, v, mask=i < n, sem="relaxed", scope="sys")


@triton.jit
def layer_norm(x, w, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    row = tl.load(x + tl.program_id(0) * n + i, mask=i < n, other=0.0)
    mean = tl.sum(row, axis=0) / n
    centred = tl.where(i < n, row - mean, 0.0)
    scale = tl.rsqrt(tl.sum(centred * centred, axis=0) / n + 1e-5)
    tl.store(out + tl.program_id(0) * n + i, centred * scale * tl.load(w + i, mask=i < n), mask=i < n)


@triton.jit
def host_tile(a, c, B: tl.constexpr):
    """A tile by descriptors that the host makes."""
    m = tl.program_id(0) * B
    c.store([m, 0], a.load([m, 0]) + 1)


@triton.jit
def host_product(a, b, c, k, B: tl.constexpr):
    m = tl.program_id(0) * B
    n = tl.program_id(1) * B
    acc = tl.zeros((B, B), dtype=tl.float32)
    for i in range(0, k, B):
        acc = tl.dot(a.load([m, i]), b.load([i, n]), acc)
    c.store([m, n], acc.to(tl.float16))


@triton.jit
def device_tile(a, c, m, n, B: tl.constexpr):
    """A tile by descriptors that the kernel makes."""
    x = tl.make_tensor_descriptor(a, [m, n], [n, 1], [B, B])
    y = tl.make_tensor_descriptor(c, [m, n], [n, 1], [B, B])
    row = tl.program_id(0) * B
    y.store([row, 0], x.load([row, 0]) + 1)


# Each kernel with the types of its arguments, its block, and how many warps.
KERNELS = [
    (add, "*fp32 *fp32 *fp32 i32", 256, 4),
    (softmax, "*fp32 *fp32 i32", 1024, 8),
    (matmul, "*fp16 *fp16 *fp16 i32 i32", 64, 4),
    (split_k, "*i32 *i32 *i32", 128, 4),
    (stream_k, "*i32 *i32 *i32 *i32", 128, 4),
    (grid_barrier, "*i32 *i32 *i32", 128, 4),
    (all_reduce, "*i32 *i32 *i32 *i32", 128, 4),
    (scan, "*i32 *i32", 512, 4),
    (histogram, "*i32 *i32", 256, 4),
    (sort, "*i32 *i32", 256, 4),
    (atomics, "*i32 *i32 i32", 128, 4),
    (layer_norm, "*fp32 *fp32 *fp32 i32", 512, 4),
    (host_tile, "tensordesc<fp32[32,32]> tensordesc<fp32[32,32]>", 32, 4),
    (host_product, "tensordesc<fp16[64,64]> tensordesc<fp16[64,64]> tensordesc<fp16[64,64]> i32", 64, 4),
    (device_tile, "*fp32 *fp32 i32 i32", 32, 4),
]


def module(kernel, types, block, warps, target):
    names = kernel.arg_names
    signature = dict(zip(names, types.split()), B="constexpr")
    source = ASTSource(fn=kernel, signature=signature, constexprs={"B": block})
    return triton.compile(
        source, target=GPUTarget("cuda", target, 32), options={"num_warps": warps}
    ).asm["ptx"]


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    targets = [int(target) for target in sys.argv[2:]] or [80, 89, 90, 100, 120]
    for kernel, types, block, warps in KERNELS:
        for target in targets:
            try:
                text = module(kernel, types, block, warps, target)
            except Exception as error:
                print(f"{kernel.__name__} sm_{target}: {str(error).splitlines()[0]}", file=sys.stderr)
                continue
            (folder / f"triton-{kernel.__name__}-sm_{target}.ptx").write_text(text)


main()
