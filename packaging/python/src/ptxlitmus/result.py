"""What the program has found, from its JSON (docs/command-line.md), and how a notebook shows it."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, Optional


@dataclass(frozen=True)
class Place:
    """One of the two accesses of a finding: where it is, in words, and what it does."""

    place: str
    access: str


@dataclass(frozen=True)
class Finding:
    """Two places that race, with how many pairs of accesses there do, and why, where that is known."""

    flag: str
    places: tuple[Place, ...]
    pairs: int
    why: Optional[str]

    def __str__(self) -> str:
        lines = [f"{self.flag}: {place.place}: {place.access}" for place in self.places]
        return "\n".join(lines + ([f"  why: {self.why}"] if self.why else []))


@dataclass(frozen=True)
class Test:
    """What was found of one test, launch, module or pair. `data` is the whole object that the program printed."""

    data: Mapping[str, Any]

    @property
    def name(self) -> str:
        return str(self.data.get("test") or self.data.get("file"))

    @property
    def verdict(self) -> str:
        """"allowed", "forbidden", "always" or "unknown"."""
        return str(self.data.get("verdict", "unknown"))

    @property
    def ok(self) -> Optional[bool]:
        """Whether the expectations came true; None where that is not known."""
        return _truth(self.data.get("ok"))

    @property
    def clean(self) -> Optional[bool]:
        """Of a check: whether there is no data race, hang or undefined use; None where that is not known."""
        return _truth(self.data.get("clean"))

    @property
    def shared(self) -> bool:
        """Of a check that ran the launch: whether any two threads met at the same memory, and one of them wrote."""
        return bool(self.data.get("run", {}).get("shared", True))

    @property
    def states(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(self.data.get("states") or ())

    @property
    def flags(self) -> tuple[str, ...]:
        return tuple(self.data.get("flags", ()))

    @property
    def assumptions(self) -> tuple[str, ...]:
        return tuple(self.data.get("assumptions", ()))

    @property
    def launch(self) -> Optional[str]:
        """How a kernel was launched, in words, where that was derived."""
        return _text(self.data.get("launch"))

    @property
    def reason(self) -> Optional[str]:
        """Why something is not known."""
        return _text(self.data.get("reason"))

    @property
    def fix(self) -> tuple[str, ...]:
        """Of a check: the changes that mend it, where some were found."""
        return tuple((self.data.get("fix") or {}).get("changes", ()))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Of a check: the data races, one for each two places."""
        return tuple(
            Finding(found["flag"], tuple(Place(p["place"], p["access"]) for p in found["places"]), found["pairs"], found.get("why"))
            for found in self.data.get("findings", ()))

    def __str__(self) -> str:
        lines = [f"{self.name}: {_headline(self)}"]
        lines += [f"  {line}" for finding in self.findings for line in str(finding).splitlines()]
        told = {finding.flag for finding in self.findings}
        lines += [f"  {flag}" for flag in self.flags if flag not in told]
        lines += [f"  fix: {change}" for change in self.fix]
        if self.reason and self.clean is None and self.ok is None:
            lines.append(f"  reason: {self.reason}")
        return "\n".join(lines + ([f"  launch: {self.launch}"] if self.launch else []))


@dataclass(frozen=True)
class Result:
    """What a command has found. `tests` has an object for each test; `messages` is what the program said besides."""

    command: str
    tests: tuple[Test, ...]
    status: int
    messages: str
    draw: Optional[Callable[[], str]] = field(default=None, repr=False, compare=False)

    @property
    def test(self) -> Test:
        """The only test. Raises ValueError where there are several, or none."""
        if len(self.tests) != 1:
            raise ValueError(f"there are {len(self.tests)} tests: take one of 'tests'")
        return self.tests[0]

    @property
    def verdict(self) -> str:
        return self.test.verdict

    @property
    def clean(self) -> Optional[bool]:
        return self.test.clean

    def __str__(self) -> str:
        return "\n".join(map(str, self.tests))

    def _repr_html_(self) -> str:
        return "".join(_html(test) for test in self.tests)

    def _repr_svg_(self) -> Optional[str]:
        return self.draw() if self.draw is not None else None


def _truth(value: Any) -> Optional[bool]:
    return value if isinstance(value, bool) else None


def _text(value: Any) -> Optional[str]:
    return None if value is None else str(value)


_CLEAN = {True: "free of data races, hangs and undefined uses", False: "not free of data races, hangs and undefined uses",
          None: "not decided"}


def _headline(test: Test) -> str:
    if "clean" in test.data:
        return _CLEAN[test.clean] if test.shared or not test.clean else "nothing was shared"
    for key in ("relation", "state", "verdict"):
        if key in test.data:
            return str(test.data[key])
    return "inspected"


def _html(test: Test) -> str:
    text = html.escape(str(test))
    if not test.states or not test.states[0]:
        return f"<pre>{text}</pre>"
    names = list(test.states[0])
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    rows = "".join("<tr>" + "".join(f"<td>{'?' if state[name] is None else html.escape(str(state[name]))}</td>" for name in names) + "</tr>"
                   for state in test.states)
    return f"<pre>{text}</pre><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
