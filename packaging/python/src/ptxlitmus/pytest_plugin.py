"""pytest collects litmus tests, and modules that have their launches: each file is a test of what it expects."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Iterable, Optional, Union

import pytest

from .commands import suite
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
        yield LitmusItem.from_parent(self, name=self.path.stem)


class DidNotPass(Exception):
    """What is wrong with a file's tests, as lines."""


class LitmusItem(pytest.Item):
    """What the tests of a file expect."""

    def runtest(self) -> None:
        options: dict[str, Any] = {}
        for line in self.config.getini("ptxlitmus_options"):
            name, _, value = line.partition("=")
            options[name.strip().lstrip("-").replace("-", "_")] = value.strip() or True
        result = suite(self.path, timeout=float(self.config.getini("ptxlitmus_timeout")),
                       memory=int(self.config.getini("ptxlitmus_memory")), **options)
        bad = [line for test in result.tests for line in _complaints(test.data)]
        if bad or result.status != 0:
            raise DidNotPass("\n".join(bad) or result.messages)

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
