# For scripts that have emitters compile kernels, none of which needs a GPU: they set `python`, `here`, `work` and `folder`, and source
# this. What is not there is left out, and said.
# shellcheck shell=bash disable=SC2154

# emit NAME COMMAND...: runs an emitter, if there is one.
emit() {
    local name=$1
    shift
    "$@" >"$work/out" 2>"$work/err" || printf '%s is left out: %s\n' "$name" "$(tail -n 1 "$work/err")"
}

# The emitters that come as Python packages, each for the targets that it names, in a folder for what they keep.
emit_packages() {
    local target
    export TRITON_CACHE_DIR=$work/triton WARP_CACHE_PATH=$work/warp
    emit triton "$python" "$here/triton_modules.py" "$folder"
    emit numba-cuda "$python" "$here/numba_modules.py" "$folder"
    emit warp "$python" "$here/warp_modules.py" "$folder"
    emit tilelang "$python" "$here/tilelang_modules.py" "$folder"
    emit mojo "$(dirname "$(command -v "$python")")/mojo" run "$here/mojo_modules.mojo" "$folder"
    for target in sm_80 sm_90a sm_100a sm_120a; do
        emit cutlass-dsl "$python" "$here/cute_modules.py" "$folder" $target
    done
}

# emit_compilers TARGET...: nvcc and clang; what is compiled to be debugged, too, with `debugged` set.
emit_compilers() {
    local target source name level
    for target in "$@"; do
        for source in "$here"/*.cu "$here"/../kernels/*.cu; do
            name=$(basename "$source" .cu)
            emit nvcc nvcc -std=c++17 -arch="$target" -ptx -o "$folder/nvcc-$name-$target.ptx" "$source"
            [ -z "${debugged-}" ] ||
                emit nvcc nvcc -std=c++17 -G -arch="$target" -ptx -o "$folder/nvcc-$name-$target-G.ptx" "$source"
        done
        for level in ${debugged:+-O0} -O3; do
            emit clang "$python" -m ziglang cc -target nvptx64-cuda -mcpu="$target" $level -S \
                -o "$folder/clang-patterns-$target$level.ptx" "$here/../kernels/patterns.c"
        done
    done
}
