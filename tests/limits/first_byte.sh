#!/usr/bin/env bash
# Limits and the first interrupt hold from the first byte that is read to the last that is printed, for every
# command and every kind of input, and for a test as a whole. Where the input is idle, the run has to end, and has
# to say by what; where it is busy, processor time is measured, so that a busy machine makes no difference.
#
# usage: first_byte.sh PROGRAM MEASURED [-v]
#   MEASURED is the program of measured.c. With -v, what each run takes is printed.
set -u
export LC_ALL=C
program=$(realpath "${1:?usage: first_byte.sh PROGRAM MEASURED}") || exit 2
measured=$(realpath "${2:?usage: first_byte.sh PROGRAM MEASURED}") || exit 2
verbose=${3:-}
. "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
root=$PWD count=0 worst=0
seconds=0.1 most_ms=600 # half a second beyond the limit
cd "$work" || exit 2

# judge NAME WANTED WORDS STATUS CPU: what a run came to. Beyond `most_ms`, 200 ms for accounting by ticks.
judge() {
    count=$((count + 1))
    [ -z "$verbose" ] || printf '%-40s status %d, %4d ms: %s\n' "$1" "$4" "$5" "$(tail -n 1 out | cut -c 1-150)"
    case " $2 " in *" $4 "*) ;; *) fail "$1: status $4, not $2: $(head -c 500 out)" ;; esac
    grep -aqE -- "$3" out || fail "$1: does not say: $3: $(head -c 500 out)"
    [ "$5" -le $worst ] || worst=$5
    [ "$5" -le $((most_ms + 200)) ] || fail "$1: $5 ms of processor time"
}

# timed STATUS ARGUMENT...: with --timeout, the program ends with this status, and says so.
timed() {
    local wanted=$1 status cpu wall peak
    shift
    read -r status cpu wall peak < <("$measured" "$program" "$@" --timeout $seconds 2>out)
    judge "$* --timeout $seconds" "$wanted" "time limit of $seconds s" "$status" "$cpu"
}

# interrupted STATUS ARGUMENT...: the same with a SIGTERM.
interrupted() {
    local wanted=$1 status cpu wall peak
    shift
    read -r status cpu wall peak < <("$measured" -s 100 "$program" "$@" 2>out)
    judge "$* interrupted" "$wanted" 'interrupted' "$status" "$cpu"
}

# idle STATUS ARGUMENT...: both. The standard input and `pipe` have nothing to read, and are never closed.
idle() {
    timed "$@" <pipe
    interrupted "$@" <pipe
}

library=$root/litmus/library
cp "$library/message-passing/MP.litmus" MP.litmus
cp "$root/tests/lowering/published/MP+rel-acq.litmus" cpp.litmus
cp "$root/tests/kernels/mp.ptx" mp.ptx
cp "$root/tests/kernels/mp.ptx" sidecar.ptx
table=$("$program" lower --list-tables | awk 'NR == 1 { print $1 }')
printf 'Test MP Allowed\nHistogram (1 states)\n5 :>1:r0=0; 1:r1=0;\nNo\n' >log
mkfifo pipe pipe.litmus pipe.suite pipe.cat pipe.ptx sidecar.ptx.litmus
exec 3<>pipe 4<>pipe.litmus 5<>pipe.suite 6<>pipe.cat 7<>pipe.ptx 8<>sidecar.ptx.litmus

# --- Idle inputs --------------------------------------------------------------------------------------

idle 3 pipe
idle 3 -
idle 3 MP.litmus @pipe
idle 3 @-
idle 3 --model ./pipe.cat MP.litmus
idle 3 --emit-ptx - pipe
idle 3 sidecar.ptx
idle 3 --format json pipe
idle 3 suite pipe.suite
idle 3 suite --module -
idle 3 suite --module mp.ptx --manifest pipe
idle 3 suite @pipe
idle 3 check pipe
idle 3 compare pipe MP.litmus
idle 3 compare MP.litmus pipe
idle 3 explain pipe
idle 3 report pipe -o pages
idle 3 repair pipe
idle 3 repair --costs pipe MP.litmus
idle 3 relax pipe
idle 3 lower --table "$table" pipe
idle 3 lower --table ./pipe cpp.litmus
idle 3 lower --verify --table "$table" pipe
idle 3 generate -
idle 3 generate --edges pipe
idle 3 harness pipe -o gpu
idle 3 observed pipe
idle 3 observed log pipe.litmus
idle 3 suite --results pipe
interrupted 3 merge pipe
interrupted 3 diff pipe log
interrupted 3 inspect pipe
interrupted 3 list @pipe

# --- Busy ones: a test as a whole -----------------------------------------------------------------------

# threads FILE N STATEMENTS [TAIL]: a test of n threads, number i of which awk prints.
threads() {
    awk -v n="$2" "BEGIN { print \"PTX T\\n.global .u32 x;\\n.global .u32 y;\"
        for (i = 0; i < n; i++) { printf \"P%d@cta %d,gpu 0 {\\n\", i, i; $3; print \"}\" } }" >"$1"
    printf '%s\n' "${4:-exists (x == 1)}" >>"$1"
}
busy='printf "st.relaxed.gpu.global.u32 [x], %d; ld.relaxed.gpu.global.u32 %%r0, [x]; ld.relaxed.gpu.global.u32 %%r1, [x];", i + 1'
# Each takes a hundred times the limit and more, so that no machine decides it in time.
all_r0='P0:%r0 == 3 /\ P1:%r0 == 4 /\ P2:%r0 == 5 /\ P3:%r1 == 1 /\ P4:%r1 == 1 /\ P5:%r0 == 1 /\ P6:%r1 == 1'
threads states.litmus 16 "$busy" "exists ($all_r0)"
{ cat states.litmus; echo 'expect forbidden;'; } >claims.litmus
threads weak.litmus 16 'for (k = 0; k < 6; k++) print "st.weak.global.u32 [x], " k "; ld.weak.global.u32 %r0, [y]; st.weak.global.u32 [y], %r0;"' '~exists (x == 77)'
threads long.litmus 1 'for (k = 0; k < 100000; k++) print "st.weak.global.u32 [x], " k ";"'
threads medium.litmus 9 "$busy" "exists ($all_r0)"
awk 'BEGIN { print "C++ T\n__device__ cuda::atomic<int, cuda::thread_scope_device> x = 0;"
    for (i = 0; i < 16; i++) printf "P%d@cta %d,gpu 0 {\n  x.store(%d, cuda::memory_order_relaxed);\n  int r0 = x.load(cuda::memory_order_relaxed);\n  int r1 = x.load(cuda::memory_order_relaxed);\n}\n", i, i, i + 1
    printf "exists (P0:r0 == 3"; for (i = 1; i < 7; i++) printf " /\\ P%d:r1 == %d", i, i; print ")" }' >busy-cpp.litmus

timed 3 states.litmus
timed 3 long.litmus
timed 3 --races --format json weak.litmus
timed 3 --target sm_70,sm_80,sm_90,sc,mca,in-order states.litmus
timed 3 --model ptx-6.0,ptx-7.5,ptx-9.1 weak.litmus
timed 3 --progress fair weak.litmus
timed 3 suite claims.litmus
timed 3 suite weak.litmus
timed 3 check --method search weak.litmus
timed 3 check long.litmus
timed 3 explain states.litmus
timed 3 explain medium.litmus
timed 3 explain weak.litmus
timed 3 explain --format svg states.litmus
timed 3 report states.litmus -o pages
timed 3 report medium.litmus -o pages
timed 3 report long.litmus -o pages
timed 3 repair states.litmus
timed 3 repair long.litmus
timed 3 relax weak.litmus
timed '1 3' compare states.litmus claims.litmus
timed 3 compare states.litmus weak.litmus
timed '1 3' compare MP.litmus weak.litmus
timed 3 lower --verify --table "$table" busy-cpp.litmus
sed "s/PTX T/PTX MP/" weak.litmus >named.litmus
timed 3 observed log named.litmus
timed 3 harness long.litmus -o gpu
interrupted 3 states.litmus
interrupted 3 long.litmus
interrupted 3 explain states.litmus
interrupted 3 report states.litmus -o pages
interrupted 3 repair states.litmus
interrupted 3 compare states.litmus claims.litmus
interrupted 3 suite weak.litmus

printf '%d runs, %d failures; the most that one took: %d ms of processor time\n' "$count" "$failed" "$worst"
[ "$failed" -eq 0 ]
