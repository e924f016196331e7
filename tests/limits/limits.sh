#!/usr/bin/env bash
# Tests that are made to take time or memory, each at another stage: --timeout and --memory hold, and what
# does not end in time is undecided. Processor time is measured, not time by the clock, so that a busy
# machine makes no difference.
#
# usage: limits.sh PROGRAM MEASURED [SECONDS MB]
#   MEASURED is the program of measured.c. With SECONDS and MB, those are the limits, and what each
#   test takes is printed.
set -u

program=$(realpath "${1:?usage: limits.sh PROGRAM MEASURED [SECONDS MB]}") || exit 2
measured=$(realpath "${2:?usage: limits.sh PROGRAM MEASURED [SECONDS MB]}") || exit 2
seconds=${3:-0.1} mb=${4:-100} verbose=${3:+1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export LC_ALL=C
count=0 failed=0 undecided=0 worst_ms=-100000 worst_kb=-1000000000

# Beyond the limits: the time that a test has to come to an end and its process to be taken down; a fifth
# of the memory, and what the program and Z3's library take for any test.
most_ms=$(awk -v s="$seconds" 'BEGIN { print int(s * 1000) + 500 }')
most_kb=$((mb * 1024 * 12 / 10 + 48 * 1024))
slack_ms=500 # for accounting by ticks, and caches that others empty

# limited NAME ARGUMENT...: runs the program under the limits.
limited() {
    local name=$1 status cpu wall peak reason
    shift
    read -r status cpu wall peak < <("$measured" "$program" --timeout "$seconds" --memory "$mb" "$@" 2>out)
    count=$((count + 1))
    reason=$(grep -aoE '(time|memory) limit of|there is no outcome' out | head -n 1)
    [ "$status" -eq 3 ] && undecided=$((undecided + 1))
    [ $((cpu - most_ms)) -gt $worst_ms ] && worst_ms=$((cpu - most_ms))
    [ $((peak - most_kb)) -gt $worst_kb ] && worst_kb=$((peak - most_kb))
    [ -n "$verbose" ] &&
        printf '%-24s status %d, %5d ms (%5d by the clock), %7d KiB %s\n' "$name" "$status" "$cpu" "$wall" "$peak" "$reason"
    if [ "$status" -gt 3 ] || { [ "$status" -eq 3 ] && [ -z "$reason" ]; }; then
        printf 'FAIL %s: status %d\n' "$name" "$status"
        head -c 1000 out
        failed=$((failed + 1))
    elif [ "$cpu" -gt $((most_ms + slack_ms)) ] || [ "$peak" -gt "$most_kb" ]; then
        printf 'FAIL %s: %d ms of %s s, %d KiB of %d MB\n' "$name" "$cpu" "$seconds" "$peak" "$mb"
        failed=$((failed + 1))
    fi
    rm -f "$name".*
}

# made NAME N PROGRAM: a test that awk prints, with n = N.
made() {
    awk -v n="$2" "BEGIN { $3 }" >"$1"
}

# body NAME N STATEMENTS: a test of one thread whose statements awk prints.
body() {
    made "$1.litmus" "$2" "print \"PTX T\\n.global .u32 x;\\n.global .u32 y;\\n.global .u64 z;\\n.global .align 16 .u32 a[1024];\\nP0@cta 0,gpu 0 {\"; $3; print \"}\\nexists (x == 1)\""
}

# threads NAME N STATEMENTS: a test of n threads, number i of which awk prints.
threads() {
    made "$1.litmus" "$2" "print \"PTX T\\n.global .u32 x;\\n.global .u32 y;\\n.global .align 16 .u32 a[1024];\"; for (i = 0; i < n; i++) { printf \"P%d@cta %d,gpu 0 {\\n\", i, i; $3; print \"}\" } print \"exists (x == 1)\""
}

# --- Reading ----------------------------------------------------------------------------------------

made line.litmus 10000000 'print "PTX T"; for (i = 0; i < n / 10; i++) printf "aaaaaaaaaa"'
limited line line.litmus
body labels 100000 'for (i = 0; i < n; i++) printf "L%d: ", i; print "bra L" n - 1 ";"'
limited labels labels.litmus
made registers.litmus 1 'print "PTX T\n.global .u32 x;\nP0@cta 0 {\n.reg .u32 %r<100000000>;\nmov.u32 %r99999999, 1;\nst.weak.global.u32 [x], %r99999999;\n}\nexists (x == 1)"'
limited registers registers.litmus
made initialiser.litmus 250000 'printf "PTX T\n.global .u32 x[%d] = {", n; for (i = 0; i < n; i++) printf "%s%d", i ? ", " : "", i; print "};\nP0@cta 0 { ld.weak.global.u32 %r0, [x]; }\nexists (P0:r0 == 1)"'
limited initialiser initialiser.litmus
made variables.litmus 100000 'print "PTX T"; for (i = 0; i < n; i++) print ".global .u32 x" i ";"; print "P0@cta 0 { st.weak.global.u32 [x0], 1; }\nexists (x0 == 1)"'
limited variables variables.litmus
made functions.litmus 40 'print "PTX T\n.global .u32 x;\n.func f0 () { st.weak.global.u32 [x], 1; ret; }"; for (i = 1; i <= n; i++) printf ".func f%d () { call f%d, (); call f%d, (); ret; }\n", i, i - 1, i - 1; printf "P0@cta 0 { call f%d, (); }\nexists (x == 1)\n", n'
limited functions functions.litmus
made description.litmus 300000 'printf "PTX T\n\""; for (i = 0; i < n; i++) printf "a long description, %d; ", i; print "\"\n.global .u32 x;\nP0@cta 0 { st.weak.global.u32 [x], 1; }\nexists (x == 1)"'
limited description --format text description.litmus
made filters.test 4000 'print ".global x;\nd0.b0.t0 {"; for (i = 0; i < n; i++) print "ld r" i ", [x] == $0;"; print "}\ncheck (r0 == 1) as r0;\n$$\n0"'
limited filters filters.test
mkfifo pipe
exec 3<>pipe
limited pipe pipe
exec 3>&-

# --- Unrolling, values, addresses -------------------------------------------------------------------

body branches 300 'print "ld.relaxed.gpu.global.u32 %r0, [x];"; for (i = 0; i < n; i++) printf "L%d: setp.eq.u32 %%p, %%r0, %d; @%%p bra L%d;\n", i, i, (i * 7 + 3) % n'
limited branches branches.litmus
body forward 4000 'print "ld.relaxed.gpu.global.u32 %r0, [x];"; for (i = 0; i < n; i++) printf "setp.eq.u32 %%p, %%r0, %d; @%%p bra L%d; st.weak.global.u32 [y], %d; L%d:\n", i, i, i, i'
limited forward forward.litmus
body loop 1 'print "mov.u32 %r1, 0;\nL: ld.relaxed.gpu.global.u32 %r0, [x];\nst.weak.global.u32 [y], %r1;\nadd.u32 %r1, %r1, %r0;\nsetp.lt.u32 %p, %r1, 100000;\n@%p bra L;"'
limited unroll --unroll 1000 loop.litmus
body loops 7 'for (i = 0; i < n; i++) print "L" i ": ld.relaxed.gpu.global.u32 %r" i ", [x];"; for (i = n - 1; i >= 0; i--) printf "setp.eq.u32 %%p, %%r%d, 0; @%%p bra L%d;\n", i, i'
limited nested-loops --unroll 8 loops.litmus
body adds 20000 'print "ld.relaxed.gpu.global.u32 %r0, [x];"; for (i = 0; i < n; i++) print "mul.lo.u32 %r1, %r0, %r0; add.u32 %r0, %r1, 3;"; print "st.weak.global.u32 [x], %r0;"'
limited values adds.litmus
body muls 60 'print "ld.relaxed.gpu.global.u64 %rd0, [z];"; for (i = 0; i < n; i++) print "mul.lo.u64 %rd0, %rd0, %rd0; xor.b64 %rd0, %rd0, 12345; rem.u64 %rd0, %rd0, 1000003;"; print "cvt.u32.u64 %r0, %rd0;\nst.weak.global.u32 [x], %r0;"'
limited arithmetic muls.litmus
body selects 3000 'print "ld.relaxed.gpu.global.u32 %r0, [x];"; for (i = 0; i < n; i++) printf "setp.eq.u32 %%p, %%r0, %d; selp.u32 %%r%d, %%r%d, %d, %%p;\n", i, i + 1, i, i; print "st.weak.global.u32 [x], %r" n ";"'
limited selects selects.litmus
body index 200 'for (i = 0; i < n; i++) printf "ld.relaxed.gpu.global.u32 %%r0, [x]; and.b32 %%r1, %%r0, 1023; mul.wide.u32 %%rd1, %%r1, 4; mov.u64 %%rd2, a; add.u64 %%rd2, %%rd2, %%rd1; st.weak.global.u32 [%%rd2], %d;\n", i'
limited addresses index.litmus
body pointers 100 'print "mov.u64 %rd0, a;"; for (i = 0; i < n; i++) print "ld.relaxed.gpu.global.u64 %rd1, [z]; and.b64 %rd1, %rd1, 4088; add.u64 %rd1, %rd1, %rd0; ld.relaxed.gpu.u32 %r0, [%rd1]; st.relaxed.gpu.u32 [%rd1], %r0;"'
limited pointers pointers.litmus
body sizes 300 'split("8 16 32 64", s, " "); for (i = 0; i < n; i++) printf "st.weak.global.u%s [z+%d], %d; ld.weak.global.u%s %%q%d, [z];\n", s[i % 3 + 1], i % 2 * 4, i % 100, s[(i + 1) % 3 + 1], i'
sed -i 's/P0@cta 0,gpu 0 {/&\n.reg .u32 %q<400>;/' sizes.litmus
limited sizes sizes.litmus
body vectors 500 'for (i = 0; i < n; i++) print "ld.weak.global.v4.u32 {%r0, %r1, %r2, %r3}, [a]; st.weak.global.v4.u32 [a+16], {%r3, %r2, %r1, %r0};"'
limited vectors vectors.litmus

# --- Events, bounds, encoding -----------------------------------------------------------------------

body stores 300000 'for (i = 0; i < n; i++) print "st.weak.global.u32 [x], " i ";"'
limited stores-300000 stores.litmus
body stores 3000 'for (i = 0; i < n; i++) print "st.weak.global.u32 [x], " i ";"'
limited stores-3000 stores.litmus
body loads 3000 'for (i = 0; i < n; i++) print "ld.weak.global.u32 %r0, [x];"'
limited loads loads.litmus
body fences 2000 'for (i = 0; i < n; i++) print "st.relaxed.gpu.global.u32 [x], 1; fence.sc.gpu;"'
limited fences fences.litmus
threads threads 1000 'print "st.weak.global.u32 [x], " i ";"'
limited threads-1000 threads.litmus
threads threads 300 'print "st.relaxed.gpu.global.u32 [x], " i "; ld.relaxed.gpu.global.u32 %r0, [y];"'
limited threads-300 threads.litmus
threads sc 60 'print "st.relaxed.gpu.global.u32 [x], " i "; fence.sc.gpu; ld.relaxed.gpu.global.u32 %r0, [y]; fence.sc.gpu; st.relaxed.gpu.global.u32 [y], " i ";"'
limited fence-orders sc.litmus
threads atoms 40 'for (k = 0; k < 3; k++) print "atom.add.acq_rel.gpu.global.u32 %r" k ", [x], 1;"'
limited atomics atoms.litmus
threads exchange 30 'for (k = 0; k < 3; k++) print "atom.exch.relaxed.gpu.global.b32 %r" k ", [x], " i * 3 + k ";"'
limited exchanges exchange.litmus
threads cas 12 'print "L: atom.cas.acquire.gpu.global.b32 %r0, [x], 0, 1; setp.ne.u32 %p, %r0, 0; @%p bra L; ld.weak.global.u32 %r1, [y]; add.u32 %r1, %r1, 1; st.weak.global.u32 [y], %r1; st.release.gpu.global.u32 [x], 0;"'
limited locks cas.litmus
made barriers.litmus 32 'print "PTX T\n.global .u32 x;"; for (i = 0; i < n; i++) { printf "P%d@cta 0,gpu 0 {\n", i; for (k = 0; k < 40; k++) printf "bar.sync %d; st.weak.global.u32 [x], %d;\n", k % 16, k; print "}" } print "exists (x == 1)"'
limited barriers barriers.litmus
threads races 24 'for (k = 0; k < 4; k++) print "st.weak.global.u32 [x], " k "; ld.weak.global.u32 %r0, [y]; st.weak.global.u32 [y], %r0;"'
limited races --races --format json races.litmus

# --- Conditions, states, printing -------------------------------------------------------------------

made condition.litmus 30000 'print "PTX T\n.global .u32 x;\nP0@cta 0 { st.weak.global.u32 [x], 1; }"; printf "exists x == 1"; for (i = 0; i < n; i++) printf " \\/ x == %d", i; print ""'
limited condition condition.litmus
made atoms.litmus 20000 'printf "PTX T\n.global .u32 x[%d];\nP0@cta 0 { st.weak.global.u32 [x], 1; }\nexists x[0] == 1", n; for (i = 1; i < n; i++) printf " /\\ ~(x[%d] == %d)", i, i; print ""'
limited elements atoms.litmus
made not.litmus 2000 'printf "PTX T\n{ x = 0; }\nP0@cta 0 { st.weak.global.u32 [x], 1; }\nexists x == 1"; for (i = 0; i < n; i++) { printf " /\\ "; for (k = 0; k < 90; k++) printf "~("; printf "x == %d", i; for (k = 0; k < 90; k++) printf ")" } print ""'
limited negations not.litmus
made states.litmus 10 'print "PTX T\n.global .u32 x;"; for (i = 0; i < n; i++) printf "P%d@cta %d,gpu 0 { st.relaxed.gpu.global.u32 [x], %d; ld.relaxed.gpu.global.u32 %%r0, [x]; ld.relaxed.gpu.global.u32 %%r1, [x]; }\n", i, i, i + 1; printf "forall ("; for (i = 0; i < n; i++) printf "%sP%d:r0 > 0 /\\ P%d:r1 > 0", i ? " /\\ " : "", i, i; print ")"'
cp states.litmus kept
limited states --states 0 states.litmus
cp kept states.litmus
limited comparison --states 0 --verdict --target sm_70,sm_90 states.litmus

# --- Models -----------------------------------------------------------------------------------------

threads small 8 'for (k = 0; k < 6; k++) print "st.relaxed.gpu.global.u32 [x], " k + 1 "; ld.relaxed.gpu.global.u32 %r0, [y];"'
cp small.litmus kept
made closures.cat 12 'print "\"closures\"\nlet r0 = (po | rf | co | fr)+"; for (i = 1; i <= n; i++) printf "let r%d = ((r%d; r%d^-1) | (r%d \\ id))+\n", i, i - 1, i - 1, i - 1; printf "empty r%d \\ r0 as a\n", n'
limited closures --model closures.cat small.litmus
cp kept small.litmus
made products.cat 60 'print "\"products\"\nlet r0 = rf | co"; for (i = 1; i <= n; i++) printf "let r%d = (r%d; (po | fr)) | (r%d; rf)\n", i, i - 1, i - 1; printf "acyclic r%d as a\n", n'
limited products --model products.cat small.litmus
cp kept small.litmus
made lets.cat 10000 'print "\"lets\"\nlet r0 = po"; for (i = 1; i <= n; i++) printf "let r%d = r%d | rf\n", i, i - 1; printf "acyclic r%d as a\n", n'
limited lets --model lets.cat small.litmus

# --- One after the other ----------------------------------------------------------------------------

# Tests of one process give back what they have taken: 250 of them take what 50 take, and a few MB.
threads one 2 'print "st.relaxed.gpu.global.u32 [x], 1; ld.relaxed.gpu.global.u32 %r0, [y];"'
peak_of() {
    local copies=() status cpu wall peak
    for ((i = 0; i < $1; i++)); do copies+=(one.litmus); done
    read -r status cpu wall peak < <("$measured" "$program" --verdict "${copies[@]}" 2>out)
    [ "$status" -le 1 ] && echo "$peak"
}
few=$(peak_of 50) many=$(peak_of 250)
if [ $((many - few)) -gt 10240 ]; then
    printf 'FAIL 250 tests in a process take %d KiB, 50 take %d KiB\n' "$many" "$few"
    failed=$((failed + 1))
fi

printf '%d tests, %d undecided, %d failures; the most by which one passed its limits: %d ms beyond %s s, %d KiB beyond %d MB\n' \
    "$count" "$undecided" "$failed" $((worst_ms + 500)) "$seconds" $((worst_kb + most_kb - mb * 1024)) "$mb"
[ "$failed" -eq 0 ]
