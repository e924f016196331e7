#!/usr/bin/env bash
# What docs/ci.md shows for CTest, lit, GitHub Actions and prove is run as it is printed there, with tests that
# pass and with one that fails. What a machine lacks (cmake, lit, an llc that takes 'ptr') is skipped, and
# named.
#
# usage: ci.sh PROGRAM
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: ci.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
page=$PWD/docs/ci.md library=$PWD/litmus/library skipped=
mkdir -p "$work/bin" "$work/project/ordering"
ln -s "$program" "$work/bin/ptxlitmus"
export PATH=$work/bin:$PATH
cd "$work/project" || exit 2

# block FILE: the code block that follows the line which begins with the file's name.
block() {
    mkdir -p "$(dirname "$1")"
    awk -v name="\`$1\`" 'index($0, name) == 1 { on = 1 } on == 2 && /^```$/ { exit } on == 2 { print } on == 1 && /^```/ { on = 2 }' "$page" >"$1"
    [ -s "$1" ] || fail "docs/ci.md has no block for $1"
}
good() { cp "$library/message-passing/MP.litmus" "$library/store-buffering/SB.litmus" ordering; }
bad() { sed 's/expect forbidden/expect allowed/' "$library/message-passing/MP.litmus" >ordering/MP.litmus; }

# --- CTest -----------------------------------------------------------------------------------------------
block CMakeLists.txt
if command -v cmake >/dev/null && command -v ctest >/dev/null; then
    good
    cmake -S . -B build >cmake.out 2>&1 || fail "cmake: $(tail -3 cmake.out)"
    ctest --test-dir build >ctest.out 2>&1 || fail "ctest: $(tail -8 ctest.out)"
    bad
    ctest --test-dir build --output-on-failure >ctest.out 2>&1 && fail 'ctest does not see what fails'
    grep -q 'expected allowed, but the condition is forbidden' ctest.out || fail "ctest: $(tail -8 ctest.out)"
else
    skipped+=' ctest'
fi

# --- GitHub Actions: the workflow uses the action, with inputs that it has (packaging/ci.sh runs its steps) ----------
block .github/workflows/ordering.yml
if python3 -c 'import yaml' 2>/dev/null; then
    python3 - "$(dirname "$page")/../action.yml" <<'END' || fail 'the workflow does not use the action as that wants'
import sys, yaml
workflow = yaml.safe_load(open(".github/workflows/ordering.yml"))
action = yaml.safe_load(open(sys.argv[1]))
given, = [step["with"] for step in workflow["jobs"]["suite"]["steps"] if step["uses"] == "./ptxlitmus"]
sys.exit(given["paths"] != "ordering" or not set(given) <= set(action["inputs"]))
END
else
    skipped+=' yaml'
fi
bad
ptxlitmus suite --format github ordering >github.out 2>&1 && fail 'a suite does not see what fails'
grep -q '^::error file=ordering/MP.litmus,line=11,col=8,' github.out || fail "the suite: $(cat github.out)"

# --- prove -------------------------------------------------------------------------------------------------
command=$(grep -oE "prove --exec '[^']*' [^\`]*" "$page") || fail 'docs/ci.md has no prove'
if command -v prove >/dev/null; then
    good
    bash -c "$command" >prove.out 2>&1 || fail "prove: $(cat prove.out)"
    bad
    bash -c "$command" >prove.out 2>&1 && fail 'prove does not see what fails'
else
    skipped+=' prove'
fi

# --- lit ---------------------------------------------------------------------------------------------------
block lit.cfg.py
block release.ll
llc=
for name in llc llc-{23..15}; do
    command -v "$name" >/dev/null || continue
    version=$("$name" --version | sed -nE 's/.*LLVM version ([0-9]+).*/\1/p')
    if [ "${version:-0}" -ge 19 ] && "$name" --version | grep -q nvptx64; then
        llc=$name
        break
    fi
done
if [ -n "$llc" ] && command -v lit >/dev/null; then
    ln -sf "$(command -v "$llc")" "$work/bin/llc"
    mkdir checks
    mv lit.cfg.py checks
    sed -e 's/^  %old = /  call void @llvm.nvvm.membar.gl()\n&/' -e 's/^  %value = /  call void @llvm.nvvm.membar.gl()\n&/' release.ll >checks/fenced.ll
    lit -v checks >lit.out 2>&1 || fail "lit, with fences: $(tail -20 lit.out)"
    grep -qE 'Passed: 1' lit.out || fail "lit, with fences: $(tail -5 lit.out)"
    cp release.ll checks
    lit -v checks >lit.out 2>&1
    status=$?
    if [ "$version" -ge 23 ]; then
        [ $status -eq 0 ] || fail "lit: $(tail -20 lit.out)"
    else
        [ $status -ne 0 ] && grep -q 'expected forbidden, but the condition is allowed' lit.out || fail "lit does not see the order that LLVM $version loses: $(tail -20 lit.out)"
    fi
else
    skipped+=' lit'
fi

echo "$failed failures${skipped:+; not on this machine, and skipped:$skipped}"
[ "$failed" -eq 0 ]
