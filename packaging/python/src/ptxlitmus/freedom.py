"""assert_free: a compiled kernel's launch has no data race, no hang and no undefined use."""

from __future__ import annotations

import dataclasses
import linecache
import re
import warnings
from typing import Any, Optional

from .commands import _command, _result
from .compiled import Module, module_of
from .errors import Error, InputError, NotDecided, NotFree, NothingShared
from .launch import Launch
from .result import Result

REASON_SECONDS = 3.0  # for the reasons of a fault that is known

_FILE = re.compile(r'^\s*\.file\s+\d+\s+"([^"]+)"', re.M)
_SOURCE = re.compile(r"(?P<name>[^\s():/]+\.\w+):(?P<line>\d+)")


def assert_free(compiled: Any, launch: Optional[Launch] = None, *, timeout: Optional[float] = 60, memory: Optional[int] = 4096,
                **options: Any) -> Result:
    """Checks the launch of a compiled kernel (compiled.module_of says which), and returns the result when it is free.

    Raises NotFree with the findings, at lines of the source where the module has them, and NotDecided where it is not
    known; both are AssertionErrors. Warns of NothingShared where no two threads met, so that little was checked.
    """
    module = module_of(compiled)
    launch = launch or Launch()
    if launch.kernel is None:
        launch = dataclasses.replace(launch, kernel=module.kernel)
    if launch.dynamic is None and launch.needs_manifest():
        launch = dataclasses.replace(launch, dynamic=module.dynamic)
    result = _checked(module, launch, timeout, memory, options)
    for test in result.tests:
        if test.clean is False:
            raise NotFree(with_sources(str(test), module.text), result)
    for test in result.tests:
        if test.clean is not True:
            raise NotDecided(f"{test}\n{result.messages.strip()}", result)
    if not any(test.shared for test in result.tests):
        warnings.warn(NothingShared(str(result)), stacklevel=2)
    return result


def _checked(module: Module, launch: Launch, timeout: Optional[float], memory: Optional[int], options: dict[str, Any]) -> Result:
    """Returns what `check` says. What one run of the threads has found is enough: searching for its reasons may take all the time
    that there is, and gets REASON_SECONDS."""
    def answer(seconds: Optional[float], **more: Any) -> Result:
        return _result("check", _command("check", module.text, launch, seconds, memory, {**options, **more}, module.passes))

    if "method" in options:
        return answer(timeout)
    try:
        run = answer(timeout, method="run")
    except InputError:  # it cannot be run: the search says why
        return answer(timeout)
    if all(test.clean is True for test in run.tests):
        return run
    if not any(test.clean is False for test in run.tests):
        return answer(timeout)
    try:
        full = answer(min(timeout or REASON_SECONDS, REASON_SECONDS))
    except Error:
        return run
    return full if any(test.clean is False for test in full.tests) else run


def with_sources(text: str, module: str) -> str:
    """Returns a text with the lines of the source that it names below the lines that name them, where they can be read."""
    files = {path.rsplit("/", 1)[-1]: path for path in _FILE.findall(module)}
    lines = []
    for line in text.splitlines():
        lines.append(line)
        for found in _SOURCE.finditer(line) if "why" not in line else ():
            code = linecache.getline(files.get(found["name"], ""), int(found["line"])).strip()
            if code:
                lines.append(f"      {found[0]}: {code}")
    return "\n".join(lines)
