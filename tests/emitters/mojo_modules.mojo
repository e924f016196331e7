# Modules as Mojo writes them, without a GPU: mojo run mojo_modules.mojo FOLDER.
from max.gpu import thread_idx, block_idx, block_dim, barrier
from max.gpu.host import get_gpu_target
from max.gpu.host.compile import _compile_code
from max.gpu.memory import AddressSpace
from max.gpu.primitives import warp
from std.atomic import Atomic, Ordering, fence
from std.memory import stack_allocation
from std.pathlib import Path
from std.sys import argv

comptime Ints = Pointer[Int32, MutAnyOrigin]
comptime Floats = Pointer[Float32, MutAnyOrigin]


def message(data: Ints, flag: Ints, result: Ints):
    if block_idx.x == 0:
        data[] = 1
        Atomic[Int32, scope="device"].store[ordering=Ordering.RELEASE](flag, 1)
    else:
        while Atomic[Int32, scope="device"].load[ordering=Ordering.ACQUIRE](flag) != 1:
            pass
        result[] = data[]


def last_block(data: Ints, count: Ints, result: Ints):
    data[unsafe_offset=block_idx.x] = 1
    fence[ordering=Ordering.SEQUENTIAL]()
    if Atomic.fetch_add(count, 1) == 1:
        result[] = data[] + data[unsafe_offset=1]


def reverse(x: Ints, result: Ints):
    var tile = stack_allocation[128, Int32, address_space=AddressSpace.SHARED]()
    var t = thread_idx.x
    tile[unsafe_offset=t] = x[unsafe_offset=t]
    barrier()
    result[unsafe_offset=t] = tile[unsafe_offset=127 - t]


def warp_sum(x: Ints, result: Ints):
    var sum = warp.sum(x[unsafe_offset=thread_idx.x])
    if thread_idx.x == 0:
        result[] = sum


def axpy(a: Float32, x: Floats, y: Floats):
    var i = block_idx.x * block_dim.x + thread_idx.x
    y[unsafe_offset=i] = a * x[unsafe_offset=i] + y[unsafe_offset=i]


def write(folder: Path, name: String, target: String, text: String) raises:
    (folder / ("mojo-" + name + "-" + target + ".ptx")).write_text(text)


def write_all[target: StaticString](folder: Path) raises:
    comptime gpu = get_gpu_target[target]()
    write(folder, "message", String(target), String(_compile_code[message, target=gpu]().asm))
    write(folder, "last_block", String(target), String(_compile_code[last_block, target=gpu]().asm))
    write(folder, "reverse", String(target), String(_compile_code[reverse, target=gpu]().asm))
    write(folder, "warp_sum", String(target), String(_compile_code[warp_sum, target=gpu]().asm))
    write(folder, "axpy", String(target), String(_compile_code[axpy, target=gpu]().asm))


def main() raises:
    var folder = Path(argv()[1])
    write_all["sm_80"](folder)
    write_all["sm_89"](folder)
    write_all["sm_90"](folder)
    write_all["sm_100"](folder)
    write_all["sm_120"](folder)
