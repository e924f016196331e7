#!/usr/bin/env bash
# A limit never changes an answer, it only leaves one out: two tests are run under limits in fine steps,
# and each run must either say what the run without a limit says, or name what it does not know: in
# the verdict, in each flag, in the list of states and in the exit status.
#
# usage: limits_steps.sh PROGRAM
set -u

program=$(realpath "${1:?usage: limits_steps.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
whole=0 cut=0

# Where the sanitizers look for leaks: Z3 loses a block of its own when it runs out of memory.
echo 'leak:libz3' >"$work/z3-leaks"
export LSAN_OPTIONS="suppressions=$work/z3-leaks:print_suppressions=0"

# A ring of threads that pass flags on, and at its ends two accesses of different sizes that race. The
# ring makes the test large, the race leaves it undefined, so that it can never be forbidden.
undefined_ring() {
    local threads=5 rounds=8 t r
    printf 'PTX undefined ring\n.global .align 8 .u32 x;\n'
    for ((t = 0; t < threads; t++)); do printf '.global .u32 f%d;\n' "$t"; done
    for ((t = 0; t < threads; t++)); do
        printf 'P%d@cta %d {\n' "$t" "$t"
        ((t > 0)) || printf '  st.weak.global.u32 [x], 1;\n'
        for ((r = 1; r <= rounds; r++)); do
            printf '  st.release.gpu.global.u32 [f%d], %d;\n' "$t" "$r"
            printf '  ld.acquire.gpu.global.u32 %%r%d, [f%d];\n' "$r" $(((t + r) % threads))
        done
        ((t < threads - 1)) || printf '  ld.weak.global.u16 %%h0, [x];\n'
        printf '}\n'
    done
    printf 'exists (P%d:%%h0 == 7)\n' $((threads - 1))
}

# The value of a field of the JSON object in $work/out; empty when it is not there.
field() {
    grep -oE "\"$1\":(\[[^]]*\]|\"[^\"]*\"|[a-z]+)" "$work/out" | head -n 1 | cut -d : -f 2-
}

# What the answer is: verdict, whether what was expected came, flags and states.
answer() {
    printf '%s %s %s %s' "$(field verdict)" "$(field ok)" "$(field flags)" "$(field states | cksum)"
}

# $1: the file, $2: what the run without a limit answers; the rest: the limit.
check_step() {
    local file=$1 reference=$2 status what
    shift 2
    "$program" --format json "$@" "$file" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    what="$* ${file##*/}: $(head -c 200 "$work/err")"
    if [ "$status" -eq 0 ]; then
        whole=$((whole + 1))
        [ "$(answer)" = "$reference" ] || fail "$what: another answer with status 0: $(answer)"
        [ -z "$(field unknown_flags)" ] || fail "$what: status 0 with flags that are not known"
        [ "$(field complete)" = true ] || fail "$what: status 0 with a cut list"
        return
    fi
    cut=$((cut + 1))
    case $(field unknown_flags) in # of tests without barriers, loops and proxy fences
        *barrier-misuse* | *hang* | *bound* | *endless* | *proxy-reading*)
            fail "$what: flags that cannot hold are not known: $(field unknown_flags)" ;;
    esac
    case ${file##*/}$(field unknown_flags) in # whose accesses have one size
        MP.litmus*mixed-size-race*) fail "$what: a race of sizes is not excluded" ;;
    esac
    [ "$status" -eq 3 ] || fail "$what: status $status"
    [ -n "$(field reason)" ] || fail "$what: no reason"
    case $(field verdict) in
        '"unknown"') [ "$(field ok)" = null ] || fail "$what: ok is $(field ok)" ;;
        *) [ -n "$(field unknown_flags)" ] || fail "$what: status 3, and nothing is unknown" ;;
    esac
    grep -q "undecided" "$work/err" || fail "$what: no message"
}

undefined_ring >"$work/ring.litmus"
# Undefined, whatever the limit: no run may say more than "unknown".
for ms in 020 050 080 110 140 170 200 230 260 290 320 350 400 450 500; do
    check_step "$work/ring.litmus" never --timeout "0.$ms"
done
for mb in 40 45 50 55 60 65 70 75 80 90 100; do
    check_step "$work/ring.litmus" never --memory "$mb" --timeout 1
done

test=litmus/library/message-passing/MP.litmus
"$program" --format json "$test" >"$work/out" </dev/null || fail "$test without a limit: status $?"
reference=$(answer)
for ms in 004 006 008 010 012 014 016 018 020 022 024 026 028 030 033 036 040 045 050 060 080 200; do
    check_step "$test" "$reference" --timeout "0.$ms"
done
check_step "$test" "$reference" --timeout 20
[ "$whole" -gt 0 ] || fail "no run came to its end"
[ "$cut" -gt 0 ] || fail "no limit was reached"

printf '%d runs came to their end, %d were cut, %d failures\n' "$whole" "$cut" "$failed"
[ "$failed" -eq 0 ]
