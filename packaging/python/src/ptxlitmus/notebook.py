"""`%load_ext ptxlitmus`, and cells that begin with `%%ptxlitmus COMMAND OPTIONS`."""

from __future__ import annotations

import shlex
from typing import Any

from . import commands
from .result import Result

_COMMANDS = {"run": commands.run, "check": commands.check, "explain": commands.explain, "repair": commands.repair}


def cell(line: str, text: str) -> Result:
    """Runs a command on a cell. The line names it (without one: run), then options as `--model ptx-9.3` or `--races`.

    Raises ValueError for a line that is neither, and what the commands raise.
    """
    words = shlex.split(line)
    name = words.pop(0) if words and not words[0].startswith("-") else "run"
    if name not in _COMMANDS:
        raise ValueError(f"%%ptxlitmus takes {', '.join(_COMMANDS)}, not '{name}'")
    options: dict[str, Any] = {}
    while words:
        option = words.pop(0)
        if not option.startswith("--"):
            raise ValueError(f"%%ptxlitmus: expected an option, such as --races, not '{option}'")
        key, equals, value = option[2:].partition("=")
        takes_next = not equals and words and not words[0].startswith("-")
        options[key.replace("-", "_")] = value if equals else words.pop(0) if takes_next else True
    return _COMMANDS[name](text + "\n", **options)


def load_ipython_extension(ipython: Any) -> None:
    """Makes the magic known to IPython, which calls this."""
    ipython.register_magic_function(cell, "cell", "ptxlitmus")
