"""pytest collects litmus tests, and modules that have their launches: each test of a file is an item, of what it expects."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Iterable, Optional, Union

import pytest

from .commands import names, suite
from .errors import Error


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("ptxlitmus_timeout", "seconds of the processor for each litmus test (60)", default="60")
    parser.addini("ptxlitmus_memory", "megabytes for each litmus test (4096)", default="4096")
    parser.addini("ptxlitmus_options", "options of 'ptxlitmus suite', one per line, as 'model = ptx-9.3'", type="linelist", default=[])


def _has_launches(path: Path) -> bool:
    if path.with_name(path.name + ".litmus").exists() or path.with_name("all.ptx.litmus").exists():
        return True
    return "// PTXLITMUS" in path.read_text(encoding="utf-8", errors="replace")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Optional[pytest.Collector]:
    is_test = file_path.suffix == ".litmus" and not file_path.name.endswith((".ptx.litmus", ".cu.litmus"))
    if is_test or file_path.suffix == ".ptx" and _has_launches(file_path):
        return LitmusFile.from_parent(parent, path=file_path)
    return None


class LitmusFile(pytest.File):
    """A file with tests."""

    def collect(self) -> Iterable[pytest.Item]:
        found = names(self.path)
        if not found:  # the item says what is wrong with the file
            yield LitmusItem.from_parent(self, name=self.path.stem)
        for name in found:
            yield LitmusItem.from_parent(self, name=name, test=name)


class DidNotPass(Exception):
    """What is wrong with a file's tests, as lines."""


class LitmusItem(pytest.Item):
    """What a test expects: the one of that name, of a file that could be read, or all of it."""

    def __init__(self, *, test: Optional[str] = None, **rest: Any) -> None:
        super().__init__(**rest)
        self.test = test

    def runtest(self) -> None:
        options: dict[str, Any] = {"filter": "#" + re.sub(r"([*?[\\])", r"\\\1", self.test)} if self.test else {}
        for line in self.config.getini("ptxlitmus_options"):
            name, _, value = line.partition("=")
            options[name.strip().lstrip("-").replace("-", "_")] = value.strip() or True
        result = suite(self.path, timeout=float(self.config.getini("ptxlitmus_timeout")),
                       memory=int(self.config.getini("ptxlitmus_memory")), **options)
        mine = [test.data for test in result.tests if self.test in (None, test.data.get("test"))]
        bad = [line for data in mine for line in _complaints(data)]
        if bad or not mine or self.test is None and result.status != 0:
            raise DidNotPass("\n".join(bad) or result.messages or f"{self.path} has no test {self.test} any more")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, (DidNotPass, Error)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Union[Path, str], Optional[int], str]:
        return self.path, None, f"ptxlitmus: {self.name}"


def _complaints(data: Any) -> list[str]:
    """Lines that say what is wrong with a test; none where it passed."""
    if "error" in data:
        place = ":".join(str(data[key]) for key in ("file", "line", "column") if data.get(key) is not None)
        return [f"{place}: error: {data['error']}"]
    if data.get("result") == "passed":
        return []
    lines = [f"{data.get('test', data.get('file'))}: {data.get('result')}"]
    for failure in data.get("failures", ()):
        place = ":".join(str(failure[key]) for key in ("file", "line", "column") if failure.get(key) is not None)
        lines.append(f"{place}: {failure['why']}")
    lines += [str(data["reason"])] if data.get("reason") else []
    execution = data.get("execution") or []
    return lines + (execution if isinstance(execution, list) else str(execution).splitlines())
