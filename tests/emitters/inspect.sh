#!/usr/bin/env bash
# `ptxlitmus inspect` on the modules of emitters that come as Python packages, none of which needs a GPU: triton, numba-cuda,
# warp-lang, tilelang, mojo (the program next to the interpreter), nvidia-cutlass-dsl; and of nvcc with CUB, libcu++ and cooperative groups, and of clang (ziglang). Each module is read, and as
# many memory and synchronisation instructions are counted as a search of the text finds. What is not there is left out, and said.
#
# usage: inspect.sh PROGRAM [PYTHON] [FOLDER]
#
#   PYTHON   the interpreter that has the packages (python3)
#   FOLDER   where the modules go; a folder that is deleted, without it
set -u
program=$(realpath "${1:?usage: inspect.sh PROGRAM [PYTHON] [FOLDER]}") || exit 2
python=${2-python3}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=${3-$work/modules}
mkdir -p "$folder" || exit 2
# shellcheck source=tests/emitters/count.sh
. "$here/count.sh"

# shellcheck source=tests/emitters/emit.sh
. "$here/emit.sh"
emit_packages
# shellcheck disable=SC2034
debugged=yes
emit_compilers sm_80 sm_90 sm_100 sm_120

for module in "$folder"/*.ptx; do
    check_counts "$module"
done
printf '%d modules of ' "$read"
for module in "$folder"/*.ptx; do basename "$module"; done | cut -d- -f1 | sort | uniq -c |
    sed -E 's/ *([0-9]+) (.*)/\2 (\1)/' | paste -sd, | sed 's/,/, /g'
[ "$read" -gt 0 ] || fail 'no module was read'
exit $failed
