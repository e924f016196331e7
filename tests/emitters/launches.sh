#!/usr/bin/env bash
# Derived launches of the kernels that emitters make (launches.pl), compared with launches.txt, which has what was said of each.
# Only what there is an emitter for is compiled; with none of them the status is 77.
#
# usage: launches.sh PROGRAM [PYTHON] [--all]
#
#   PYTHON   the interpreter that has the packages ($PTXLITMUS_EMITTERS, or python3)
#   --all    the patterns and shapes of tests/kernels, too, which have tests of their own and take minutes
set -u
program=$(realpath "${1:?usage: launches.sh PROGRAM [PYTHON] [--all]}") || exit 2
python=${2-${PTXLITMUS_EMITTERS-python3}}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/modules
mkdir -p "$folder" || exit 2
# shellcheck source=tests/emitters/emit.sh
. "$here/emit.sh"
emit_packages
emit_compilers sm_90

# One target.
find "$folder" -name '*.ptx' ! -name '*sm_90.ptx' ! -name '*sm_90a.ptx' ! -name '*sm_90-O3.ptx' -delete
[ "${3-}" = --all ] || rm -f "$folder"/*-patterns-* "$folder"/nvcc-shapes-*
if [ -z "$(ls "$folder")" ]; then
    echo 'skipped: there is no emitter'
    exit 77
fi
SECONDS_EACH=${SECONDS_EACH-20} "$here/launches.pl" "$program" "$folder" "$work/list" "$here/launches.txt"
status=$?
[ -z "${LIST-}" ] || cp "$work/list" "$LIST"
exit $status
