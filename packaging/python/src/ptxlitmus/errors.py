"""What is raised: all of it is an Error, and what is wrong with an input has its places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional, Sequence

if TYPE_CHECKING:
    from .result import Result


class Error(Exception):
    """Whatever this package raises by itself."""


class ProgramError(Error):
    """The program is not there, crashed, or has found an error of its own."""


class TimeLimitError(Error):
    """The program did not end in time, and was killed."""


@dataclass(frozen=True)
class Problem:
    """An error in an input, at a line and column from 1, or None where it is not about a place in a text."""

    file: str
    line: Optional[int]
    column: Optional[int]
    message: str
    hint: Optional[str] = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.message}" + (f"\nhint: {self.hint}" if self.hint else "")


class InputError(Error):
    """The input, an option or a launch is wrong. `problems` has the places; `text` is what the program said, with carets."""

    def __init__(self, problems: Sequence[Problem], text: str) -> None:
        super().__init__(text.strip() or "\n".join(map(str, problems)))
        self.problems = tuple(problems)
        self.text = text


class NotFree(Error, AssertionError):
    """A launch has a data race, a hang or an undefined use: `result` has the findings."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result


class NotDecided(Error, AssertionError):
    """It is not known whether a launch is free: `result` has the reason."""

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result


class NothingShared(UserWarning):
    """No thread of a launch accessed what another one writes, so that little was checked."""
