#!/usr/bin/env bash
# Runs on several processes: the same output as of one, whatever is asked for; a worker that dies takes
# one file with it; interrupts; the line on the terminal. Runs in shards: merged, they are the whole run.
#
# usage: jobs.sh PROGRAM
set -u

program=$(realpath "${1:?usage: jobs.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
checked=0
inputs=tests/cases/inputs
export LC_ALL=C

# expect NAME FILE: the file is the standard input.
expect() {
    checked=$((checked + 1))
    diff -u --label "$1: expected" --label "$1: printed" - "$2" || fail "$1"
}

without_times() {
    sed -E 's/^(Time [^ ]+) [0-9.]+$/\1/
            s/"(solver_ms|total_ms|encode_ms|peak_kb)":[0-9.e-]+/"\1":T/g
            s/(encoding|solving|total) [0-9.]+ ms/\1 T/g
            s/, peak [0-9]+ KiB//'
}

# The children of a process, in the order of their numbers.
children() {
    cat /proc/[0-9]*/status 2>/dev/null | awk -v parent="$1" '/^Pid:/ { pid = $2 } /^PPid:/ && $2 == parent { print pid }' | sort -n
}

# Starts the program in the background with a pipe as its first file, $work/in, and waits until that is
# read: the shell's descriptor 3 holds it open. $pid is the program.
start_with_pipe() {
    rm -f "$work/in"
    mkfifo "$work/in"
    "$program" "$@" >"$work/out" 2>"$work/err" &
    pid=$!
    exec 3>"$work/in"
}

# Waits until the program has handlers for the signals that end it, and a moment longer: on a busy machine it
# takes its time to start.
await_handlers() {
    local caught tries=0
    while [ $((tries++)) -lt 6000 ]; do
        caught=$(awk '/^SigCgt:/ { print $2 }' "/proc/$1/status" 2>/dev/null)
        [ $((0x${caught:-0} >> 14 & 1)) -eq 1 ] && return # 15: SIGTERM
        sleep 0.1
    done
    fail "no handlers were installed"
}

# Waits until the program has so many workers.
await_workers() {
    local tries=0
    while [ $((tries++)) -lt 6000 ]; do
        [ "$(children $pid | wc -l)" -ge "$1" ] && return
        sleep 0.1
    done
    fail "there are not $1 workers"
}

# Waits until the program and its workers all wait for something, ten times in a row.
await_rest() {
    local tries=0 quiet=0 process
    while [ $((tries++)) -lt 6000 ] && [ $quiet -lt 10 ]; do
        quiet=$((quiet + 1))
        for process in $pid $(children $pid); do
            grep -qs '^State:.[SZ]' "/proc/$process/status" || quiet=0
        done
        sleep 0.1
    done
    [ $quiet -eq 10 ] || fail "the program does not come to rest"
}

# Waits until the program's last worker has had a second of processor time, which on a busy machine takes
# longer than a second.
await_busy_worker() {
    local worker ticks tries=0
    while [ $((tries++)) -lt 6000 ]; do
        worker=$(children $pid | tail -n 1)
        ticks=$(awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/${worker:-none}/stat" 2>/dev/null)
        [ "${ticks:-0}" -ge "$(getconf CLK_TCK)" ] && return
        sleep 0.1
    done
    fail "no worker was busy"
}

# --- One process and several ------------------------------------------------------------------------

same() {
    local jobs status=()
    for jobs in 1 3; do
        "$program" -j $jobs "$@" >"$work/out$jobs" 2>"$work/err$jobs" </dev/null
        status+=($?)
        "$program" --jobs=$jobs "$@" 2>&1 </dev/null | without_times >"$work/both$jobs"
    done
    checked=$((checked + 1))
    [ "${status[0]}" -eq "${status[1]}" ] || fail "$*: status ${status[*]}"
    [ -s "$work/both1" ] || fail "$*: nothing printed"
    cmp <(without_times <"$work/out1") <(without_times <"$work/out3") || fail "$*: stdout"
    cmp <(without_times <"$work/err1") <(without_times <"$work/err3") || fail "$*: stderr"
    cmp "$work/both1" "$work/both3" || fail "$*: the order of stdout and stderr"
}

mixed="$inputs/nvlitmus $inputs/good $inputs/bad.litmus $inputs/expect.litmus nowhere.litmus
litmus/library/message-passing tests/bad/nvlitmus-cells.test $inputs/mixed $inputs/forall.litmus"
# shellcheck disable=SC2086
{
    same $mixed
    same --format json $mixed
    same --format text --stats $mixed
    same --races $mixed
    same --quiet $mixed
    same --model ptx-6.0,ptx-9.1 $mixed
    same --verdict --target sm_90,sc,in-order $mixed
    same --format json --target sm_70,sm_90 $mixed
    same --model nonsense $mixed
}
same - - "$inputs/good"
"$program" -j 0 "$inputs/good" | without_times >"$work/both3"
expect "-j 0" "$work/both3" < <("$program" "$inputs/good" | without_times)

# --- A worker that dies -----------------------------------------------------------------------------

start_with_pipe -j 2 "$work/in" "$inputs/good"
await_workers 1
kill -KILL "$(children $pid | head -n 1)"
wait $pid
status=$?
exec 3>&-
[ $status -eq 4 ] || fail "a killed worker: status $status"
without_times <"$work/out" >"$work/good"
expect "a killed worker" "$work/good" < <("$program" "$inputs/good" | without_times)
expect "a killed worker" "$work/err" <<EOF
$work/in: error: internal error: the process that ran it was ended by signal 9 (Killed)
EOF

start_with_pipe -j 2 --format json "$work/in" "$inputs/good/mp.litmus"
await_workers 1
kill -ABRT "$(children $pid | head -n 1)"
wait $pid
status=$?
exec 3>&-
[ $status -eq 4 ] || fail "an aborted worker: status $status"
head -n 1 "$work/out" >"$work/first"
expect "an aborted worker" "$work/first" <<EOF
{"file":"$work/in","line":null,"column":null,"error":"internal error: the process that ran it ended with status 4"}
EOF
[ "$(wc -l <"$work/out")" -eq 2 ] || fail "the test after an aborted worker was not run"
expect "an aborted worker" "$work/err" <<EOF
ptxlitmus: internal error, please report it with the test
$work/in: error: internal error: the process that ran it ended with status 4
EOF

# --- Interrupts -------------------------------------------------------------------------------------

# The first: what was found is printed and marked, the rest is not run. Nor is the pipe waited for,
# although it is not closed.
start_with_pipe -j 2 "$work/in" "$inputs/many.litmus" "$inputs/good"
await_busy_worker
kill -TERM $pid
wait $pid
status=$?
exec 3>&-
[ $status -eq 3 ] || fail "an interrupt: status $status"
expect "an interrupt" <(grep -E '^(Test|Flag|Observation)' "$work/out" | sed 's/[0-9]*$//') <<EOF
Test many_states Allowed
Flag data-race-unknown
Flag incomplete
Observation many_states Unknown 0 
EOF
expect "an interrupt" "$work/err" <<EOF
$inputs/many.litmus: undecided: interrupted
ptxlitmus: interrupted: 4 of 5 tests were not run
EOF

# The second: the end, of the workers too.
set -m # without job control, what runs in the background ignores SIGINT
start_with_pipe -j 2 "$work/in" "$inputs/many.litmus"
set +m
await_workers 2
workers=$(children $pid)
kill -TERM $pid
kill -INT $pid
wait $pid
status=$?
exec 3>&-
[ $status -eq 130 ] || fail "a second interrupt: status $status"
is_alive() {
    kill -0 "$1" 2>/dev/null && ! grep -qs '^State:.Z' "/proc/$1/status"
}
for worker in $workers; do
    for ((tries = 0; tries < 600; tries++)); do is_alive "$worker" || break; sleep 0.1; done
    ! is_alive "$worker" || fail "worker $worker outlived a second interrupt"
done
[ "$(wc -w <<<"$workers")" -eq 2 ] || fail "not two workers: $workers"

# --- Limits -----------------------------------------------------------------------------------------

# A pipe that stays empty is given up, by a limit or a signal; the tests after it are run. So with
# one process and several.
for jobs in 1 2; do
    start_with_pipe -j $jobs --timeout 0.3 --format json "$work/in" "$inputs/good/mp.litmus"
    wait $pid
    status=$?
    exec 3>&-
    [ $status -eq 3 ] || fail "an idle pipe: status $status"
    expect "an idle pipe" <(head -n 1 "$work/err") <<EOF
$work/in: undecided: the time limit of 0.3 s was reached before the test was read
EOF
    head -n 1 "$work/out" >"$work/first"
    expect "an idle pipe" "$work/first" <<EOF
{"file":"$work/in","line":null,"column":null,"error":"the time limit of 0.3 s was reached before the test was read"}
EOF
    [ "$(wc -l <"$work/out")" -eq 2 ] || fail "the test after an idle pipe was not run"
done
rm -f "$work/in"
mkfifo "$work/in"
for signal in INT TERM; do # one that not even a writer has opened
    set -m
    "$program" "$work/in" >"$work/out" 2>"$work/err" &
    pid=$!
    set +m
    await_handlers $pid
    await_rest
    kill -$signal $pid
    wait $pid
    status=$?
    [ $status -eq 3 ] || fail "SIG$signal at a pipe: status $status"
    expect "SIG$signal at a pipe" "$work/err" <<EOF
ptxlitmus: interrupted: 1 of 1 tests were not run
EOF
done

# Nor is there a wait for a reader that does not read.
rm -f "$work/in"
mkfifo "$work/in"
exec 3<>"$work/in"
head -c 65536 /dev/zero >&3 # the pipe is full
"$program" "$inputs/good" >"$work/in" 2>"$work/err" &
pid=$!
await_handlers $pid
await_rest
kill -TERM $pid
wait $pid
status=$?
exec 3>&-
[ $status -eq 4 ] || fail "a reader that takes nothing: status $status"
grep -qx 'ptxlitmus: error: cannot write the output: interrupted' "$work/err" ||
    fail "a reader that takes nothing: $(cat "$work/err")"

# A file with several tests, of which the limit ends each: each has its result, and says why.
awk 'BEGIN { print ".global x;\nd0.b0.t0 {"; for (i = 0; i < 3000; i++) printf "ld r%d, [x] == $0;\n", i
             print "}\ncheck (r0 == 1) as r0;\n$$\n0\n1\n2" }' >"$work/three.test"
"$program" --timeout 0.1 --verdict "$work/three.test" >"$work/out" 2>"$work/err"
status=$?
[ $status -eq 3 ] || fail "three tests and a limit: status $status"
expect "three tests and a limit" <(grep '^Observation' "$work/out") <<EOF
Observation three.1 Unknown ? ?
Observation three.2 Unknown ? ?
Observation three.3 Unknown ? ?
EOF

# --- Shards -----------------------------------------------------------------------------------------

# shards N OPTION...: the results of all shards, in files of $work/shards in another order than theirs
shards() {
    local count=$1 i
    shift
    rm -rf "$work/shards"
    mkdir "$work/shards"
    for ((i = 1; i <= count; i++)); do
        "$program" --format json --shard "$i/$count" "$@" >"$work/shards/$((count - i))" 2>/dev/null </dev/null
    done
}

merged() {
    local count=$1 whole status
    shift
    shards "$count" "$@"
    "$program" --format json "$@" 2>/dev/null </dev/null | without_times >"$work/whole"
    whole=${PIPESTATUS[0]}
    "$program" merge "$work"/shards/* 2>"$work/err" >"$work/out"
    status=$?
    checked=$((checked + 1))
    [ "$status" -eq "$whole" ] || fail "$count shards of $*: status $status, but $whole of the whole run"
    [ -s "$work/whole" ] || fail "$*: nothing printed"
    cmp <(without_times <"$work/out") "$work/whole" || fail "$count shards of $*"
    [ ! -s "$work/err" ] || fail "$count shards of $*: $(cat "$work/err")"
}

# shellcheck disable=SC2086
{
    merged 1 $mixed
    merged 3 $mixed
    merged 60 --stats -j 2 $inputs/good # most of them without a file
    merged 2 --target sm_70,sm_90 $mixed
    merged 2 --model nonsense $mixed
}
merged 2 "$inputs/forall.litmus" "$inputs/good"
merged 2 "$inputs/loop.litmus" "$inputs/good"

if command -v parallel >/dev/null; then
    checked=$((checked + 1))
    "$program" --format json "$inputs/good" litmus/library/message-passing | without_times >"$work/whole"
    parallel --will-cite "'$program'" --format json --shard '{}/5' "$inputs/good" \
        litmus/library/message-passing ::: 1 2 3 4 5 | "$program" merge - | without_times >"$work/out"
    cmp "$work/out" "$work/whole" || fail "GNU parallel"
else
    printf 'GNU parallel is not there: not shown with it\n'
fi

# An interrupted shard is not forgotten.
start_with_pipe --format json --shard 1/2 "$work/in" "$inputs/good/mp.litmus" "$inputs/good/mp.litmus"
await_workers 1
kill -TERM $pid
wait $pid
exec 3>&-
"$program" --format json --shard 2/2 "$work/in" "$inputs/good/mp.litmus" "$inputs/good/mp.litmus" |
    "$program" merge - "$work/out" >"$work/merged" 2>"$work/err"
status=${PIPESTATUS[1]}
[ "$status" -eq 3 ] || fail "an interrupted shard: status $status"
[ "$(grep -c '"result":"not run"' "$work/merged")" -eq 2 ] && [ "$(wc -l <"$work/merged")" -eq 3 ] || fail "an interrupted shard: $(cat "$work/merged")"
grep -qE "^$work/out:[0-9]+: shard 1/2: 2 of 2 files were not run\$" "$work/err" ||
    fail "an interrupted shard: $(cat "$work/err")"

# --- Output that is not read ------------------------------------------------------------------------

"$program" -j 2 litmus/library >/dev/full 2>"$work/err"
status=$?
[ $status -eq 4 ] || fail "a full disk: status $status"
expect "a full disk" "$work/err" <<EOF
ptxlitmus: error: cannot write the output: No space left on device
EOF

# --- The line on the terminal -----------------------------------------------------------------------

# terminal COMMAND: what it writes to a terminal, controls made visible.
terminal() {
    NO_COLOR=1 TERM=${term:-xterm} script -qec "$1" /dev/null </dev/null | tr -d '\n' | sed 's/\x1b\[K/<K>/g; s/\r/<R>/g'
}
line='<R>\[[=> ]*\] [01]/2  [0-9]+:[0-9][0-9]  ([a-z.]+[, ]+)*many.litmus<K>'
slow="'$program' --states 0 --timeout 3 -j 2 $inputs/good/mp.litmus $inputs/many.litmus"
if command -v script >/dev/null; then
    checked=$((checked + 4))
    terminal "$slow >'$work/out'" >"$work/screen"
    grep -qE "^(($line)+<R><K>)+$inputs/many.litmus: undecided" "$work/screen" ||
        fail "the line on the terminal: $(cat "$work/screen")"
    grep -q '^Test MP' "$work/out" || fail "no results beside the line"
    terminal "$slow --quiet" | grep -qE "$line" && fail "a line with --quiet"
    term=dumb terminal "$slow >'$work/out'" | grep -qE "$line" && fail "a line on a dumb terminal"
    terminal "'$program' $inputs/good >'$work/out'" >"$work/screen"
    [ -s "$work/screen" ] && fail "a line in a short run: $(cat "$work/screen")"
fi

printf '%d checks, %d failures\n' "$checked" "$failed"
[ "$failed" -eq 0 ]
