#!/usr/bin/env python3
"""What each test costs, in seconds of the processor, which say the same on a machine that others use, too.

usage: tests/costs.py BUILD [PATTERN [NOT]]

Runs the tests of a build one at a time, those that take longest first, and prints for each the seconds of the processor (its
own and those of the processes that it waited for), those by the clock, its status and its name. Tests that ctest lists as
disabled are left out. PATTERN and NOT are regular expressions of names.
"""
import json
import os
import re
import subprocess
import sys
import time


def tests(build, pattern, but):
    """The tests to run: (cost, name, command, properties)."""
    listed = json.loads(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True).stdout)
    for test in listed["tests"]:
        properties = {each["name"]: each["value"] for each in test.get("properties", [])}
        name = test["name"]
        if not properties.get("DISABLED") and re.search(pattern, name) and not (but and re.search(but, name)):
            yield float(properties.get("COST", 0)), name, test["command"], properties


def run(command, properties):
    """Runs one test: its seconds of the processor, by the clock, and its status."""
    environment = dict(os.environ, **dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", [])))
    begun = time.monotonic()
    child = subprocess.Popen(command, cwd=properties.get("WORKING_DIRECTORY"), env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begun, child.returncode


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    build, pattern, but = (sys.argv[1:] + ["", ""])[:3]
    os.environ.setdefault("ASAN_OPTIONS", "intercept_tls_get_addr=0:malloc_context_size=8:quarantine_size_mb=16")
    total = 0
    for _, name, command, properties in sorted(tests(build, pattern, but), key=lambda test: (-test[0], test[1])):
        processor, clock, status = run(command, properties)
        total += processor
        print(f"{processor:8.1f} {clock:8.1f} {status:4} {name}", flush=True)
    print(f"{total:8.1f} in all")


if __name__ == "__main__":
    main()
