#!/usr/bin/env bash
# Modules as compilers write them: `inspect` reads each, and lists as many accesses, fences, barriers and asynchronous
# operations as a search of the text finds. Those of tests/kernels are stored as nvcc wrote them; where nvcc is there they
# are compiled anew, too, without optimisation. A module that is cut off anywhere is read or refused with a message, and
# a large one takes as long as its size. Those with a sidecar, NAME.ptx.litmus, are run as tests, as stored and as compiled.
#
# usage: modules.sh PROGRAM
set -u
program=$(realpath "${1:?usage: modules.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
# shellcheck source=tests/emitters/count.sh
. tests/emitters/count.sh

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
    within 600 "$program" --quiet "$1" >"$work/out" 2>&1 || fail "$1 as a test: status $?: $(head -n 3 "$work/out")"
    launched=$((launched + 1))
}

launched=0
for module in tests/kernels/*.ptx; do
    check_counts "$module"
    [ -e "$module.litmus" ] || grep -q '^// PTXLITMUS' "$module" || continue
    launch "$module"
    [ ! -e "$module.litmus" ] || sidecar "$module"
done
for module in tests/kernels/whole/*.ptx; do
    check_counts "$module"
done
[ "$launched" -ge 3 ] || fail "only $launched modules were run"
[ "$read" -ge 3 ] || fail "only $read stored modules"
if command -v nvcc >/dev/null; then
    for source in tests/kernels/*.cu; do
        name=$(basename "$source" .cu)
        case $name in cluster | multicast) continue ;; esac # of sm_90, which has clusters
        nvcc -std=c++17 -Xcicc -O0 -lineinfo -arch=sm_80 -ptx -o "$work/$name.ptx" "$source" 2>/dev/null ||
            fail "$source does not compile"
        check_counts "$work/$name.ptx"
        [ -e "tests/kernels/$name.ptx.litmus" ] || continue
        nvcc -std=c++17 -O3 -arch=sm_75 -ptx -o "$work/run.ptx" "$source" 2>/dev/null || fail "$source does not compile"
        cp "tests/kernels/$name.ptx.litmus" "$work/run.ptx.litmus"
        launch "$work/run.ptx"
    done
else
    echo "nvcc is not there: only the stored modules were read"
fi

# The sidecar of the patterns, filled in with as many blocks and the outcome that patterns.txt says: each as expected there.
cp tests/kernels/patterns.ptx "$work/filled.ptx"
"$program" inspect --sidecar "$work/filled.ptx" | perl tests/kernels/fill.pl tests/kernels/patterns.txt >"$work/filled.ptx.litmus"
within 600 "$program" --verdict --format json "$work/filled.ptx" >"$work/out" 2>"$work/err" ||
    fail "the patterns with their filled sidecar: $(head -n 3 "$work/err")"
same patterns filled "$(grep -cE '^[a-z]' tests/kernels/patterns.txt)" "$(grep -c '"ok":true' "$work/out")"

# cut_off FILE PLACES COMMAND...: the file, cut off at so many places as $work/cut.ptx, is read, or refused in words.
cut_off() {
    local file=$1 places=$2 size i
    shift 2
    size=$(wc -c <"$file")
    for i in $(seq 0 $((places - 1))); do
        head -c $((size * i / places)) "$file" >"$work/cut.ptx"
        "$@" "$work/cut.ptx" >"$work/out" 2>"$work/err"
        case $? in
        0 | 1 | 3) ;;
        2) grep -q 'error: ' "$work/err" || fail "$file, cut off at $i/$places: no message" ;;
        *) fail "$file, cut off at $i/$places: $(head -n 3 "$work/err")" ;;
        esac
    done
}

# Cut off at 200 places: read, or refused in words; with a manifest and in the middle of one, too. (At fewer under sanitizers.)
places=${PTXLITMUS_PLACES:-200}
cut_off tests/kernels/pipeline.ptx "$places" "$program" inspect
cp tests/kernels/indirect.ptx.litmus "$work/cut.ptx.litmus"
cut_off tests/kernels/indirect.ptx "$places" "$program" --quiet
rm "$work/cut.ptx.litmus"
cut_off tests/cases/inputs/modules/together.ptx $((places / 4)) "$program" --quiet
cut_off tests/cases/inputs/modules/floats.ptx $((places / 4)) "$program" --quiet
for manifest in tests/kernels/indirect.ptx.litmus; do
    size=$(wc -c <"$manifest")
    cp "${manifest%.litmus}" "$work/manifest.ptx"
    for i in $(seq 0 $((places / 4 - 1))); do
        head -c $((size * i * 4 / places)) "$manifest" >"$work/manifest.ptx.litmus"
        "$program" --quiet "$work/manifest.ptx" >"$work/out" 2>"$work/err"
        [ $? -le 3 ] || fail "$manifest, cut off at $i of $((places / 4)): $(head -n 3 "$work/err")"
    done
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

# A module with 100 kernels of which one is launched costs as one with that kernel, but for reading its text: of the largest
# part, what the solver takes, there is no more.
awk '/[.]entry _Z2mpPjS_S_\(/ { on = 1 } on { print } on && /^}/ { exit }' tests/kernels/mp.ptx >"$work/kernel"
printf '.version 9.0\n.target sm_90\n.address_size 64\n' | tee "$work/one.ptx" >"$work/hundred.ptx"
sed 's/_Z2mpPjS_S_/k0/g' "$work/kernel" >>"$work/one.ptx"
for kernel in $(seq 0 99); do
    sed "s/_Z2mpPjS_S_/k$kernel/g" "$work/kernel" >>"$work/hundred.ptx"
done
grep -c '[.]entry k' "$work/hundred.ptx" | grep -qx 100 || fail 'the module of 100 kernels has others'
for module in one hundred; do
    printf 'global %s\n' data flag out[2] >"$work/$module.ptx.litmus"
    printf '%s\n' 'kernel k0 grid 2' 'arg 0 = &data' 'arg 1 = &flag' 'arg 2 = &out' 'exists (out[0] == 1)' \
        >>"$work/$module.ptx.litmus"
    TIMEFORMAT=%U
    seconds=$({ time for _ in 1 2 3 4 5 6 7 8 9 10; do
        "$program" --stats "$work/$module.ptx" >"$work/$module.out" 2>&1 || fail "$module kernels: status $?"
    done; } 2>&1)
    peak=$(grep -oE 'peak [0-9]+' "$work/$module.out" | cut -d' ' -f2)
    events=$(grep -oE 'events [0-9]+' "$work/$module.out")
    [ "$module" != one ] || one="$seconds $peak $events"
done
read -r one_seconds one_peak one_events <<<"$one"
[ "$events" = "$one_events" ] || fail "100 kernels: $events, one: $one_events"
awk -v a="$one_seconds" -v b="$seconds" 'BEGIN { exit !(b <= 5 * a + 0.5) }' || fail "100 kernels take $seconds s, one $one_seconds s"
awk -v a="$one_peak" -v b="$peak" 'BEGIN { exit !(b <= 1.5 * a) }' || fail "100 kernels take $peak KiB, one $one_peak KiB"

printf '%d modules\n' "$read"
exit $failed
