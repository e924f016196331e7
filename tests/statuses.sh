#!/usr/bin/env bash
# What was not run, or is not known, is never a success: of each command that is interrupted, the status, what it
# says, and what its data say when they are read again. Tests of whether what is expected alone is a test.
#
# usage: statuses.sh PROGRAM
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: statuses.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
root=$PWD
cd "$work" || exit 2

# interrupted STATUS WORDS ARGUMENT...: as expect, with SIGTERM while the file in.litmus, an idle pipe, is read.
interrupted() {
    local wanted=$1 words=$2 status pid
    shift 2
    checks=$((checks + 1))
    rm -f in.litmus
    mkfifo in.litmus
    "$program" "$@" >out 2>err </dev/null &
    pid=$!
    exec 3>in.litmus # waits until it is opened
    kill -TERM $pid
    wait $pid
    status=$?
    exec 3>&-
    [ "$status" -eq "$wanted" ] || fail "$* interrupted: status $status, not $wanted: $(head -5 out err)"
    [ -z "$words" ] || cat out err | grep -qF -- "$words" || fail "$* interrupted: does not say: $words: $(cat out err)"
}

# never WORDS: the last command did not print this.
never() {
    ! cat out err | grep -qF -- "$1" || fail "says '$1': $(cat out err)"
}

cp "$root/litmus/library/message-passing/MP.litmus" MP.litmus
cp "$root/litmus/library/message-passing/MP+cta.litmus" cta.litmus
line='{"file":"in.litmus","result":"not run","reason":"interrupted"}'

# --- A suite, and its results ------------------------------------------------------------------------
interrupted 3 '3 tests: 1 passed, 2 not run' suite --report json=cut.json --report tap=cut.tap --report junit=cut.xml MP.litmus in.litmus cta.litmus
grep -qxF "$line" cut.json || fail "the results do not say what was not run: $(cat cut.json)"
expect 3 '3 tests: 1 passed, 2 not run' suite --results cut.json
expect 3 'not ok 2 - in.litmus' suite --results cut.json --format tap
expect 3 '<error type="not run"' suite --results cut.json --format junit
cmp -s out cut.xml || fail 'JUnit of results that are read again'
grep -q 'tests="3" failures="0" errors="2" skipped="0"' cut.xml || fail "JUnit: $(cat cut.xml)"
grep 'not run' cut.json >none.json
expect 3 '2 tests: 0 passed, 2 not run' suite --results none.json
sed 's/"reason":"interrupted"/"reason":"after a test that did not pass"/' none.json >after.json
expect 3 '2 tests: 0 passed, 2 not run' suite --results after.json # whose failure was taken away
sed 's/expect forbidden/expect allowed/' MP.litmus >wrong.litmus
expect 1 '2 tests: 0 passed, 1 failed, 1 not run' suite --fail-fast --report json=fast.json wrong.litmus MP.litmus
expect 1 '2 tests: 0 passed, 1 failed, 1 not run' suite --results fast.json

# Tests of a file that is read only once: what follows a limit is not forgotten.
awk 'BEGIN { print ".global x;\nd0.b0.t0 {"; for (i = 0; i < 3000; i++) printf "ld r%d, [x] == $0;\n", i
             print "}\npermit (r0 == 0) as r0;\n$$\n0\n1\n2" }' >three.test
"$program" suite --timeout 0.05 --syntax nvlitmus --report json=once.json - <three.test >out 2>err
[ $? -eq 3 ] || fail "a limit in what is read once: $(cat out err)"
# A slow machine may come to the limit in each of the three before one has to be ended.
grep -q '"result":"not run","reason":"this input cannot be read again"' once.json ||
    [ "$(grep -c '"verdict":"unknown"' once.json)" -eq 3 ] || fail "what is read once: $(cut -c1-300 once.json)"

# --- A run, and what reads its results ----------------------------------------------------------------
interrupted 3 "$line" --format json MP.litmus in.litmus cta.litmus
cp out cut.json
"$program" --format json MP.litmus in.litmus cta.litmus </dev/null >whole.json 2>err &
cat cta.litmus >in.litmus
wait $!
expect 3 'not run in cut.json' diff whole.json cut.json
never '+ '
expect 3 'not run in cut.json' diff cut.json whole.json
expect 3 'not run, or not all of it' diff cut.json cut.json
expect 0 '' diff whole.json whole.json
interrupted 3 "$line" check --format json in.litmus
interrupted 3 "$line" explain --format json in.litmus
interrupted 3 "$line" repair --format json in.litmus
interrupted 3 '1 of 1 tests were not run' --emit-ptx - in.litmus

# What is interrupted when it has been read has a line, too, whatever is known of it.
late() { # WORDS ARGUMENT...: in.litmus is written only when the signal has come
    checks=$((checks + 1))
    rm -f in.litmus
    mkfifo in.litmus
    "$program" "${@:2}" >out 2>err </dev/null &
    pid=$!
    exec 3>in.litmus
    kill -TERM $pid
    sleep 0.02 # in which it reaches the process that reads
    cat MP.litmus >&3
    exec 3>&-
    wait $pid
    [ $? -eq 3 ] || fail "${*:2}: an interrupt that is late: $(cat out err)"
    grep -qF -- "$1" out || fail "${*:2}: a late interrupt: says nothing of in.litmus: $(cat out err)"
}
for _ in 1 2 3 4 5; do
    late '"file":"in.litmus"' --format json in.litmus
    late '"file":"in.litmus"' suite --format json in.litmus
    late '1 test: ' suite in.litmus
done
grep -q MP.litmus err && fail 'an interrupt that is late is about another file'

# --- Commands that compare ------------------------------------------------------------------------------
interrupted 3 'not run: MP.litmus (MP)' compare MP.litmus in.litmus
never 'without a partner'
never 'only A'
grep -qx '0 pairs: 1 not run' out || fail "compare: $(cat out)"
interrupted 3 '"relation":"not run"' compare --format json MP.litmus in.litmus
interrupted 3 'not run: in.litmus, MP.litmus' compare in.litmus MP.litmus
mkdir a b
cp MP.litmus a/1.litmus
cp MP.litmus b/1.litmus
cp MP.litmus a/2.litmus
expect 1 'only A: a/2.litmus' compare a b
cp "$root/tests/lowering/published/MP+rel-acq.litmus" cpp.litmus
table=$("$program" lower --list-tables | awk 'NR == 1 { print $1 }')
interrupted 3 "unknown: cpp.litmus by $table" lower --verify --table "$table" cpp.litmus in.litmus
never sound
interrupted 3 '"result":"unknown"' lower --verify --table "$table" --format json cpp.litmus in.litmus
printf 'Test MP Allowed\nHistogram (1 states)\n5 :>1:r0=0; 1:r1=0;\nNo\n' >log
interrupted 3 'MP: not run, so what was seen is not judged' observed log in.litmus
never 'was seen ('
interrupted 3 '"reason":"not run"' observed --format json log in.litmus
expect 0 'nothing that is forbidden was seen' observed log MP.litmus

# --- Commands that write ----------------------------------------------------------------------------------
interrupted 3 "interrupted: 'harness' is not complete" harness MP.litmus in.litmus -o gpu
[ ! -e gpu ] || fail 'an interrupted harness has written its folder'
interrupted 3 'not all pages were written' report MP.litmus in.litmus cta.litmus -o pages
[ "$(grep -c '<td>not run</td>' pages/index.html)" -eq 1 ] || fail "the index does not say what was not run"
grep -q '>in.litmus</th><td>unknown</td>' pages/index.html || fail "the index does not name a test that was interrupted"

# --- Shards -------------------------------------------------------------------------------------------------
"$program" --quiet --format json --shard 1/1 MP.litmus >quiet.json
expect 3 'shard 1/1 is not complete' merge quiet.json

# --- What a status says ---------------------------------------------------------------------------------------
expect 1 '"ok":false' check --format json cta.litmus
grep -q '"clean":false' out || fail "check: $(cat out)"
sed 's/weak/relaxed.gpu/g' MP.litmus >strong.litmus
expect 0 '"ok":true' check --format json strong.litmus

# An expectation that is not about the verdict is a test without a condition.
sed '/^exists/,$d' strong.litmus >alone.litmus
sed '/^exists/,$d' cta.litmus >racy.litmus
echo 'expect no race;' | tee -a alone.litmus >>racy.litmus
expect 0 'Condition exists (true)' alone.litmus
expect 1 'expected no race, but some execution has one' racy.litmus
expect 0 '1 test: 1 passed' suite alone.litmus
expect 1 'data-race between P0 line' suite racy.litmus
sed 's/expect no race/expect race, no hang, reachable/' racy.litmus >flags.litmus
expect 0 '1 test: 1 passed' suite flags.litmus
sed 's/expect no race/expect forbidden/' racy.litmus >verdict.litmus
expect 2 'the test has no condition' verdict.litmus
# A manifest may expect such things of a test without a condition, and no verdict; 'check' needs neither.
sed '/^expect/d' alone.litmus >none.litmus
expect 2 'the test has no condition' none.litmus
expect 2 'the test has no condition' suite none.litmus
expect 2 'the test has no condition' harness none.litmus -o gpu
expect 0 'free of data races' check none.litmus
expect 1 'data-race' check --format json racy.litmus
printf '%s.litmus: no race\n' none alone racy >rows.suite
expect 1 '3 tests: 2 passed, 1 failed' suite rows.suite
grep -qF 'rows.suite:3:14: expected no race' out || fail "rows: $(cat out)"
echo 'none.litmus: allowed' >rows.suite
expect 2 'the test has no condition' suite rows.suite
echo 'alone.litmus: allowed' >rows.suite
expect 2 'rows.suite:1:1: error: the test has no condition, and so no such verdict' suite rows.suite
expect 1 "'ptxlitmus repair --races' looks for a change without a race" repair racy.litmus
expect 1 'racy.litmus:10:8: failed: expected no race, but some execution has one' report racy.litmus -o pages
# What is undefined has no verdict, but may race as expected.
sed -e 's/expect no race/expect race/' -e 's/ld.weak.global.u32 %r1, \[data\]/ld.weak.global.u16 %h1, [data]/' racy.litmus >undefined.litmus
expect 0 'Flag mixed-size-race' undefined.litmus
cp "$root/tests/kernels/mp.ptx" .
sed -e '/exists/,$d' "$root/tests/kernels/mp.ptx.litmus" >mp.ptx.litmus
expect 2 'nothing is asked of this launch' mp.ptx
echo 'expect race' >>mp.ptx.litmus
expect 0 '1 test: 1 passed' suite mp.ptx

# --- A compiler ends with the program, however that ends ------------------------------------------------------
# It says who it is, and goes on for ever, as does what it has started: by signals that ask, it is not ended.
cat >compiler <<'END'
#!/usr/bin/env bash
trap '' TERM INT
bash -c 'while :; do sleep 1; done' &
echo $! >other.new
mv other.new other
while :; do sleep 1; done
END
chmod +x compiler
echo '__global__ void k() {}' >kernel.cu
ends_with() { # STATUS SIGNAL ARGUMENT...: the signal, if it is one, comes when the compiler runs
    local wanted=$1 signal=$2 pid
    shift 2
    checks=$((checks + 1))
    rm -f other
    "$program" "$@" --compiler ./compiler >out 2>err </dev/null &
    pid=$!
    for _ in $(seq 600); do [ -s other ] && break; sleep 0.1; done
    [ "$signal" = none ] || kill "-$signal" $pid
    wait $pid 2>/dev/null
    status=$?
    [ "$status" -eq "$wanted" ] || fail "$*: status $status, not $wanted: $(head -5 out err)"
    for _ in $(seq 600); do grep -qs '^State:[[:space:]]*[^Z[:space:]]' "/proc/$(cat other)/status" || return; sleep 0.1; done
    kill -KILL "$(cat other)"
    fail "$*: what its compiler has started goes on"
}
ends_with 3 TERM check kernel.cu
ends_with 137 KILL check kernel.cu
ends_with 3 none check kernel.cu --timeout 0.5
ends_with 3 TERM inspect kernel.cu
echo '// PTXLITMUS kernel k grid 1 block 1' >>kernel.cu
ends_with 3 TERM suite kernel.cu
ends_with 3 none suite kernel.cu --timeout 0.5

# A fault that is known is not lost where an interrupt ends the search for its fix, which compiles again.
cat >fixing <<END
#!/usr/bin/env bash
[[ " \$* " != *' -x '* ]] || { touch compiles; while :; do sleep 1; done; }
cat '$root/tests/kernels/faults/stored/block_barrier.FAULT.ptx' >"\${!#}"
END
chmod +x fixing
cp "$root/tests/kernels/faults/block_barrier.cu" .
checks=$((checks + 1))
"$program" check block_barrier.cu --block 4 --compiler ./fixing >out 2>err </dev/null &
pid=$!
for _ in $(seq 600); do [ -e compiles ] && break; sleep 0.1; done
kill -TERM $pid
wait $pid
[ $? -eq 1 ] && [ -e compiles ] && grep -q 'data-race  block_barrier.cu:' out || fail "a fault whose fix is interrupted: $(cat out err)"

printf '%d checks, %d failures\n' "$checks" "$failed"
[ "$failed" -eq 0 ]
