"""Where the program is, and how it is run: in a process group of its own, which ends with its time."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Sequence

from .errors import ProgramError, TimeLimitError


@dataclass(frozen=True)
class Output:
    """What a run of the program has left: its exit status and its two streams."""

    status: int
    out: str
    err: str


def find_program() -> str:
    """Returns the program's path: what PTXLITMUS_PROGRAM names, the one in this package, or one in PATH. Raises ProgramError."""
    named = os.environ.get("PTXLITMUS_PROGRAM")
    own = Path(__file__).parent / "bin" / "ptxlitmus"
    # The package's own command has the program's name, and would call itself.
    found = named or (str(own) if own.exists() else shutil.which("ptxlitmus"))
    if found is None:
        raise ProgramError("there is no program 'ptxlitmus': install the wheel, or name the program by PTXLITMUS_PROGRAM")
    return found


def environment() -> dict[str, str]:
    """Returns the environment of the program: Z3 is that of the package z3-solver, unless PTXLITMUS_Z3 names another one."""
    variables = dict(os.environ)
    package = importlib.util.find_spec("z3")
    if "PTXLITMUS_Z3" not in variables and package is not None and package.origin is not None:
        library = Path(package.origin).parent / "lib" / "libz3.so"
        if library.exists():
            variables["PTXLITMUS_Z3"] = str(library)
    return variables


def _end_group(process: subprocess.Popen[str]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    process.wait()


def run_program(arguments: Sequence[str], folder: Optional[str] = None, seconds: Optional[float] = None) -> Output:
    """Runs the program in a folder, without input.

    Raises TimeLimitError after so many seconds by the clock, and ProgramError where it cannot be run or was ended by a
    signal. No process of it is left behind, whatever ends this function.
    """
    command = [find_program(), *arguments]
    if folder is not None:
        command[0] = os.path.abspath(command[0])
    try:
        process = subprocess.Popen(command, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, encoding="utf-8", errors="replace", start_new_session=True)
    except OSError as error:
        raise ProgramError(f"{command[0]} cannot be run: {error.strerror}") from error
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise TimeLimitError(f"ptxlitmus had not ended after {seconds:g} s, and was killed") from None
    finally:
        _end_group(process)
    if process.returncode < 0:
        raise ProgramError(f"ptxlitmus was ended by signal {-process.returncode}: {err.strip()}")
    return Output(process.returncode, out, err)


def main() -> None:
    """The command `ptxlitmus` of the package: becomes the program. Does not return, but for an error."""
    try:
        program = find_program()
        os.execve(program, [program, *sys.argv[1:]], environment())
    except (ProgramError, OSError) as error:
        sys.exit(f"ptxlitmus: error: {error}")
