"""The commands of the program as functions: run, check, explain, repair, compare, inspect, suite."""

from __future__ import annotations

import json
import os
import re
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional, Union

from .errors import InputError, Problem, ProgramError
from .launch import Launch, Passing
from .program import Output, run_program
from .result import Result, Test

Input = Union[str, "os.PathLike[str]"]

# By the clock, for a limit of one second of the processor: another process may have the rest.
CLOCK = 4


@dataclass(frozen=True)
class _Place:
    """Where the program finds an input: a name in a folder (None: the current one)."""

    name: str
    folder: Optional[str]


def _kind(text: str) -> str:
    """The suffix of the file that a text would be in."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S).lstrip()
    if code.startswith("."):
        return ".ptx"
    return ".cu" if "__global__" in code else ".litmus"


@contextmanager
def _placed(source: Input) -> Iterator[_Place]:
    """Puts a text into a file for a while; a path, or the name of an included test, is where it is."""
    if not isinstance(source, str) or "\n" not in source:
        yield _Place(os.fspath(source), None)
        return
    with tempfile.TemporaryDirectory(prefix="ptxlitmus-") as folder:
        name = "text" + _kind(source)
        Path(folder, name).write_text(source, encoding="utf-8")
        yield _Place(name, folder)


def _arguments(options: Mapping[str, Any]) -> list[str]:
    """Options by the names of the command line, with '_' for '-': True for one without a value, None and False for none."""
    arguments = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        arguments.append("--" + name.replace("_", "-"))
        if value is not True:
            arguments.append(",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value))
    return arguments


def _objects(output: Output) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in output.out.splitlines() if line.strip()]
    except ValueError as error:
        raise ProgramError(f"the program did not print JSON: {error}: {output.err.strip()}") from error


def _result(command: str, output: Output) -> Result:
    """Raises InputError for bad input, and ProgramError for a fault of the program's own."""
    found = _objects(output)
    problems = [Problem(str(o.get("file", "")), o.get("line"), o.get("column"), str(o["error"]), o.get("hint")) for o in found if "error" in o]
    if output.status == 2 and command != "suite" or problems and command != "suite" and output.status != 4:
        raise InputError(problems, output.err)
    if output.status == 4 or command != "suite" and output.status > 4:
        raise ProgramError(output.err.strip() or f"the program ended with status {output.status}")
    tests = tuple(Test(o) for o in found)
    if not tests:
        raise InputError([], output.err or "the program found no test")
    return Result(command, tests, output.status, output.err)


def _clock(timeout: Optional[float]) -> Optional[float]:
    return None if not timeout else timeout * CLOCK + 10


def _inspected(source: str, folder: Optional[str], kernel: Optional[str]) -> tuple[str, list[bool]]:
    """The name of a kernel of a module, and which of its parameters are structs. Raises InputError."""
    limits = ["--kernel", kernel] if kernel else []
    output = run_program(["inspect", "--format", "json", *limits, source], folder, _clock(60))
    kernels = [f for test in _result("inspect", output).tests for f in test.data["functions"] if f["kernel"]]
    if len(kernels) != 1:
        raise InputError([], f"{source}: a launch names one of its kernels: {', '.join(f['demangled'] for f in kernels)}")
    return str(kernels[0]["name"]), [parameter["type"] == ".b8" for parameter in kernels[0]["parameters"]]


@contextmanager
def _launched(place: _Place, launch: Launch, passes: Passing) -> Iterator[_Place]:
    """Puts a copy of a module into a folder, beside the manifest that launches it. Raises InputError and ValueError."""
    source = Path(place.folder or "", place.name)
    if source.suffix == ".cu":
        raise ValueError(f"{source}: the arguments of a .cu file are given by name or number, as args={{'n': 3}}")
    kernel, structs = _inspected(place.name, place.folder, launch.kernel)
    with tempfile.TemporaryDirectory(prefix="ptxlitmus-") as folder:
        copy = Path(folder, source.stem + ".ptx")
        copy.write_bytes(source.read_bytes())
        Path(folder, copy.name + ".litmus").write_text(launch.manifest(kernel, structs, passes), encoding="utf-8")
        yield _Place(copy.name, folder)


def _command(command: str, source: Input, launch: Optional[Launch], timeout: Optional[float], memory: Optional[int],
             options: Mapping[str, Any], passes: Passing = Passing.PLAIN, form: str = "json") -> Output:
    given = [command, *_arguments({"timeout": timeout, "memory": memory, "format": form, **options})]
    with _placed(source) as place:
        if launch is None or not launch.needs_manifest():
            named = launch.options() if launch is not None else []
            return run_program([*given, *named, "--", place.name], place.folder, _clock(timeout))
        with _launched(place, launch, passes) as copy:
            return run_program([*given, "--", copy.name], copy.folder, _clock(timeout))


def run(source: Input, launch: Optional[Launch] = None, *, timeout: Optional[float] = 60, memory: Optional[int] = 4096, **options: Any) -> Result:
    """Finds all outcomes of a test: a text, a path, or the name of an included test.

    timeout: in seconds of the processor, for each test; memory: in megabytes; both None for no limit. options: those of the
    command line (docs/command-line.md), as `model="ptx-9.3"` or `progress="fair"`. What is not decided is a result, too.
    Raises InputError, TimeLimitError and ProgramError, as all of these functions do.
    """
    return _result("run", _command("run", source, launch, timeout, memory, options))


def check(source: Input, launch: Optional[Launch] = None, *, timeout: Optional[float] = 60, memory: Optional[int] = 4096, **options: Any) -> Result:
    """Finds data races, hangs and undefined uses of a test or of a kernel's launch, as `run` takes them."""
    return _result("check", _command("check", source, launch, timeout, memory, options))


def explain(source: Input, launch: Optional[Launch] = None, *, timeout: Optional[float] = 60, memory: Optional[int] = 4096, **options: Any) -> Result:
    """Says why the outcome of a test is allowed or forbidden; a notebook shows a picture."""
    def draw() -> str:
        return _command("explain", source, launch, timeout, memory, options, form="svg").out

    found = _result("explain", _command("explain", source, launch, timeout, memory, options))
    return Result(found.command, found.tests, found.status, found.messages, draw)


def repair(source: Input, launch: Optional[Launch] = None, *, timeout: Optional[float] = 60, memory: Optional[int] = 4096, **options: Any) -> Result:
    """Finds the least changes that forbid the outcome of a test, or mend a kernel."""
    return _result("repair", _command("repair", source, launch, timeout, memory, options))


def compare(a: Input, b: Input, *, timeout: Optional[float] = 60, memory: Optional[int] = 4096, **options: Any) -> Result:
    """Compares the outcomes of two tests, each as `run` takes it."""
    given = _arguments({"timeout": timeout, "memory": memory, "format": "json", **options})
    with _placed(a) as first, _placed(b) as second:
        names = [os.path.join(place.folder or "", place.name) for place in (first, second)]
        return _result("compare", run_program(["compare", *given, "--", *names], None, _clock(timeout)))


def inspect(source: Input, **options: Any) -> Result:
    """Shows what is in a module of PTX."""
    with _placed(source) as place:
        output = run_program(["inspect", *_arguments({"format": "json", **options}), "--", place.name], place.folder, _clock(60))
        return _result("inspect", output)


def suite(*paths: Input, timeout: Optional[float] = 60, memory: Optional[int] = 4096, **options: Any) -> Result:
    """Runs tests that say what they expect (docs/ci.md). What did not pass, bad input too, is in the result."""
    given = _arguments({"timeout": timeout, "memory": memory, "format": "json", **options})
    return _result("suite", run_program(["suite", *given, "--", *(os.fspath(path) for path in paths)], None, None))


def names(path: Input) -> list[str]:
    """Returns the names of the tests in a file; none where it cannot be read, which `suite` says more about."""
    output = run_program(["suite", "--list", "--", os.fspath(path)], None, _clock(60))
    begin = len(os.fspath(path)) + 1
    return [line[begin:] for line in output.out.splitlines()] if output.status == 0 else []
