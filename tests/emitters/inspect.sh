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

# emit NAME COMMAND...: runs an emitter, if there is one.
emit() {
    local name=$1
    shift
    "$@" >"$work/out" 2>"$work/err" || printf '%s is left out: %s\n' "$name" "$(tail -n 1 "$work/err")"
}

export TRITON_CACHE_DIR=$work/triton WARP_CACHE_PATH=$work/warp
emit triton "$python" "$here/triton_modules.py" "$folder"
emit numba-cuda "$python" "$here/numba_modules.py" "$folder"
emit warp "$python" "$here/warp_modules.py" "$folder"
emit tilelang "$python" "$here/tilelang_modules.py" "$folder"
emit mojo "$(dirname "$(command -v "$python")")/mojo" run "$here/mojo_modules.mojo" "$folder"
for target in sm_80 sm_90a sm_100a sm_120a; do
    emit cutlass-dsl "$python" "$here/cute_modules.py" "$folder" $target
done
for target in sm_80 sm_90 sm_100 sm_120; do
    for source in "$here"/*.cu "$here"/../kernels/*.cu; do
        name=$(basename "$source" .cu)
        emit nvcc nvcc -std=c++17 -arch=$target -ptx -o "$folder/nvcc-$name-$target.ptx" "$source"
        emit nvcc nvcc -std=c++17 -G -arch=$target -ptx -o "$folder/nvcc-$name-$target-G.ptx" "$source"
    done
    for level in -O0 -O3; do
        emit clang "$python" -m ziglang cc -target nvptx64-cuda -mcpu=$target $level -S \
            -o "$folder/clang-patterns-$target$level.ptx" "$here/../kernels/patterns.c"
    done
done

for module in "$folder"/*.ptx; do
    check_counts "$module"
done
printf '%d modules of ' "$read"
for module in "$folder"/*.ptx; do basename "$module"; done | cut -d- -f1 | sort | uniq -c |
    sed -E 's/ *([0-9]+) (.*)/\2 (\1)/' | paste -sd, | sed 's/,/, /g'
[ "$read" -gt 0 ] || fail 'no module was read'
exit $failed
