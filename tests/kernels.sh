#!/usr/bin/env bash
# Kernels as compilers write them, against what is expected of each launch: the patterns of kernels/patterns.cu and
# kernels/patterns.c as kernels/patterns.txt says, and the whole kernels of kernels/whole as they are and as
# kernels/weakened.txt weakens them. They are compiled anew where nvcc is there, or a clang that knows scopes
# (PTXLITMUS_CLANG, else clang); else the stored modules are taken, which is said.
#
# usage: kernels.sh PROGRAM [--all]
#
# Without --all, what takes a few seconds. With it, all optimisation levels and targets; docs/kernels.md has that table.
set -u
program=$(realpath "${1:?usage: kernels.sh PROGRAM [--all]}") || exit 2
all=${2-}
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
cd tests/kernels || exit 2

# --- Patterns ---------------------------------------------------------------------------------------

# launch KERNEL TEST THREADS GRID BLOCK VERDICT OUTCOME
launch() {
    printf 'kernel "%s" grid %s block %s\narg 0 = &x\narg 1 = &y\narg 2 = &out\n' "$1" "$3" "$4"
    printf 'test %s\nexists (%s)\nexpect %s\n' "$2" "$6" "$5"
}

# sidecar LANGUAGE [NAMES]: the launches of all kernels, or of those whose names match.
sidecar() {
    printf 'global .align 16 x[16]\nglobal y[2]\nglobal out[8] = {7, 7, 7, 7, 7, 7, 7, 7}\n'
    grep -v '^#' patterns.txt | grep -E "^(${2-.*}) " | while read -r name threads verdict apart outcome; do
        if [ "$1" = c ]; then
            ! grep -q "^KERNEL($name)" patterns.c || launch "$name" gpu "$threads" 1 "$verdict" "$outcome"
            continue
        fi
        launch "$name<0>" system "$threads" 1 "$verdict" "$outcome"
        launch "$name<1>" gpu "$threads" 1 "$verdict" "$outcome"
        launch "$name<2>" block 1 "$threads" "$verdict" "$outcome"
        launch "$name<2>" apart "$threads" 1 "$apart" "$outcome"
    done
}

# judge WHAT MODULE LANGUAGE [NAMES]: runs the launches, and prints a row of the table. Undecided is not wrong, but at the
# highest level of optimisation at most two in a hundred may be.
judge() {
    local right wrong open count
    sidecar "$3" "${4-.*}" >"$2.litmus"
    count=$(grep -c '^kernel' "$2.litmus")
    "$program" --verdict --timeout "${PTXLITMUS_KERNELS_TIMEOUT:-3600}" --format json "$2" >"$work/out" 2>"$work/err"
    right=$(grep -o '"ok":true' "$work/out" | wc -l)
    wrong=$(grep -o '"ok":false' "$work/out" | wc -l)
    open=$(grep -o '"ok":null' "$work/out" | wc -l)
    printf '| %s | %d | %d | %d | %d |\n' "$1" "$right" "$wrong" "$open" $((count - right - wrong - open))
    [ "$count" -gt 0 ] || fail "$1: nothing is launched"
    [ "$wrong" -eq 0 ] || fail "$1: $(grep -m3 failed "$work/err")"
    [ $((right + wrong + open)) -eq "$count" ] || fail "$1: refused: $(grep -m3 error "$work/err")"
    case $1 in
    *-O3*) [ $((open * 50)) -le "$count" ] || fail "$1: $open of $count are undecided" ;;
    *'-O0, sm_'*) [ "$open" -le 3 ] || fail "$1: $open of $count are undecided" ;; # libcu++'s wait
    esac
}

# from_cuda TARGET OPTIONS [NAMES]
from_cuda() {
    # shellcheck disable=SC2086 # several options
    if nvcc -std=c++17 $2 -arch="$1" -ptx -o "$work/patterns.ptx" patterns.cu 2>"$work/err"; then
        judge "nvcc $2, $1" "$work/patterns.ptx" cuda "${3-.*}"
    else
        fail "nvcc $2, $1: $(head -n 1 "$work/err")"
    fi
}

clang=${PTXLITMUS_CLANG:-clang --target=nvptx64-nvidia-cuda}

# from_c TARGET LEVEL: 1 where there is no clang that knows scopes.
from_c() {
    $clang -mcpu="$1" "$2" -S -o "$work/patterns.ptx" patterns.c >"$work/err" 2>&1 || return 1
    judge "clang $2, $1" "$work/patterns.ptx" c
}

echo '| compiled by | right | wrong | undecided | refused |'
echo '| --- | --- | --- | --- | --- |'
if ! command -v nvcc >/dev/null; then
    cp patterns.ptx "$work/patterns.ptx"
    judge 'nvcc -O3, sm_75, as stored' "$work/patterns.ptx" cuda
    echo 'nvcc is not there: kernels of CUDA C++ are the stored ones' >&2
elif [ "$all" = --all ]; then
    for target in sm_75 sm_80 sm_90 sm_100 sm_120; do
        for options in -O3 '-Xcicc -O0' -G; do
            from_cuda $target "$options"
        done
    done
else
    from_cuda sm_80 -O3
    from_cuda sm_120 '-Xcicc -O0' 'message|store_buffer|spin_lock|exchange_lock|work_queue'
fi
if ! from_c sm_80 -O3; then
    cp patterns-c.ptx "$work/patterns.ptx"
    judge 'clang -O3, sm_75, as stored' "$work/patterns.ptx" c
    echo 'no clang that knows scopes is there: kernels of C are the stored ones' >&2
else
    from_c sm_120 -O0
    [ "$all" != --all ] || for target in sm_75 sm_90 sm_100; do
        from_c $target -O3
        from_c $target -O0
    done
fi

# --- Whole kernels ----------------------------------------------------------------------------------

# module NAME: where the module is: as it is stored, or as nvcc makes it. 1 where it is not to be had.
module() {
    if [ -e "whole/$1.ptx" ]; then
        echo "whole/$1.ptx"
    elif [ -e "$work/made/$1.ptx" ] ||
        { mkdir -p "$work/made" && nvcc -std=c++17 -O3 -arch=sm_80 -ptx -o "$work/made/$1.ptx" "whole/$1.cu" 2>/dev/null; }; then
        echo "$work/made/$1.ptx"
    else
        return 1
    fi
}

# whole MODULE: as it is written.
whole() {
    cp "$(module "$1")" "whole/$1.ptx.litmus" "$work"
    within 600 "$program" --quiet --verdict "$work/$1.ptx" >"$work/out" 2>&1 ||
        fail "$1: $(grep -v note "$work/out" | head -n 3)"
}

# weakened MODULE EXPECTED SED: with a change to the module, after which something else is expected.
weakened() {
    sed -E "$3" "$(module "$1")" >"$work/$1.ptx"
    ! cmp -s "$(module "$1")" "$work/$1.ptx" || fail "$1: '$3' changes nothing"
    sed -E "s/^expect .*/expect $2/" "whole/$1.ptx.litmus" >"$work/$1.ptx.litmus"
    within 600 "$program" --quiet --verdict "$work/$1.ptx" >"$work/out" 2>&1 ||
        fail "$1 with '$3': $(grep -v note "$work/out" | head -n 3)"
}

runs=0
while read -r module cost expected change; do
    case $module in '' | '#'*) continue ;; esac
    [ "$cost" = quick ] || [ "$all" = --all ] || continue
    if ! module "$module" >/dev/null; then
        echo "skipped: $module: its module is not stored, and nvcc with CUB is not there" >&2
    elif [ "$change" = - ]; then
        whole "$module"
    else
        weakened "$module" "${expected//,/, }" "$change"
    fi
    runs=$((runs + 1))
done <weakened.txt
[ "$runs" -gt 0 ] || fail 'no whole kernel was run'
printf '%d launches of whole kernels\n' "$runs"
[ "$failed" -eq 0 ]
