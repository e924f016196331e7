#!/usr/bin/env python3
"""Prints what GitHub's runner does with the `run` steps of an action or of a workflow in a page, as a script for bash.

Each step has a shell of its own, as GitHub starts it, in the current folder, with the paths that earlier steps have added to
$GITHUB_PATH. Steps that use other actions are left out.

usage: steps.py action.yml NAME=VALUE...     the inputs
       steps.py PAGE.md NUMBER               the NUMBERth block of YAML with steps, from 1
"""
import re
import shlex
import sys

import yaml

HEAD = """set -eu
export GITHUB_PATH=$RUNNER_TEMP/path
: >"$GITHUB_PATH"
step() {
    local path=
    while read -r line; do path=$line:$path; done <"$GITHUB_PATH"
    PATH=$path$PATH bash --noprofile --norc -eo pipefail -c "$1"
}
"""


def action_steps(text: str, inputs: dict) -> list:
    action = yaml.safe_load(text)
    unknown = set(inputs) - set(action["inputs"])
    if unknown:
        sys.exit(f"the action has no input {unknown}")
    values = {name: inputs.get(name, what.get("default")) for name, what in action["inputs"].items()}
    steps = []
    for step in action["runs"]["steps"]:
        if "run" not in step:
            continue
        if step.get("shell") != "bash":
            sys.exit(f"a step of an action needs a shell: {step}")
        environment = {name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: values[found[1]], value)
                       for name, value in step.get("env", {}).items()}
        steps.append((environment, step["run"]))
    return steps


def page_steps(text: str, number: int) -> list:
    blocks = [block for block in re.findall(r"^```yaml\n(.*?)^```", text, re.S | re.M) if "steps:" in block]
    block = yaml.safe_load(blocks[number - 1])
    job = block if "steps" in block else next(iter(block["jobs"].values()))
    return [(step.get("env", {}), step["run"]) for step in job["steps"] if "run" in step]


def main() -> None:
    path, *rest = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    is_page = path.endswith(".md")
    steps = page_steps(text, int(rest[0])) if is_page else action_steps(text, dict(word.split("=", 1) for word in rest))
    if not steps:
        sys.exit(f"{path} has no step that runs anything")
    print(HEAD, end="")
    for environment, run in steps:
        if "${{" in run:
            sys.exit(f"a step has an expression in its script: {run}")
        words = [f"{name}={shlex.quote(value)}" for name, value in environment.items()]
        print(" ".join([*words, "step", shlex.quote(run)]))


main()
