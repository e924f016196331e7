#!/bin/bash
# What `ptxlitmus harness` writes, without a GPU: the sources run on an emulated one (emulated/), whose threads are
# fibers and whose PTX is read by an interpreter that shares nothing with ptxlitmus. States are counted, runs repeat
# with their seed, go on where they ended, and end where a test hangs; nothing that the model forbids is seen, and
# what is broken on purpose is.
#
# usage: harness.sh BUILD [COUNT [SEED]]    COUNT random tests are run beside those of the library (24); with 0, nothing is run:
#                                           what is written is looked at alone
# Status 77 without a compiler of C++.
set -u
export LC_ALL=C.UTF-8 NO_COLOR=1
build=$(realpath "${1:?usage: harness.sh BUILD [COUNT [SEED]]}") || exit 2
count=${2:-24} seed=${3:-1}
program=$build/ptxlitmus
. "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
here=$PWD/tests/harness

# $1: the status; then a command. What is printed stays in $work/out and $work/err.
run() {
  local want=$1
  shift
  "$@" > "$work/out" 2> "$work/err"
  local got=$?
  [ $got -eq "$want" ] || { fail "'$*': status $got, not $want"; cat "$work/out" "$work/err"; }
}

says() {
  grep -qF -- "$1" "$work/out" "$work/err" || { fail "not printed: $1"; cat "$work/out" "$work/err"; }
}

# --- Messages -----------------------------------------------------------------------------------

run 2 "$program" harness MP
says "'harness' writes a folder: '-o DIR' says which"
run 2 "$program" harness -o "$work/none"
says 'no test: give files, folders, or names of included tests'
for arch in sm_9 90 sm_90b sm_ compute_90 sm_9000; do
  run 2 "$program" harness MP -o "$work/none" --arch $arch
  says "'--arch' takes a GPU, such as 'sm_90', not '$arch'"
done
run 2 "$program" harness MP -o "$work/none" --arch sm_60
says "the memory model begins with sm_70: '--arch sm_60' has none"
run 2 "$program" harness MP --format json -o "$work/none"
run 2 "$program" harness MP+gpus+sys -o "$work/none"
says 'MP+gpus+sys: it has threads on more than one GPU'
says 'error: none of these tests can run'
run 2 "$program" harness MP MP -o "$work/none"
says "error: another test has the name 'MP', too"
run 2 "$program" harness no-such-test -o "$work/none"
run 2 "$program" harness tests/bad/ptx-missing-scope.litmus -o "$work/none"
says "'.acquire' needs a scope"
[ ! -e "$work/none" ] || fail 'a folder was written after an error'
: > "$work/file"
run 4 "$program" harness MP -o "$work/file"
says 'cannot make the folder'
run 0 "$program" harness MP SB IRIW -o "$work/three"
says "3 tests in 1 file: $work/three/run.sh runs them"
run 4 "$program" harness MP -o "$work/three"
says "'--force' writes the folder again"
run 0 "$program" harness MP -o "$work/three" --force --quiet
[ ! -s "$work/out" ] || fail '--quiet prints'
[ "$(grep -c 'litmus::test entry' "$work/three/tests_00.cu")" -eq 1 ] || fail '--force keeps tests'

# Each test of the library runs or has a reason, which is one of those of the table.
run 0 "$program" harness litmus/library -o "$work/library"
tests=$(find litmus/library -name '*.litmus' | wc -l)
runs=$(sed -n 's/^\([0-9]*\) tests in .*/\1/p' "$work/out")
refused=$(wc -l < "$work/library/refused.txt")
[ $((runs + refused)) -eq "$tests" ] || fail "$runs tests run and $refused do not, of $tests"
[ "$runs" -ge 560 ] || fail "only $runs tests of the library run"
[ "$(find "$work/library/tests" -name '*.litmus' | wc -l)" -eq "$runs" ] || fail 'not each test was copied'
sed 's/^[^:]*: //' "$work/library/refused.txt" | sort -u | while IFS= read -r reason; do
  grep -qF "\"$reason\"" harness/refusals.def || echo "FAIL: no such reason: $reason"
done > "$work/reasons"
[ ! -s "$work/reasons" ] || { fail 'reasons'; cat "$work/reasons"; }
refuses() {
  grep -qxF "$1: $2" "$work/library/refused.txt" || fail "$1 does not say: $2"
}
refuses ISA-CoWR-alias 'it has two addresses of one variable, which takes memory that is mapped twice'
refuses Grid-after+host 'it has several grids, and a run launches one'
refuses Bar-exit-branch 'whether a thread comes to a barrier depends on values'
refuses Bar-count+exit 'fewer threads come to a barrier than it waits for'
refuses Bar-red-and 'it has a barrier that combines values of all threads of the CTA'
refuses Warp-MP 'its threads are lanes of one warp, and here each of them is in a warp of its own'
refuses dependent-launch 'it has several grids, and a run launches one'
run 0 "$program" harness litmus/library -o "$work/old" --arch sm_75
says 'it needs a newer architecture'

if [ "$count" -eq 0 ]; then
  [ $failed -eq 0 ]
  exit
fi

# --- The emulated GPU ---------------------------------------------------------------------------

compiler=${CXX:-c++}
command -v "$compiler" > /dev/null || { echo "skipped: no $compiler"; [ $failed -eq 0 ] && exit 77; exit 1; }

# The headers of C++ take longer to compile than all else.
export NVCC=$here/emulated/nvcc EMULATED_HEADER=$work/first.h
grep -h '^#include <[a-z]*>' harness/runtime/run.h "$here/emulated/cuda_runtime.h" | sort -u > "$EMULATED_HEADER"
"$compiler" -pthread -std=c++17 -O0 -Wall -Wextra -Wno-unused-parameter -Werror -DPTXLITMUS_PTX=90 -x c++-header \
  "$EMULATED_HEADER" -o "$EMULATED_HEADER.gch" || fail 'the headers do not compile'

# Builds and runs a folder with little effort, by its own script. $1: the status, $2: the folder, $3: the memory; then
# options of run.sh. The logs add up to $2/log.
emulated() {
  local want=$1 folder=$2 memory=$3
  shift 3
  EMULATED_MEMORY=$memory EMULATED_SEED=$seed "$folder/run.sh" --launches 3 --tries 1 --limit 64 --hang 0.2 \
    --seed "$seed" "$@" > "$folder/out" 2> "$folder/err"
  local got=$?
  [ $got -eq "$want" ] || { fail "run.sh of $folder: status $got, not $want"; head -20 "$folder/out" "$folder/err"; }
  cat "$folder"/logs/*.log > "$folder/log"
}

cat > "$work/signs.litmus" << 'END'
PTX signs
"Comparisons with signs, of registers and locations of several widths."
.global .s8 a = -1;
.global .u16 b[2] = {65535, 7};
P0@cta 0 {
  .reg .s32 %s;
  .reg .u32 %u;
  .reg .b64 %d;
  .reg .pred %p;
  ld.relaxed.gpu.s8 %s, [a];
  mov.u32 %u, 0x80000000;
  mov.b64 %d, -2;
  setp.lt.s32 %p, %s, 0;
}
P1@cta 1 { .reg .s32 %t; ld.relaxed.gpu.s32 %t, [c]; st.relaxed.gpu.u32 [c], 5; }
.global .u32 c = 0xfffffff0;
exists (P0:%s < 0 /\ P0:%u > 5 /\ P0:%d == -2 /\ P0:%p == 1 /\ a < 0 /\ b[0] > 7 /\ b[1] >= 7 /\ P1:%t <= -16 /\ c != 6)
END
sed -i '/^\.global \.u32 c/d; s/^P0@/.global .u32 c = 0xfffffff0;\nP0@/' "$work/signs.litmus"
cat > "$work/filtered.litmus" << 'END'
PTX filtered
P0@cta 0 { st.relaxed.gpu.u32 [x], 1; ld.relaxed.gpu.u32 %r0, [y]; }
P1@cta 1 { st.relaxed.gpu.u32 [y], 1; ld.relaxed.gpu.u32 %r0, [x]; }
filter (P0:%r0 == 1)
exists (P1:%r0 == 0)
END
sed -i 's/^P0@/.global .u32 x = 0;\n.global .u32 y = 0;\nP0@/' "$work/filtered.litmus"
chosen=(MP MP+cta SB LB 2+2W IRIW MP+fences MP+cta+same Spin-acquire Cas-spin-lock Cas-spin-lock+relaxed
  Bar-count+all Exch-exch Shared-instances Atom-add MP+mapa Bulk-readers Mbarrier-MP Cluster-MP+relaxed+fence Cp-bar+waited "$work/signs.litmus" "$work/filtered.litmus")
run 0 "$program" harness "${chosen[@]}" -o "$work/some"
emulated 0 "$work/some" tso
grep -qF '1 programs for sm_90a, PTX 9.0: as the tests have it' "$work/some/out" || fail 'what was built is not compared'
cp "$work/some/log" "$work/first.log"
run 0 "$program" observed "$work/first.log" "$work/some/tests"
says "${#chosen[@]} tests: 0 with a forbidden state, 0 undecided"
[ "$(grep -c '^Effort' "$work/first.log")" -eq ${#chosen[@]} ] || fail 'not each test has its effort'
# a memory that delays stores is caught where the model is sequentially consistent, and shows SB in the control
run 1 "$program" observed --target sc "$work/first.log" "$work/some/tests"
says 'SB: a FORBIDDEN state was seen'
grep -q '^Effort SB .*control=[1-9]' "$work/first.log" || fail 'the control of SB shows nothing'
grep -q '^Observation SB Sometimes' "$work/first.log" || fail 'SB is not observed'
grep -q '^Observation signs Always' "$work/first.log" || fail 'conditions with signs'
grep -q '^Test filtered' "$work/first.log" && grep -A2 '^Test filtered' "$work/first.log" | grep -q '0:r0=0' &&
  fail 'a state is counted that the filter leaves out'
# one that delays nothing shows nothing of that
emulated 0 "$work/some" sc
run 0 "$program" observed "$work/some/log" "$work/some/tests"
run 0 "$program" observed --target sc "$work/some/log" "$work/some/tests"
grep -q '^Observation SB Never' "$work/some/log" || fail 'SB is seen where stores are not delayed'
says 'no power: the outcome of the control was not seen either'

# The states that satisfy the condition are those that ptxlitmus marks.
marks() {
  sed -n "/^Test $1 /,/^\$/s/^[0-9]* *\*>\(.*\)/\1/p" "$work/first.log" | tr -d ' ' | sed 's/[^=;]*=\([^;]*\);/\1 /g' | sort
}
for name in MP SB LB 2+2W MP+cta Atom-add; do
  "$program" --format text "$name" | sed -n 's/^ *\* *\([0-9-].*\)/\1/p' | tr -s ' ' | sed 's/$/ /' | sort > "$work/ours"
  marks "$name" > "$work/theirs"
  [ -z "$(comm -13 "$work/ours" "$work/theirs")" ] || fail "$name: marks a state that ptxlitmus does not mark"
done
[ -n "$(marks SB)" ] || fail 'no state of SB is marked'

# --- The same seed, resuming, hangs -------------------------------------------------------------

without_times() {
  sed 's/ seconds=[0-9.]*//' "$1"
}
few=(--only SB --only Cas-spin-lock --only Atom-add)
emulated 0 "$work/some" tso "${few[@]}"
cp "$work/some/log" "$work/again.log"
emulated 0 "$work/some" tso "${few[@]}"
diff <(without_times "$work/again.log") <(without_times "$work/some/log") > "$work/diff" ||
  { fail 'a run does not repeat with its seed'; head -20 "$work/diff"; }
seed=$((seed + 1))
emulated 0 "$work/some" tso "${few[@]}"
seed=$((seed - 1))
cmp -s <(without_times "$work/again.log" | sed 's/seed=[0-9]*//') \
  <(without_times "$work/some/log" | sed 's/seed=[0-9]*//') && fail 'the seed changes nothing'

# A run that ended goes on with the tests that are left; one that was interrupted is named.
emulated 0 "$work/some" tso --only MP --only SB
[ "$(grep -c '^Effort' "$work/some/log")" -eq 2 ] || fail '--only runs other tests'
echo 'Begin LB' >> "$work/some/logs/tests_00.log"
emulated 0 "$work/some" tso --resume
grep -q '^Interrupted LB' "$work/some/log" || fail 'the test that was interrupted is not named'
[ "$(grep -c '^Test MP ' "$work/some/log")" -eq 1 ] || fail 'a test was run again'
[ "$(grep -c '^Effort' "$work/some/log")" -eq $((${#chosen[@]} - 1)) ] || fail 'not all tests were run at last'

# A barrier that some wait at for ever ends by the clock, and the tests after it run.
run 0 "$program" harness Bar-hang-crossed MP -o "$work/hang"
emulated 0 "$work/hang" sc
grep -q '^Hang Bar-hang-crossed' "$work/hang/log" || fail 'a hang is not logged'
grep -q '^Effort MP ' "$work/hang/log" || fail 'after a hang nothing runs'
run 0 "$program" observed "$work/hang/log" "$work/hang/tests"

# The threads of a CTA meet in the end where the test's own barriers are not in the way.
run 0 "$program" harness Bar-reuse -o "$work/reuse"
emulated 0 "$work/reuse" sc
grep -q '^Effort Bar-reuse ' "$work/reuse/log" || fail 'the end of a test meets its barriers'
cat > "$work/last.litmus" << 'END'
PTX last
.global .u32 x = 0;
P0@cta 0 { bar.sync 15; st.global.u32 [x], 1; }
P1@cta 0 { bar.sync 15; }
exists (x == 1)
END
"$program" harness "$work/last.litmus" MP -o "$work/last" > "$work/last.out" 2>&1
grep -q '^last: it has barrier 15' "$work/last/refused.txt" || fail 'a test takes the barrier of the harness'

# A thread that waits for what never comes gives up, and its instance does not count.
cat > "$work/waits.litmus" << 'END'
PTX waits
.global .u32 x = 0;
P0@cta 0 {
Again:
  ld.relaxed.gpu.u32 %r0, [x];
  setp.ne.u32 %p, %r0, 1;
  @%p bra Again;
}
P1@cta 1 { st.relaxed.gpu.u32 [x], 2; }
exists (P0:%r0 == 1)
END
run 0 "$program" harness "$work/waits.litmus" -o "$work/waits"
emulated 0 "$work/waits" sc --limit 9
grep -q '^Histogram (0 states)' "$work/waits/log" || fail 'a state of a thread that gave up counts'
grep -q '^Waiting waits [1-9]' "$work/waits/log" || fail 'threads that gave up are not counted'

# Threads of the host, which share memory with the GPU. That each waits for the other shows that both run at once.
cat > "$work/host.litmus" << 'END'
PTX host
.global .u64 x = 5;
.global .s16 y = -3;
P0@host {
  .reg .s32 %s;
  .reg .b64 %a, %b;
  .reg .pred %p;
  atom.add.acq_rel.sys.u64 %a, [x], 7;
  ld.relaxed.sys.s16 %s, [y];
  setp.eq.s32 %p, %s, -3;
  @!%p st.relaxed.sys.u64 [x], 99;
  fence.sc.sys;
  atom.cas.relaxed.sys.b64 %b, [x], 100, 3;
  red.xor.relaxed.sys.b64 [x], 1;
  @%p bra End;
  st.relaxed.sys.u64 [x], 98;
End:
}
P1@cta 0 { ld.relaxed.sys.u64 %r, [x]; }
exists (x == 13 /\ P0:%a == 5 /\ P0:%s == -3 /\ P0:%b == 12 /\ P0:%p == 1)
END
run 0 "$program" harness "$work/host.litmus" Host-sys Host-waits Wait-for-host -o "$work/hosts"
emulated 0 "$work/hosts" sc --hang 60 --limit 1000000 --launches 1
run 0 "$program" observed "$work/hosts/log" "$work/hosts/tests"
says '4 tests: 0 with a forbidden state, 0 undecided'
for name in host Host-waits Wait-for-host; do
  grep -q "^Observation $name Always" "$work/hosts/log" || fail "$name: $(grep "^Observation $name" "$work/hosts/log")"
done
echo 'PTX only-host
.global .u32 x = 0;
P0@host { st.relaxed.sys.u32 [x], 1; }
exists (x == 1)' > "$work/only-host.litmus"
run 2 "$program" harness "$work/only-host.litmus" -o "$work/none"
says 'only-host: all of its threads are of the host'
echo 'PTX host-bits
.global .u32 x = 0;
P0@host { mov.u32 %r0, 1; popc.b32 %r1, %r0; st.relaxed.sys.u32 [x], %r1; }
P1@cta 0 { ld.relaxed.sys.u32 %r0, [x]; }
exists (x == 1)' > "$work/host-bits.litmus"
run 2 "$program" harness "$work/host-bits.litmus" -o "$work/none"
says 'host-bits: it has a thread of the host with an instruction that has no counterpart in C++ here'

# Names that neither C++ nor a log can have as they are.
mkdir "$work/odd"
printf 'PTX a\\\n.global .u32 x = 0;\nP0@cta 0 { st.relaxed.gpu.u32 [x], 1; }\nexists (x == 1)\n' > "$work/odd/a.litmus"
cat > "$work/odd/b.litmus" << 'END'
PTX q */ ??/ nameä b
.global .u32 $x = 0;
P0@cta 0 { st.relaxed.gpu.u32 [$x], 1; // "x"
  /* c */ ld.relaxed.gpu.u32 %r0, [$x]; }
exists (* c *) ($x == 1 /\ (* "d" *) P0:%r0 == 1)
END
run 0 "$program" harness "$work/odd" -o "$work/odder"
emulated 0 "$work/odder" sc
run 0 "$program" observed "$work/odder/log" "$work/odder/tests"
says '2 tests: 0 with a forbidden state, 0 undecided'

run 2 "$work/some/build/tests_00" --seed x
says "--seed takes a number of at least 0, not 'x'"
run 2 "$work/some/build/tests_00" --budget
run 2 "$work/some/run.sh" --budget none
says "--budget takes seconds, not 'none'"
run 2 "$work/some/run.sh" --frobnicate
says "'--frobnicate' is not an option"
run 2 env NVCC=no-such-nvcc "$work/some/run.sh"
says 'nvcc is not in the PATH'

# All tests for a GPU in one call: the sources, and the judgement of logs.
run 0 "$here/gpu.sh" make "$program" "$work/gpu"
tests=$(sed -n 's/^\([0-9]*\) tests in .*/\1/p' "$work/out" | tail -1)
[ "${tests:-0}" -ge 1100 ] || fail "gpu.sh makes only ${tests:-no} tests"
grep -h '^PTX fences-' "$work/gpu/tests"/* | grep -q 'fence.sc' || fail 'gpu.sh makes no cycles with fences'
run 0 "$here/gpu.sh" judge "$program" "$work/some" "$work/first.log"
says "sequentially consistent: ${#chosen[@]} tests: "
grep -q '^sequentially consistent: .* [1-9][0-9]* with a forbidden state' "$work/out" ||
  fail 'a model that is too strong is not noticed'

run 0 "$here/gpu.sh" table "$work/first.log"
[ "$(grep -c '^| [^t]' "$work/out")" -eq ${#chosen[@]} ] || fail 'not each test is in the table'
grep -q '^| SB | [1-9][0-9]* | [0-9]* | [0-9.e+]* | [0-9]* | [0-9.]* | 1 | Emulated-GPU, driver 13.0, CUDA 13.0 |$' "$work/out" ||
  fail "$(grep '^| SB ' "$work/out")"

# --- Random tests -------------------------------------------------------------------------------

# With each memory nothing is seen that the model forbids. What the interpreter does not know ends the program there.
generate=$build/tests/oracle/ptxlitmus-generate
for kind in mixed sizes branches barriers mbarriers async; do
  "$generate" --seed "$seed" --count $(((count + 5) / 6)) --out "$work/random-$kind" --kind $kind --model 9.1 || fail "$kind"
  # those with the same name differ in their numbers
  for file in "$work/random-$kind"/*.litmus; do
    sed -i "1s/\$/-$kind-$(basename "$file" | cut -c1-5)/" "$file"
  done
done
run 0 "$program" harness "$work"/random-* -o "$work/random" --quiet
for memory in sc tso; do
  EMULATED_MEMORY=$memory EMULATED_SEED=$seed "$work/random/run.sh" --launches 3 --tries 1 --limit 64 --hang 0.2 \
    --logs "logs-$memory" > "$work/out" 2>&1
  run 0 "$program" observed "$work/random/logs-$memory"/*.log "$work/random/tests"
  seen=$(cat "$work/random/logs-$memory"/*.log | grep -c '^Effort')
  echo "$seen random tests with the memory $memory"
  [ "$seen" -ge $((count / 4)) ] || fail "only $seen random tests ran"
done

# --- Broken on purpose --------------------------------------------------------------------------

cat > "$work/two.litmus" << 'END'
PTX two
.global .u32 x = 0;
.global .u32 y = 0;
P0@cta 0 { st.weak.global.u32 [x], 1; st.weak.global.u32 [y], 2; }
forall (x == 1 /\ y == 2)
END
cat > "$work/shared.litmus" << 'END'
PTX shared
.shared .u32 x = 0;
P0@cta 0 { atom.relaxed.cta.shared.add.u32 %r0, [x], 1; }
P1@cta 0 { atom.relaxed.cta.shared.add.u32 %r0, [x], 1; }
forall (x == 2)
END

# $1: what is broken, $2: how, as a script of sed; then tests. Something forbidden has to be seen.
broken() {
  local what=$1 how=$2
  shift 2
  rm -rf "$work/broken"
  "$program" harness "$@" -o "$work/broken" --quiet 2> "$work/err" || fail "$what: $*"
  [ "$(cat "$work"/broken/*.cu* | sed "$how" | cksum)" != "$(cat "$work"/broken/*.cu* | cksum)" ] ||
    fail "$what: breaks nothing"
  sed -i 's/differences=$((differences + 1))/:/' "$work/broken/run.sh" # what is built is not compared here
  EMULATED_BREAK=$how emulated 0 "$work/broken" sc
  run 1 "$program" observed "$work/broken/log" "$work/broken/tests"
}
broken 'registers swapped' 's/mov\.b32 %0, %%r0/mov.b32 %0, %%swap/; s/mov\.b32 %1, %%r1/mov.b32 %1, %%r0/; s/%%swap/%%r1/' MP
broken 'another instance' 's/litmus::global(l, s\.instance, 1)), "l"/litmus::global(l, (s.instance + 1) % l.instances, 1)), "l"/; /test0_P1/,/^}/s/litmus::global(l, s\.instance, 0)/litmus::global(l, (s.instance + 1) % l.instances, 0)/' MP
broken 'an instruction dropped' '/test0_P1/,/^}/{/"atom\./d}' Atom-add
broken 'no initial values' 's/words\[i\] = l\.initial.*/words[i] += 0;/' Atom-add
broken 'all instances in one place' 's/const uint64_t cell = .*/const uint64_t cell = instance \& 0;/' Atom-add
broken 'a column of another variable' 's/column_global, 1, 0, 0, 0, 4/column_global, 0, 0, 0, 0, 4/' "$work/two.litmus"
broken 'shared memory of one instance' 's/s\.slot \* l\.form\.shared_bytes/0 * l.form.shared_bytes/' "$work/shared.litmus"
broken 'barriers left out' '/"barrier\.sync/d' Bar-count+all

# --- What was built -----------------------------------------------------------------------------

# $1: what is different, $2: how, as a script of sed; then a test, and what run.sh says of it.
differs() {
  rm -rf "$work/differs"
  "$program" harness "$3" -o "$work/differs" --quiet || fail "$1"
  EMULATED_PTX_ONLY=1 EMULATED_BREAK=$2 run 2 "$work/differs/run.sh" --build-only
  says "$4"
  says 'differences between the tests and what was compiled: nothing is run'
}
differs 'a store that is not there' '/test0_P0/,/^}/{/"st\.weak/d}' MP 'tests_00: MP P0 differs from the test:  st.weak.global.u32 st.release'
differs 'another scope' '/test0_P1/,/^}/s/ld\.acquire\.gpu/ld.acquire.cta/' MP 'tests_00: what was compiled: MP P1: ld.acquire.cta.global.u32 ld.weak.global.u32'
differs 'a fence in the control' '/control0_P0/,/^}/s/"st\.relaxed/"fence.sc.gpu;\\n\\t"\n"st.relaxed/' SB 'SB control P0'
differs 'a thread twice' '/static __global__ void test0/,/^}/{s/test0_P0(l, s);/&/}; /test0_P1(const/,/^}/{s/litmus MP P1/litmus MP P0/}' MP 'MP P0'

[ $failed -eq 0 ] && echo "the harness runs its tests, and notices what is broken"
[ $failed -eq 0 ]
