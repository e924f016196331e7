#!/usr/bin/env bash
# The program for browsers gives for the whole library what the native one gives with CaDiCaL, but for times.
# usage: library.sh PROGRAM FOLDER, with the FOLDER that ./dev web makes; skipped (77) where it is not there.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
program=$1 folder=$2
command -v node >/dev/null || { echo 'skipped: there is no node'; exit 77; }
[ -e "$folder/ptxlitmus.wasm" ] || { echo "skipped: './dev web' has not been run"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
without_times() { sed 's/,"stats":{[^}]*}//' "$1"; }

"$program" --engine cadical --format json litmus/library >"$work/native" 2>"$work/native.err"
node tests/web/library.mjs "$folder" litmus/library >"$work/web" 2>"$work/web.err"
count=$(wc -l <"$work/native")
[ "$count" -gt 1000 ] || { echo "the native program has only $count results"; exit 1; }
diff <(without_times "$work/native") <(without_times "$work/web") >"$work/difference" &&
    diff "$work/native.err" "$work/web.err" >>"$work/difference" || { head -c 2000 "$work/difference"; exit 1; }
node tests/web/library.mjs "$folder" litmus/library help run >"$work/help" 2>&1
grep -q -- '--engine .*(default cadical; this build has no Z3)$' "$work/help" ||
    { echo 'the help of the program for browsers names another engine:'; grep -e --engine "$work/help"; exit 1; }
echo "$count results are the same"
