"""Modules as NVIDIA Warp writes them (by NVRTC), without a GPU: warp_modules.py FOLDER."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import warp as wp

wp.config.quiet = True


@wp.kernel(module="unique")
def total(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    wp.atomic_add(out, 0, x[wp.tid()])


@wp.kernel(module="unique")
def claim(slots: wp.array(dtype=int), out: wp.array(dtype=int)):
    i = wp.tid()
    if wp.atomic_cas(slots, i % 8, 0, 1) == 0:
        out[i] = wp.atomic_exch(slots, i % 8, 0)


@wp.kernel(module="unique")
def gravity(p: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), dt: float):
    i = wp.tid()
    v[i] = v[i] - wp.normalize(p[i]) * dt
    p[i] = p[i] + v[i] * dt


@wp.kernel(module="unique")
def tiles(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i = wp.tid()
    tile = wp.tile_load(x, shape=(8, 8), offset=(i * 8, 0), storage="shared")
    wp.tile_atomic_add(out, tile, offset=(0, 0))


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    targets = [int(target) for target in sys.argv[2:]] or [80, 89, 90, 100, 120]
    for kernel in (total, claim, gravity, tiles):
        for target in targets:
            with TemporaryDirectory() as work:
                try:
                    wp.compile_aot_module(kernel.module, arch=target, module_dir=work, use_ptx=True)
                    text = next(Path(work).glob("*.ptx")).read_text()
                except Exception as error:
                    print(f"{kernel.key} sm_{target}: {str(error).splitlines()[0]}", file=sys.stderr)
                    continue
            (folder / f"warp-{kernel.key.split('_')[0]}-sm_{target}.ptx").write_text(text)


main()
