"""assert_free: a compiled kernel's launch has no data race, no hang and no undefined use."""

from __future__ import annotations

import dataclasses
import linecache
import re
import warnings
from typing import Any, Optional

from .commands import _command, _result
from .compiled import module_of
from .errors import NotDecided, NotFree, NothingShared
from .launch import Launch
from .result import Result

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
    result = _result("check", _command("check", module.text, launch, timeout, memory, options, module.passes))
    for test in result.tests:
        if test.clean is False:
            raise NotFree(with_sources(str(test), module.text), result)
    for test in result.tests:
        if test.clean is not True:
            raise NotDecided(f"{test}\n{result.messages.strip()}", result)
    if not any(test.shared for test in result.tests):
        warnings.warn(NothingShared(str(result)), stacklevel=2)
    return result


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
