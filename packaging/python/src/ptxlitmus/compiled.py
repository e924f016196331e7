"""The PTX of compiled kernels: of Triton's, numba-cuda's, Warp's and CuTe DSL's, as their own functions give it."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Optional

from .launch import Passing


@dataclass(frozen=True)
class Module:
    """The text of a module, and what the compiler says of its launch.

    kernel: its name; passes: how the compiler's runtime passes arguments (launch.Passing); dynamic: the bytes of dynamic
    shared memory.
    """

    text: str
    kernel: Optional[str] = None
    passes: Passing = Passing.PLAIN
    dynamic: Optional[int] = None


def module_of(compiled: Any) -> Module:
    """Returns the module of a compiled kernel, of a text, or of a path.

    Takes what `triton.compile` and a Triton kernel's call return, numba-cuda's `compile_ptx` and compiled dispatchers,
    Warp's kernels, and what `cute.compile` returns. Raises TypeError for anything else, and OSError for a path that cannot be read.
    """
    if isinstance(compiled, (str, os.PathLike)):
        text = os.fspath(compiled)
        return Module(text if "\n" in text else Path(text).read_text(encoding="utf-8"))
    if isinstance(compiled, tuple) and compiled and isinstance(compiled[0], str):  # numba's compile_ptx
        return Module(compiled[0])
    assembly = getattr(compiled, "asm", None)
    if isinstance(assembly, Mapping) and "ptx" in assembly:
        return _triton(compiled)
    if hasattr(compiled, "__ptx__"):
        return _cute(compiled)
    if hasattr(compiled, "inspect_asm"):
        return _numba(compiled)
    if type(compiled).__module__.split(".")[0] == "warp" and hasattr(compiled, "module"):
        return _warp(compiled)
    raise TypeError(f"there is no PTX in an object of {type(compiled).__module__}.{type(compiled).__qualname__}: give a kernel "
                    "compiled by Triton, numba-cuda, Warp or CuTe DSL, the text of a module, or its path")


_ASSEMBLY = re.compile(r"// begin inline asm\n.*?// end inline asm", re.S)


def without_counted_lines(text: str) -> str:
    """Returns a module without the `.loc` lines inside of inline assembly, where LLVM counts the lines of the assembly on from
    the line that has it. Other lines keep their numbers."""
    return _ASSEMBLY.sub(lambda found: re.sub(r"^[ \t]*\.loc[ \t][^\n]*", "", found[0], flags=re.M), text)


def _triton(compiled: Any) -> Module:
    """Its own parameters are pointers to scratch memory, which are null unless the kernel asks for some."""
    about = compiled.metadata
    scratch = any(getattr(about, name, 0) for name in ("global_scratch_size", "profile_scratch_size"))
    return Module(without_counted_lines(compiled.asm["ptx"]), about.name,
                  Passing.PLAIN if scratch else Passing.TRITON, about.shared or None)


def _cute(compiled: Any) -> Module:
    if not compiled.__ptx__:
        raise TypeError("CuTe DSL did not keep this kernel's PTX: set CUTE_DSL_KEEP_PTX=1 before cutlass is imported")
    return Module(str(compiled.__ptx__))


def _numba(dispatcher: Any) -> Module:
    found = dispatcher.inspect_asm()
    texts = list(found.values()) if isinstance(found, Mapping) else [found]
    if len(texts) != 1:
        raise TypeError(f"{dispatcher.__name__} is compiled for {len(texts)} signatures: give the text of one, inspect_asm(SIGNATURE)")
    return Module(str(texts[0]))


_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]+)"', re.M)
_INLINED = re.compile(r"^([ \t]*\.loc[ \t]+)(\d+)[ \t]+\d+[ \t]+\d+[^\n]*?(?:inlined_at[ \t]+(\d+)[ \t]+(\d+)[ \t]+(\d+))?[ \t]*$", re.M)


def with_callers_lines(text: str) -> str:
    """Returns a module in which what comes from functions in files that are not Python's has the line that called them, and none
    where no Python did."""
    python = {number for number, path in _FILE.findall(text) if path.endswith(".py")}

    def caller(found: re.Match[str]) -> str:
        if found[2] in python:
            return found[0]
        return f"{found[1]}{found[3]} {found[4]} {found[5]}" if found[3] in python else ""

    return _INLINED.sub(caller, text)


def _warp(kernel: Any) -> Module:
    """Has Warp compile the kernel's module for sm_90, with lines of Python, which needs no GPU."""
    import warp  # type: ignore[import-not-found, import-untyped, unused-ignore]

    directives, options = warp.config.line_directives, dict(kernel.module.options)
    warp.config.line_directives = kernel.module.options["lineinfo"] = True
    try:
        with tempfile.TemporaryDirectory(prefix="ptxlitmus-") as folder:
            warp.compile_aot_module(kernel.module, arch=90, module_dir=folder, use_ptx=True)
            texts = [path.read_text(encoding="utf-8") for path in Path(folder).glob("*.ptx")]
    finally:
        warp.config.line_directives = directives
        kernel.module.options.clear()
        kernel.module.options.update(options)
    if len(texts) != 1:
        raise TypeError(f"Warp made {len(texts)} modules of {kernel.key}")
    return Module(with_callers_lines(texts[0]), f"{kernel.get_mangled_name()}_cuda_kernel_forward", Passing.WARP)
