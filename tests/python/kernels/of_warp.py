"""Kernels in Warp for tests/python/packages.py: threads count into one element, by an atomic addition and without."""

import warp as wp

from ptxlitmus import Array, Launch

PACKAGE = "warp-lang"
wp.config.quiet = True


@wp.kernel(module="unique")
def count(values: wp.array(dtype=int), total: wp.array(dtype=int)):
    if values[wp.tid()] == 0:
        wp.atomic_add(total, 0, 1)


@wp.kernel(module="unique")
def count_plainly(values: wp.array(dtype=int), total: wp.array(dtype=int)):
    if values[wp.tid()] == 0:
        total[0] = total[0] + 1


LAUNCH = Launch(grid=2, block=32, args=[Array("values", 64, "s32"), Array("total", 1, "s32")])


def right():
    return count, LAUNCH


def wrong():
    return count_plainly, LAUNCH


SHOWN = ("total[0] = total[0] + 1", "total[0] written by")
