#!/usr/bin/env bash
# Modules as compilers write them: `inspect` reads each, and lists as many accesses, fences, barriers and asynchronous
# operations as a search of the text finds. Those of tests/kernels are stored as nvcc wrote them; where nvcc is there they
# are compiled anew, too, without optimisation. A module that is cut off anywhere is read or refused with a message, and
# a large one takes as long as its size. Those with a sidecar, NAME.ptx.litmus, are run as tests, as stored and as compiled.
#
# usage: modules.sh PROGRAM
set -u
program=$(realpath "${1:?usage: modules.sh PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 read=0
fail() {
    printf 'FAIL %s\n' "$*"
    failed=1
}

# The first words of a module's statements, one a line.
words() {
    sed -E -e 's://.*::' -e '/^[[:space:]]*\.(loc|file)[[:space:]]/d' "$1" | tr '\n' ' ' | tr ';{}' '\n\n\n' |
        sed -E -e 's/^[[:space:]]+//' -e 's/^[$A-Za-z_0-9]+:[[:space:]]*//' -e 's/^@!?[%$A-Za-z_0-9]+[[:space:]]+//'
}

# search MODULE PATTERN: how many statements begin so.
search() {
    words "$1" | grep -cE "^($2)([. ]|\$)"
}

# listed OUTPUT KIND...: how many statements of these kinds it lists.
listed() {
    local output=$1
    shift
    grep -cE "^    line [0-9]+ +($(IFS='|' && echo "$*")) " "$output"
}

# same MODULE WHAT FOUND LISTED
same() {
    [ "$3" -eq "$4" ] || fail "$1: $2: a search finds $3, inspect lists $4"
}

check() {
    local out=$work/out
    "$program" inspect "$1" >"$out" 2>"$work/err" || { fail "$1: status $?: $(head -n 3 "$work/err")"; return; }
    "$program" inspect --format json "$1" 2>/dev/null | grep -q '"functions":\[{' || fail "$1: no JSON"
    same "$1" 'memory and asynchronous operations' \
        "$(search "$1" 'ld|ldu|ldmatrix|st|stmatrix|atom|red|multimem|cp|wmma\.(load|store)[a-z.]*|wgmma|tcgen05|tex|suld|sust|sured|tld4')" \
        "$(listed "$out" access asynchronous)"
    same "$1" fences "$(search "$1" 'fence|membar')" "$(listed "$out" fence)"
    same "$1" barriers "$(search "$1" 'bar|barrier|mbarrier|griddepcontrol')" "$(listed "$out" barrier)"
    same "$1" 'warp operations' "$(search "$1" 'shfl|vote|match|activemask|elect|redux')" "$(listed "$out" warp)"
    same "$1" calls "$(search "$1" call)" "$(listed "$out" call)"
    read=$((read + 1))
}

# sidecar MODULE: what `inspect --sidecar` prints is a manifest, with which the module is a test of each kernel.
sidecar() {
    cp "$1" "$work/filled.ptx"
    "$program" inspect --sidecar "$1" >"$work/filled.ptx.litmus"
    "$program" --format json "$work/filled.ptx" >"$work/out" 2>"$work/err" || [ $? -ne 2 ] ||
        fail "$1 with its own sidecar: $(head -n 3 "$work/err")"
    same "$1" kernels "$(grep -cE '^([.]visible )?[.]entry ' "$1")" "$(grep -c '"verdict"' "$work/out")"
}

# launch MODULE: runs it as its sidecar says.
launch() {
    "$program" --quiet --timeout 120 "$1" >"$work/out" 2>&1 || fail "$1 as a test: status $?: $(head -n 3 "$work/out")"
    launched=$((launched + 1))
}

launched=0
for module in tests/kernels/*.ptx; do
    check "$module"
    [ -e "$module.litmus" ] || grep -q '^// PTXLITMUS' "$module" || continue
    launch "$module"
    [ ! -e "$module.litmus" ] || sidecar "$module"
done
[ "$launched" -ge 3 ] || fail "only $launched modules were run"
[ "$read" -ge 3 ] || fail "only $read stored modules"
if command -v nvcc >/dev/null; then
    for source in tests/kernels/*.cu; do
        name=$(basename "$source" .cu)
        nvcc -std=c++17 -Xcicc -O0 -lineinfo -arch=sm_80 -ptx -o "$work/$name.ptx" "$source" 2>/dev/null ||
            fail "$source does not compile"
        check "$work/$name.ptx"
        [ -e "tests/kernels/$name.ptx.litmus" ] || continue
        nvcc -std=c++17 -O3 -arch=sm_75 -ptx -o "$work/run.ptx" "$source" 2>/dev/null || fail "$source does not compile"
        cp "tests/kernels/$name.ptx.litmus" "$work/run.ptx.litmus"
        launch "$work/run.ptx"
    done
else
    echo "nvcc is not there: only the stored modules were read"
fi

# Cut off at 200 places: read, or refused in words.
module=tests/kernels/pipeline.ptx
size=$(wc -c <$module)
for i in $(seq 0 199); do
    head -c $((size * i / 200)) $module >"$work/cut.ptx"
    "$program" inspect "$work/cut.ptx" >"$work/out" 2>"$work/err"
    case $? in
    0) ;;
    2) grep -q 'error: ' "$work/err" || fail "cut off at $i/200: no message" ;;
    *) fail "cut off at $i/200: $(head -n 3 "$work/err")" ;;
    esac
done

# A module of 3 MB. (Sanitizers take their time.)
{
    printf '.version 8.0\n.target sm_80\n'
    for kernel in $(seq 40); do
        printf '.entry k%d(.param .u64 p) {\n.reg .b32 %%r<3000>;\n.reg .b64 %%rd<3000>;\n' "$kernel"
        awk 'BEGIN { for (i = 1; i < 1000; i++)
            printf "  add.s64 %%rd%d, %%rd%d, 4;\n  ld.global.u32 %%r%d, [%%rd%d];\n  st.global.u32 [%%rd1], %%r%d;\n", i + 1, i, i, i, i }'
        printf '  ret;\n}\n'
    done
} >"$work/large.ptx"
[ "$(wc -c <"$work/large.ptx")" -gt 3000000 ] || fail "the large module has $(wc -c <"$work/large.ptx") bytes"
(ulimit -t "${PTXLITMUS_LARGE_SECONDS:-1}" && "$program" inspect --kernel k7 "$work/large.ptx" >"$work/out") ||
    fail "a module of 3 MB takes more than a second"
[ "$(listed "$work/out" access)" -eq 1998 ] || fail "the large module lacks accesses"

printf '%d modules\n' "$read"
exit $failed
