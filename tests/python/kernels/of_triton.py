"""Kernels in Triton for tests/python/packages.py: a block hands a value to another one, with and without a release."""

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from ptxlitmus import Launch, Ptr

PACKAGE = "triton"


@triton.jit
def pass_on(item, ready, seen, ORDER: tl.constexpr):
    if tl.program_id(0) == 0:
        tl.store(item, 7)
        tl.debug_barrier()
        tl.atomic_xchg(ready, 1, sem=ORDER, scope="gpu")
    else:
        while tl.atomic_cas(ready, 1, 1, sem="acquire", scope="gpu") != 1:
            pass
        tl.store(seen, tl.load(item))


def compiled(order):
    types = {"item": "*i32", "ready": "*i32", "seen": "*i32", "ORDER": "constexpr"}
    return triton.compile(ASTSource(fn=pass_on, signature=types, constexprs={"ORDER": order}),
                          target=GPUTarget("cuda", 90, 32), options={"num_warps": 2})


LAUNCH = Launch(grid=2, block=64, args=[Ptr("item", 4), Ptr("ready", 4), Ptr("seen", 4)])


def right():
    return compiled("release"), LAUNCH


def wrong():
    return compiled("relaxed"), LAUNCH


# What the message about the wrong one says: lines of this file.
SHOWN = ("tl.store(item, 7)", "tl.store(seen, tl.load(item))")
