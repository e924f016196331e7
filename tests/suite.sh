#!/usr/bin/env bash
# The command `suite`: 500 tests as in CI, its statuses, reports in JUnit's XML, TAP, JSON and GitHub's
# annotations, manifests, --update, --filter, --fail-fast, limits, shards, and messages about bad input.
#
# usage: suite.sh PROGRAM GENERATE        (GENERATE: ptxlitmus-generate, which makes the 500 tests)
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: suite.sh PROGRAM GENERATE}") || exit 2
generate=$(realpath "${2:?usage: suite.sh PROGRAM GENERATE}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
library=$PWD/litmus/library faults=$PWD/tests/kernels/faults loop=$PWD/tests/cases/inputs/loop.litmus
of_command=suite
cd "$work" || exit 2

# --- Statuses, one kind of test each -------------------------------------------------------------
mkdir kinds
cp "$library/message-passing/MP.litmus" kinds/pass.litmus
sed 's/expect forbidden/expect allowed/' kinds/pass.litmus >kinds/fail.litmus
sed 's/st\.weak/st.wek/' kinds/pass.litmus >kinds/broken.litmus
cp "$loop" kinds/open.litmus
grep -q '^expect' kinds/open.litmus || echo 'expect allowed;' >>kinds/open.litmus
sed '/^expect/d' kinds/pass.litmus >kinds/silent.litmus
{
    sed '/^exists/,$d' kinds/pass.litmus
    echo 'filter (P1:%r0 == 7)'
    echo 'exists (P1:%r0 == 7)'
    echo 'expect forbidden;'
} >kinds/empty.litmus

expect 0 '1 test: 1 passed' kinds/pass.litmus
expect 1 '1 test: 0 passed, 1 failed' kinds/fail.litmus
expect 1 "kinds/fail.litmus:11:8: expected allowed, but the condition is forbidden under ptx-9.1" kinds/fail.litmus
expect 1 "P1:1 reads a value that P0:0 overwrites" kinds/fail.litmus
expect 2 '1 test: 0 passed, 1 broken' kinds/broken.litmus
sed 's/st\./sst./' kinds/pass.litmus >three.litmus
expect 2 '1 test: 0 passed, 1 broken' three.litmus
[ "$(grep -c "three.litmus:[89]:" out)" -ge 2 ] || fail "not all errors of an input are shown: $(cat out)"
expect 3 '1 test: 0 passed, 1 undecided' kinds/open.litmus
expect 3 'the loop at line 6 goes on after 2 rounds (--unroll 2; no bound is known to be enough)' kinds/open.litmus
expect 0 '1 test: 1 passed' --unroll 5 kinds/open.litmus
expect 1 "kinds/silent.litmus:10:9: nothing is expected: 'exists' without an 'expect' cannot fail" kinds/silent.litmus
expect 1 'kinds/empty.litmus:11:9: there is no outcome: the filter leaves out every execution that ends' kinds/empty.litmus
expect 2 '2 tests: 0 passed, 1 failed, 1 broken' kinds/fail.litmus kinds/broken.litmus
expect 1 '2 tests: 0 passed, 1 failed, 1 undecided' kinds/fail.litmus kinds/open.litmus
expect 2 '2 tests: 0 passed, 1 undecided, 1 broken' kinds/broken.litmus kinds/open.litmus
expect 2 '6 tests: 1 passed, 3 failed, 1 undecided, 1 broken' kinds
expect 2 "kinds/none.litmus: cannot read" kinds/none.litmus
expect 2 "no tests in this folder" "$(mkdir -p none && echo none)"
expect 3 'the time limit of 1e-06 s was reached' --timeout 0.000001 kinds/pass.litmus

# --- The expectation that failed shows an execution: of races, hangs, and of what violates -----------
sed 's/expect forbidden/expect forbidden, no race/' kinds/pass.litmus >race.litmus
expect 1 'data-race between P0 line 8' race.litmus
sed 's/expect forbidden/expect always/' kinds/pass.litmus >always.litmus
expect 1 'This execution has the outcome, and breaks no axiom' always.litmus
sed -e 's/^exists/forall/' -e '/^expect/d' kinds/pass.litmus >forall.litmus
expect 1 'This execution has the outcome, and breaks no axiom' forall.litmus
expect 1 'forall.litmus:10:9: forall, but the condition is violated' forall.litmus

# --- Reports ------------------------------------------------------------------------------------------
expect 2 'kinds/broken.litmus' --report junit=kinds.xml --report tap=kinds.tap --report json=kinds.json --report github=kinds.github \
    --report text=kinds.text kinds
cmp -s kinds.text out || fail 'the report in text is not what was printed'
grep -qx '::error file=kinds/fail.litmus,line=11,col=8,title=failed kinds/fail.litmus (MP)::expected allowed, but the condition is forbidden under ptx-9.1: none of 3 outcomes satisfies it' \
    kinds.github || fail "annotations: $(grep :: kinds.github)"
[ "$(grep -c '^::error' kinds.github)" -eq 5 ] || fail "$(grep -c '^::error' kinds.github) annotations"
expect 2 '1..6' --results kinds.json --format tap
cmp -s kinds.tap out || fail 'TAP of --results differs'
expect 2 '</testsuites>' --results kinds.json --format junit
cmp -s kinds.xml out || fail 'JUnit of --results differs'
expect 4 'cannot write none/x.xml: ' --report junit=none/x.xml kinds/pass.litmus "$(rmdir none; echo kinds/pass.litmus)"
[ ! -e /dev/full ] || {
    "$program" suite --format tap kinds/pass.litmus >/dev/full 2>err
    [ $? -eq 4 ] || fail 'a full disk'
}

# --- GitHub's runner takes lines that begin with '::', and '##[' anywhere, as commands -------------------
# Of a file's text and its name nothing may be one, on the standard output, among the messages or in a report.
mkdir hostile hostile/more
printf '::stop-commands::token\n' >hostile/first.litmus
printf 'PTX T\n{\n ::error file=README.md::injected\n}\n' >hostile/line.litmus
printf 'PTX T ##[add-mask]x\n\t\302\240::warning::y\r::debug::z\n' >hostile/more/blanks.litmus
sed '1s/.*/PTX ::notice::name ##[group]x/' kinds/fail.litmus >hostile/::error::name.litmus
cp kinds/fail.litmus 'hostile/##[error]x.litmus'
printf 'hostile/first.litmus: ::error::\n' >hostile.suite
printf '::error::x\n##[group]\n' >paths.suite
commands() { grep -acE '^[[:space:]]*::|##\[' "$@"; }
for inputs in hostile 'hostile/::error::name.litmus' hostile.suite paths.suite '-- ::error::name.litmus'; do
    # shellcheck disable=SC2086 # a list of words
    (cd "$([[ $inputs == --* ]] && echo hostile || echo .)" && "$program" suite --format github --report github=$work/copy.github $inputs) >out 2>err </dev/null
    checks=$((checks + 1))
    [ "$(commands err)" -eq 0 ] || fail "commands among the messages of $inputs: $(cat err)"
    grep -avE '^::error file=[^:,]*(,line=[0-9]+,col=[0-9]+)?,title=[^:]*::[^:]' out >rest
    [ "$(commands rest)" -eq 0 ] || fail "commands in the output of $inputs: $(commands rest)"
    [ -s out ] || [ "$inputs" = hostile.suite ] || fail "no output of $inputs"
    [ ! -e copy.github ] || cmp -s copy.github out || fail "the report of $inputs is not what was printed"
    rm -f copy.github
done
"$program" suite --format github hostile >out 2>err
[ "$(grep -ac '^::error file=' out)" -eq 5 ] || fail "$(grep -ac '^::error file=' out) annotations of what is hostile"
"$program" suite --format github --update 'hostile/##[error]x.litmus' >out 2>err
grep -qF 'updated hostile/##\x5berror]x.litmus: 1 expectation' out || fail "an update for GitHub: $(cat out err)"

# --- Names with controls of C1, and marks that turn the direction of writing --------------------------------
hidden=$'\302\2331m\302\205\342\200\256'
mkdir "hidden$hidden"
sed "1s/.*/PTX N$hidden/" kinds/fail.litmus >"hidden$hidden/fail$hidden.litmus"
sed 's/st\.weak/st.wek/' "hidden$hidden/fail$hidden.litmus" >"hidden$hidden/broken$hidden.litmus"
printf 'hidden%s/fail%s.litmus: allowed\nnone%s#x: allowed\n' "$hidden" "$hidden" "$hidden" >"of$hidden.suite"
for format in text json junit tap github; do
    "$program" suite --format $format --report $format=copy "hidden$hidden" "of$hidden.suite" >out 2>err
    [ $? -eq 2 ] || fail "names with controls, $format: $(cat err)"
    checks=$((checks + 1))
    LC_ALL=C grep -qaP '\xc2[\x80-\x9f]|\xe2\x80\xae' out err copy && fail "names with controls, $format: $(cat -v out err)"
done
for command in diff observed compare merge; do
    "$program" $command "none$hidden" "none$hidden" >out 2>err
    [ $? -eq 2 ] || fail "$command of a file that is not there"
    LC_ALL=C grep -qaP '\xc2[\x80-\x9f]|\xe2\x80\xae' out err && fail "names with controls, $command: $(cat -v err)"
done

# --- 500 tests: none expects anything, then all what came, then one fails ----------------------------
mkdir many
"$generate" --seed 18 --count 500 --kind shapes --cap 2000 --out many || exit 2
# (What is wrong is explained, also where a state shows memory that the condition does not name.)
find many -name '000[0-5]*' | sort | xargs "$program" explain --remedies 0 --format json >explained.json 2>err
[ "$(wc -l <explained.json)" -eq 60 ] || fail "$(wc -l <explained.json) of 60 tests are explained: $(head -2 err)"
sed -i -e '/^expect/d' -e 's/^~exists/exists/' -e 's/^forall/exists/' -e 's/^filter .*exists/exists/' -e '/^filter/d' many/*.litmus
expect 1 '500 tests: 0 passed, 500 failed' -j 0 --verdict many
expect 1 'updated many/00000-' -j 0 --verdict --update many
[ "$(grep -c '^updated ' out)" -eq 500 ] || fail "$(grep -c '^updated ' out) files were updated"
[ "$(cat many/*.litmus | grep -cE '^expect (allowed|forbidden|always);$')" -eq 500 ] || fail 'not all expect something'
expect 0 '500 tests: 500 passed' -j 0 --verdict --report junit=many.xml --report tap=many.tap --report json=many.json many
one=$(grep -l '^expect forbidden' many/*.litmus | sed -n 3p) two=$(grep -l '^expect allowed' many/*.litmus | sed -n 5p)
sed -i 's/^expect forbidden/expect allowed/' "$one"
sed -i 's/^expect allowed/expect forbidden/' "$two"
expect 1 '500 tests: 498 passed, 2 failed' -j 0 --verdict --report junit=two.xml --report tap=two.tap --report json=two.json many
printf 'failed %s\nfailed %s\n' "$one" "$two" | sort >wanted
grep '^failed' out | sed 's/ (.*//' | diff - wanted || fail 'the tests that failed'
"$program" suite -j 1 --verdict --format json many >one.json
diff <(sed -E 's/"(solver_ms|total_ms)":[0-9.e-]+//g' one.json) <(sed -E 's/"(solver_ms|total_ms)":[0-9.e-]+//g' two.json) >/dev/null ||
    fail 'one process and several differ'
expect 1 'updated ' -j 0 --verdict --update "$one" "$two"
expect 0 '2 tests: 2 passed' --verdict "$one" "$two"

# --- JUnit's XML by a parser, and TAP by prove ---------------------------------------------------------
if command -v python3 >/dev/null; then
    python3 - kinds.xml 6 3 2 many.xml 500 0 0 two.xml 500 2 0 <<'END' || fail "JUnit's XML"
import sys, xml.etree.ElementTree as tree
def check(path, tests, failures, errors):
    root = tree.parse(path).getroot()
    assert root.tag == "testsuites", root.tag
    total = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for suite in root:
        assert suite.tag == "testsuite" and suite.get("name"), path
        counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
        for case in suite:
            assert case.tag == "testcase" and case.get("name") and case.get("classname") and float(case.get("time")) >= 0
            counts["tests"] += 1
            assert len(case) <= 1
            for child in case:
                counts[{"failure": "failures", "error": "errors", "skipped": "skipped"}[child.tag]] += 1
                assert child.get("message") and (child.tag == "skipped" or child.text.strip())
        for name, count in counts.items():
            assert int(suite.get(name)) == count, (path, name)
            total[name] += count
    for name, count in total.items():
        assert int(root.get(name)) == count, (path, name)
    assert (total["tests"], total["failures"], total["errors"]) == (tests, failures, errors), (path, total)
args = sys.argv[1:]
while args:
    check(args[0], *map(int, args[1:4]))
    args = args[4:]
try:
    import junitparser
    xml = junitparser.JUnitXml.fromfile("two.xml")
    assert (xml.tests, xml.failures, xml.errors) == (500, 2, 0)
except ImportError:
    print("no junitparser: only Python's own parser has read the XML")
END
else
    echo "no python3: JUnit's XML was not parsed"
fi
if command -v prove >/dev/null; then
    prove -Q --exec cat many.tap >prove.out 2>&1 || fail "prove, all pass: $(cat prove.out)"
    grep -q 'Files=1, Tests=500,' <(prove --exec cat many.tap 2>&1) || fail 'prove does not count 500 tests'
    prove --exec cat two.tap >prove.out 2>&1 && fail 'prove finds nothing in a suite that failed'
    grep -qE 'Failed 2/500 subtests' prove.out || fail "prove: $(cat prove.out)"
    prove --exec "$program suite --verdict --format tap" "$one" "$two" >prove.out 2>&1 || fail "prove --exec: $(cat prove.out)"
else
    echo 'no prove: TAP was not read'
fi

# --- Which tests run ---------------------------------------------------------------------------------
expect 0 '1 test: 1 passed, 499 left out' --verdict --filter 00017- many
expect 0 '11 tests: 11 passed, 489 left out' --verdict --filter 00017- --filter '/0002?-' many
expect 0 '1 test: 1 passed, 1 left out' --filter 'pass.litmus#MP' kinds/pass.litmus kinds/fail.litmus
expect 2 "ptxlitmus: error: '--filter' leaves out all 500 tests" --verdict --filter nothing many
expect 1 '3 tests: 0 passed, 1 failed, 2 not run' --fail-fast kinds/fail.litmus kinds/pass.litmus kinds/broken.litmus
"$program" suite --fail-fast --format tap kinds/fail.litmus kinds/pass.litmus >out
grep -qx 'ok 2 - kinds/pass.litmus # SKIP not run' out || fail "TAP of what was not run: $(cat out)"
"$program" suite --fail-fast --format junit kinds/fail.litmus kinds/pass.litmus >out
grep -q 'tests="2" failures="1" errors="0" skipped="1"' out || fail 'JUnit of what was not run'

# --- Manifests -------------------------------------------------------------------------------------------
cat >own.suite <<'END'
# what we expect of tests that are not ours
kinds/pass.litmus: forbidden
kinds/silent.litmus: forbidden, race
END
expect 0 '2 tests: 2 passed' own.suite
printf 'kinds/\nkinds/fail.litmus: forbidden\nkinds/silent.litmus#MP: forbidden\nkinds/open.litmus: allowed\n' >folder.suite
expect 2 '6 tests: 3 passed, 1 failed, 1 undecided, 1 broken' folder.suite
printf 'pass.litmus: allowed\n' >kinds/wrong.suite
expect 1 'kinds/wrong.suite:1:14: expected allowed, but the condition is forbidden' kinds/wrong.suite
expect 1 'updated kinds/wrong.suite: 1 expectation' --update kinds/wrong.suite
[ "$(cat kinds/wrong.suite)" = 'pass.litmus: forbidden' ] || fail "a manifest that was updated: $(cat kinds/wrong.suite)"
printf 'kinds/pass.litmus\nkinds/gone.litmus: forbidden\nkinds/pass.litmus#XY: allowed\nkinds/left\n' >dangling.suite
expect 1 'dangling.suite:2:1: this line names no test: there is no such file' dangling.suite
expect 1 "dangling.suite:3:1: this line names no test: the tests of the file are 'MP'" dangling.suite
expect 1 'line 4 of dangling.suite names no test: there is no such file' dangling.suite
expect 1 '4 tests: 1 passed, 3 failed' dangling.suite
# A manifest may list what its author may not read. Of a file that is not a test, no line is shown.
echo 'secret=31337 is the first line' >kinds/note
ln -s note kinds/note.test
for name in note note.test; do
    printf 'kinds/%s\n' $name >secret.suite
    expect 2 "kinds/$name: error: this is not a test, but a manifest lists it" secret.suite
    for format in text json junit tap github; do
        "$program" suite --format $format secret.suite >out 2>err
        ! grep -q 31337 out err || fail "what is not a test is shown, $format: $(cat out err)"
    done
done
rm kinds/note*

# --- Bad manifests and options, word for word --------------------------------------------------------------
bad_manifest() { # TEXT MESSAGE
    printf '%b' "$1" >bad.suite
    checks=$((checks + 1))
    "$program" suite bad.suite >out 2>err
    local status=$?
    [ $status -eq 2 ] || fail "a bad manifest: status $status"
    diff err - <<<"$2" || fail "a bad manifest: $1"
}
bad_manifest 'kinds/pass.litmus: forbiden\n' "bad.suite:1:20: error: expected 'allowed', 'forbidden', 'always', 'race', 'no race', 'hang', 'no hang', 'trap', 'no trap', 'reachable', 'unreachable', 'terminates' or 'may-hang', not 'forbiden'
kinds/pass.litmus: forbiden
                   ^^^^^^^^
hint: did you mean 'forbidden'?"
bad_manifest 'kinds: forbidden\n' "bad.suite:1:1: error: what is expected is said file by file, and this is a folder
kinds: forbidden
^^^^^"
bad_manifest '  : forbidden\n' "bad.suite:1:3: error: this line has no path
  : forbidden
  ^^^^^^^^^^^"
bad_manifest 'kinds/pass.litmus#MP\n' "bad.suite:1:1: error: the line says nothing of the test 'MP'
kinds/pass.litmus#MP
^^^^^^^^^^^^^^^^^^^^
hint: such as ': forbidden' follows; without '#' and a name, a line lists a file with all its tests"
bad_manifest 'kinds/pass.litmus: forbidden\nkinds/pass.litmus: allowed\n' "bad.suite:2:1: error: this test has a row already
kinds/pass.litmus: allowed
^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: it is on line 1"
bad_manifest '# nothing\n' 'bad.suite: error: no tests in this manifest: it has no line with a path'
bad_manifest 'kinds/pass.litmus: forbidden, allowed\n' "bad.suite:1:31: error: 'allowed' is a second verdict: the test expects 'forbidden'
kinds/pass.litmus: forbidden, allowed
                              ^^^^^^^
hint: 'forbidden' is on line 1"
expect 2 'none.suite: error: cannot read the file: No such file or directory' none.suite
expect 2 "ptxlitmus: error: no test: give files, folders, manifests, or '--module -' for a module on the standard input"
expect 2 "ptxlitmus: error: 'suite' prints '--format text', 'json', 'junit', 'tap', 'github' or 'sarif', not 'xml'" --format xml kinds
expect 2 "ptxlitmus: error: '--report' takes FORMAT=FILE, such as junit=results.xml, with the format text, json, junit, tap, github or sarif, not 'junit'" --report junit kinds
expect 2 "ptxlitmus: error: 'suite' has no option '--races'" --races kinds
expect 2 "ptxlitmus: error: 'suite' takes one model and one target" --target sm_70,sm_90 kinds
expect 2 "ptxlitmus: error: '--filter' needs PATTERN" kinds --filter
expect 2 "ptxlitmus: error: '--manifest' says how the module of '--module' is launched" --manifest own.suite kinds
expect 2 "ptxlitmus: error: '--shard' prints '--format json', which 'ptxlitmus merge' joins" --shard 1/2 kinds
expect 2 "ptxlitmus: error: '--update' is for a whole suite, not for a shard" --update --shard 1/2 kinds
expect 2 "ptxlitmus: error: '--results' reads what a suite came to: it takes no tests, no '--update' and no '--shard'" --results kinds.json kinds
expect 2 'none.json: error: cannot read' --results none.json
printf '{"file":"x","result":"passed"}\n{"a":1}\n' >bad.json
expect 2 'bad.json: error: line 2: this line is not a result of a suite' --results bad.json
printf '{"file":"x","result"' >bad.json
expect 2 'bad.json: error: line 1: this line is not JSON, or not all of it is there: ' --results bad.json
: >bad.json
expect 2 'bad.json: error: there are no results in this file' --results bad.json
expect 2 "nonsense: error: no model has this name" --model nonsense kinds

# --- Shards: merged, they are the whole suite, with the worst of their statuses ----------------------------
for i in 1 2 3 4; do
    "$program" suite --shard $i/4 --format json kinds folder.suite >shard-$i.json 2>/dev/null
    echo $? >>statuses
done
[ "$(sort -u statuses | wc -l)" -gt 1 ] || fail 'the shards have one status'
"$program" suite --format json kinds folder.suite >whole.json 2>/dev/null
"$program" merge shard-[1-4].json >merged.json
[ $? -eq 2 ] || fail 'the status of the merged shards'
diff <(sed -E 's/"(solver_ms|total_ms)":[0-9.e-]+//g' whole.json) <(sed -E 's/"(solver_ms|total_ms)":[0-9.e-]+//g' merged.json) || fail 'merged shards differ from the whole'
expect 2 '12 tests: 4 passed, 4 failed, 2 undecided, 2 broken' --results merged.json
expect 2 "line 2: this is the end of a shard: 'ptxlitmus merge' joins shards first" --results <(tail -n 2 shard-1.json)

# --- Modules: on the standard input, with the launches in comments or in a file of their own --------------
kernels=$(dirname "$library")/../tests/kernels
sed 's,^,// PTXLITMUS ,' "$kernels/mp.ptx.litmus" | cat "$kernels/mp.ptx" - >mp.ptx
"$program" suite "$kernels/mp.ptx" >wanted 2>/dev/null
status=$?
"$program" suite --module - <mp.ptx >out 2>/dev/null
[ $? -eq $status ] || fail 'a module on the standard input: status'
diff <(tail -n 1 wanted) <(tail -n 1 out) || fail 'a module on the standard input'
sed 's,^,; PTXLITMUS ,' "$kernels/mp.ptx.litmus" >mp.ll
for manifest in mp.ll "$kernels/mp.ptx.litmus"; do
    "$program" suite --module - --manifest "$manifest" <"$kernels/mp.ptx" >out 2>err
    [ $? -eq $status ] || fail "a manifest in $manifest: status: $(cat err)"
    diff <(tail -n 1 wanted) <(tail -n 1 out) || fail "a manifest in $manifest"
done
# Expectations in modules' comments and in their sidecars are updated where they are.
sed 's/expect forbidden/expect allowed/' mp.ptx >comments.ptx
expect 1 'updated comments.ptx: ' --update comments.ptx
expect 0 '4 tests: 4 passed' comments.ptx
cp "$kernels/mp.ptx" sidecar.ptx
sed -e '/^expect/d' -e 's/^~exists/exists/' "$kernels/mp.ptx.litmus" >sidecar.ptx.litmus
expect 1 'updated sidecar.ptx.litmus: 4 expectations' --update sidecar.ptx
expect 0 '4 tests: 4 passed' sidecar.ptx

expect 2 'the file is empty' --module -
expect 2 "kinds/pass.litmus: error: this is not a module of PTX: it does not begin with '.version'" --module kinds/pass.litmus

# --- Kernels in CUDA C++, with a manifest in them or next to them: a compiler that knows one stands in for nvcc -----------
mkdir cuda
cp "$faults/block_barrier.cu" cuda/beside.cu
cat >cuda/beside.cu.litmus <<'END'
global data[64]
kernel _Z13block_barrierPii grid 1 block 2
arg 0 = &data
arg 1 = 2
expect no race
END
{
    cat "$faults/block_barrier.cu"
    sed 's|^|// PTXLITMUS |' cuda/beside.cu.litmus
} >cuda/inside.cu
cp "$faults/block_barrier.cu" cuda/plain.cu
compiler() {
    printf '#!/bin/sh\nfor out; do :; done\ncat "%s" >"$out"\n' "$faults/stored/block_barrier.$1.ptx" >compiler
    chmod +x compiler
}
compiler FIXED
expect 0 '2 tests: 2 passed' --compiler ./compiler cuda
expect 0 '1 test: 1 passed' --compiler ./compiler cuda/beside.cu.litmus
printf 'cuda/inside.cu: no race\n' >cuda.suite
expect 0 '1 test: 1 passed' --compiler ./compiler cuda.suite
compiler FAULT
expect 1 'cuda/beside.cu.litmus:5:8: expected no race, but some execution has one' --compiler ./compiler --report sarif=cuda.sarif cuda
expect 1 'cuda/inside.cu:16:21: expected no race' --compiler ./compiler cuda
for words in '"ruleId":"data-race"' 'why: nothing orders them: they are in one warp' 'fix: line 48 (block_barrier.cu:6)' '"uri":"block_barrier.cu"},"region":{"startLine":10'; do
    grep -qF -- "$words" cuda.sarif || fail "the report for code scanning does not say: $words: $(cat cuda.sarif)"
done
[ "$(grep -oF '"ruleId"' cuda.sarif | wc -l)" -eq "$(grep -oF '"ruleId":"data-race"' cuda.sarif | wc -l)" ] ||
    fail "a race that no test may have is reported twice: $(cat cuda.sarif)"
sed 's/no race/no race/; s/^expect/exists (data[0] == 9)\nexpect forbidden,/' cuda/beside.cu.litmus >two.litmus
cp cuda/plain.cu two.cu
mv two.litmus two.cu.litmus
expect 1 'expected forbidden' --compiler ./compiler --report sarif=two.sarif two.cu
grep -qF '"ruleId":"failed-expectation"' two.sarif || fail "what fails beside a race is not reported: $(cat two.sarif)"
# A hang and a trap that no test may have are results of their own rules, at what is expected, once.
cat >hangs.litmus <<'END'
PTX hangs
P0@cta 0 {
  bar.sync 0, 64;
}
exists (true)
expect allowed, no hang
END
sed -e 's/hangs/traps/' -e 's/bar.sync.*/trap;/' -e 's/no hang/no trap/' hangs.litmus >traps.litmus
for fault in hang trap; do
    expect 1 "expected no $fault" --report sarif=fault.sarif ${fault}s.litmus
    for words in "\"ruleId\":\"$fault\"" '"startLine":6,"startColumn":17'; do
        grep -qF -- "$words" fault.sarif || fail "the report for code scanning does not say: $words: $(cat fault.sarif)"
    done
    [ "$(grep -oF '"ruleId"' fault.sarif | wc -l)" -eq 1 ] || fail "a $fault is not reported once: $(cat fault.sarif)"
done
rm hangs.litmus traps.litmus
expect 1 'updated cuda/beside.cu.litmus: 1 expectation' --compiler ./compiler --update cuda
expect 0 '2 tests: 2 passed' --compiler ./compiler cuda
expect 2 "cuda/plain.cu: nothing says how it is launched, nor what is expected" --compiler ./compiler cuda/plain.cu
expect 2 "cuda/beside.cu: cannot run './none', which compiles it: No such file" --compiler ./none cuda/beside.cu
expect 2 "cuda/beside.cu: 'false' did not compile it: its messages are above" --compiler false cuda/beside.cu
expect 2 "cuda/none.cu: cannot read" --compiler ./compiler cuda/none.cu
rm cuda/beside.cu* cuda/inside.cu
expect 2 'it holds no *.litmus, *.test or *.ptx file, and no *.cu file with a manifest' cuda

echo "$checks checks, $failed failures"
[ "$failed" -eq 0 ]
