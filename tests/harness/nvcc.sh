#!/bin/bash
# That nvcc takes what `ptxlitmus harness` writes, with warnings as errors, and that what it makes of it has the
# instructions of the tests: a choice of tests for four architectures, or all of the library for all of them.
#
# usage: nvcc.sh PROGRAM [all]    Status 77 without nvcc.
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: nvcc.sh PROGRAM [all]}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
command -v nvcc > /dev/null || { echo "skipped: no nvcc"; exit 77; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failures=0

# $1: the architecture; then tests.
compiles() {
  local arch=$1
  shift
  "$program" harness "$@" -o "$work/$arch" --arch "$arch" --quiet 2> "$work/err" ||
    { cat "$work/err"; failures=$((failures + 1)); return; }
  "$work/$arch/run.sh" --build-only > "$work/out" 2>&1 ||
    { echo "FAIL: $arch"; head -20 "$work/out"; failures=$((failures + 1)); return; }
  echo "$(cat "$work/$arch"/tests/* | grep -c '^PTX ') tests, $(wc -l < "$work/$arch/refused.txt") left out: $(tail -1 "$work/out")"
  rm -rf "${work:?}/$arch"
}

if [ "${2:-}" = all ]; then
  for arch in sm_75 sm_80 sm_86 sm_89 sm_90 sm_90a sm_100 sm_100a sm_103 sm_120 sm_120a; do
    compiles $arch litmus/library
  done
else
  old=(MP IRIW Spin-acquire Shared-instances Bar-count+all)
  compiles sm_75 "${old[@]}"
  compiles sm_90a "${old[@]}" MP+cluster Bulk-load+bar Cp-bar+waited Multicast-after-read St-async-after-load Mbarrier-inval
  compiles sm_120 "${old[@]}" MP+mapa Host-sys Host-waits
fi
[ $failures -eq 0 ]
