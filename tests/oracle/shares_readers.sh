#!/bin/bash
# The oracle may share only the readers with ptxlitmus (README.md): no file of tests/oracle,
# and no reader, includes anything of program/, model/, solver/, check/ or cli/. That none of them is
# linked is up to CMakeLists.txt. test_float.c is not part of it: it compares the oracle's sums with those
# of program/.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
readers=(litmus/*.[ch] litmus/source litmus/names litmus/readers litmus/ptx)
# $@: where to look.
includes() {
  grep -rnE --exclude=test_float.c '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"](program|model|solver|repair|explain|check|cli)/' "$@"
}
[ -n "$(includes program)" ] || { echo "the pattern finds no include at all"; exit 1; }
if includes tests/oracle "${readers[@]}"; then
  echo "the oracle shares more than the readers"
  exit 1
fi
