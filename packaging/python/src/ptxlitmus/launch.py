"""How a kernel is launched: as options of the program, or, with all arguments, as a manifest (docs/modules.md)."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from typing import Mapping, Optional, Sequence, Union

Extent = Union[int, Sequence[int]]

_BYTES = {"8": 1, "16": 2, "32": 4, "64": 8}
_NAME = re.compile(r"[A-Za-z_]\w*\Z")


class Passing(enum.Enum):
    """How a compiler's runtime passes the arguments that a user gives.

    PLAIN: as they are, and numba's arrays in parts; TRITON: with pointers of its own after them, which are null; WARP: after
    the size of the launch, and arrays as structs.
    """

    PLAIN = 0
    TRITON = 1
    WARP = 2


@dataclass(frozen=True)
class Ptr:
    """A pointer to an object of so many bytes in global memory, of zeros or of the values given; the type is PTX's."""

    name: str
    bytes: int
    values: Sequence[int] = ()
    type: str = "u32"

    def declaration(self) -> str:
        """Returns the object's line in a manifest. Raises ValueError for a name, size or type that PTX has not."""
        if not _NAME.match(self.name):
            raise ValueError(f"Ptr: '{self.name}' is not a name: letters, digits and '_', and no digit first")
        width = _BYTES.get(self.type[1:]) if self.type[:1] in "usbf" else None
        if width is None:
            raise ValueError(f"Ptr {self.name}: '{self.type}' is not a type such as u32, s64 or f32")
        if self.bytes <= 0 or self.bytes % width:
            raise ValueError(f"Ptr {self.name}: {self.bytes} bytes are not one or more elements of .{self.type}")
        values = f" = {{{', '.join(map(str, self.values))}}}" if self.values else ""
        return f"global .{self.type} {self.name}[{self.bytes // width}]{values}"


@dataclass(frozen=True)
class Array:
    """An array of numba's or Warp's: its object, and what is passed with it. Elements have PTX's type."""

    name: str
    shape: Extent
    type: str = "u32"

    def pointer(self) -> Ptr:
        """Returns the object that the array's elements are in."""
        count = 1
        for extent in _extents(self.shape):
            count *= extent
        return Ptr(self.name, count * _BYTES.get(self.type[1:], 4), type=self.type)

    def values(self) -> list[str]:
        """Returns what numba passes: no owner, the number and size of elements, the address, extents and strides."""
        shape, size, strides = _extents(self.shape), _BYTES.get(self.type[1:], 4), self.strides()
        count = strides[0] * shape[0] // size
        return ["0", "0", str(count), str(size), f"&{self.name}", *map(str, shape), *map(str, strides)]

    def strides(self) -> list[int]:
        """Returns the bytes from an element to the next, by dimension."""
        strides = [_BYTES.get(self.type[1:], 4)]
        for extent in reversed(_extents(self.shape)[1:]):
            strides.insert(0, strides[0] * extent)
        return strides

    def struct(self) -> str:
        """Returns what Warp passes (its array_t): the address, no gradient, four extents and strides, how many count, no flags."""
        shape, strides = _extents(self.shape), self.strides()
        if len(shape) > 4:
            raise ValueError(f"Array {self.name}: Warp's arrays have up to 4 dimensions, not {len(shape)}")
        unused = [0] * (4 - len(shape))
        fields = [f".s32 {extent}" for extent in [*shape, *unused, *strides, *unused]]
        return f"{{&{self.name}, .u64 0, {', '.join(fields)}, .u16 {len(shape)}, .u16 0}}"


Argument = Union[Ptr, Array, int, str]


@dataclass(frozen=True)
class Launch:
    """A launch. What is left out is derived by the program, which says what it took.

    args: all arguments in their order: objects, numbers, or VALUE of a manifest's `arg` as text, such as "&data + 8"; or
    some of them by name or number, as a mapping.
    """

    kernel: Optional[str] = None
    grid: Optional[Extent] = None
    block: Optional[Extent] = None
    cluster: Optional[Extent] = None
    threads: Optional[Sequence[int]] = None
    args: Union[Sequence[Argument], Mapping[Union[str, int], int], None] = None
    dynamic: Optional[int] = None

    def needs_manifest(self) -> bool:
        """Whether options of the program cannot say it: with all arguments, or a size of dynamic memory."""
        return self.dynamic is not None or not (self.args is None or isinstance(self.args, Mapping))

    def options(self) -> list[str]:
        """Returns the launch as options of the program."""
        given = {"kernel": self.kernel, "grid": _list(self.grid), "block": _list(self.block), "cluster": _list(self.cluster),
                 "threads": _list(self.threads)}
        options = [part for name, value in given.items() if value is not None for part in (f"--{name}", value)]
        if isinstance(self.args, Mapping):
            for name, number in self.args.items():
                options += ["--arg", f"{name}={int(number)}"]
        return options

    def _values(self, passes: Passing) -> tuple[list[str], list[str]]:
        """The objects of the arguments, each once, and what is passed."""
        objects: list[str] = []
        values = [self._size()] if passes is Passing.WARP else []
        for argument in self.args or ():
            if isinstance(argument, (Ptr, Array)):
                pointer = argument.pointer() if isinstance(argument, Array) else argument
                if pointer.declaration() not in objects:
                    objects.append(pointer.declaration())
            if isinstance(argument, Array):
                values += [argument.struct()] if passes is Passing.WARP else argument.values()
            else:
                values.append(f"&{argument.name}" if isinstance(argument, Ptr) else str(argument))
        return objects, values

    def _size(self) -> str:
        """What Warp passes first (its launch_bounds_t of one dimension): the threads, twice, and that each has a place of its own."""
        threads = 1
        for extent in (self.grid, self.block):
            if extent is None:
                raise ValueError("Launch: Warp passes how many threads there are, so that 'args' need 'grid' and 'block'")
            for count in _extents(extent):
                threads *= count
        return f"{{.u32 {threads}, .u64 {threads}, .u64 1}}"

    def manifest(self, kernel: str, structs: Sequence[bool], passes: Passing) -> str:
        """Returns the launch as a manifest of a kernel. `structs` says of each parameter whether it is a struct: an address
        that is given for one is its only field, as of CuTe's tensors whose layout is fixed.

        Raises ValueError where arguments are missing, or there are too many.
        """
        parameters = len(structs)
        if self.args is None or isinstance(self.args, Mapping):
            raise ValueError("Launch: a size of dynamic shared memory takes all arguments as a list")
        lines, values = self._values(passes)
        if len(values) > parameters or len(values) < parameters and passes is not Passing.TRITON:
            raise ValueError(f"Launch: {kernel} has {parameters} parameters, not {len(values)}")
        values += ["0"] * (parameters - len(values))
        values = [f"{{{value}}}" if struct and value[0] == "&" else value for value, struct in zip(values, structs)]
        words = [f'kernel "{self.kernel or kernel}"']
        for name, value in (("grid", self.grid), ("block", self.block), ("cluster", self.cluster), ("threads", self.threads)):
            if value is not None:
                words.append(f"{name} {_list(value)}")
        lines.append(" ".join(words))
        if self.dynamic is not None:
            lines.append(f"dynamic {self.dynamic}")
        return "\n".join(lines + [f"arg {i} = {value}" for i, value in enumerate(values)]) + "\n"


def _extents(extent: Extent) -> list[int]:
    return [extent] if isinstance(extent, int) else list(extent)


def _list(extent: Optional[Extent]) -> Optional[str]:
    return None if extent is None else ",".join(map(str, _extents(extent)))
