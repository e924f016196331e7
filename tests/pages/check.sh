#!/usr/bin/env bash
# Pages in HTML: their structure (check.pl), what is on them, and messages.
#
# usage: check.sh PROGRAM
set -u
program=$(realpath "${1:?usage: check.sh PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
command -v perl >/dev/null || { echo 'no perl: skipped'; exit 77; }
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
# refused STATUS TEXT ARGUMENT...: the run ends so, with the text among its messages, and writes no page.
refused() {
    local wanted=$1 text=$2
    shift 2
    "$program" report "$@" >"$work/out" 2>"$work/err"
    [ $? -eq "$wanted" ] && grep -qF -- "$text" "$work/err" || fail "report $*: $(cat "$work/err")"
}

library=litmus/library
cat >"$work/odd.litmus" <<'EOF'
PTX </script><b>&
"<img src=x onerror=alert(1)> </pre>"
.global .u32 x = 0;
P0@cta 0,gpu 0 {
  st.relaxed.gpu.u32 [x], 1; // <i>
}
exists (x == 1)
EOF
"$program" report "$library/message-passing/MP.litmus" "$library/message-passing/MP+cta.litmus" \
    "$library/multi-copy/IRIW.litmus" "$library/proxies/Proxy-surface-texture+fences.litmus" \
    "$library/barriers/MP+bar.litmus" "$library/barriers/Bar-hang.litmus" "$library/atomics/Exch-exch.litmus" \
    "$library/message-passing/MP.litmus" tests/pictures/six.litmus "$work/odd.litmus" -o "$work/pages" \
    >"$work/out" 2>"$work/err" || fail "status $?: $(cat "$work/err")"
[ "$(cat "$work/out")" = "10 pages: $work/pages/index.html" ] || fail "it says: $(cat "$work/out")"
perl tests/pages/check.pl "$work"/pages/*.html || fail 'structure'
[ -e "$work/pages/MP.html" ] && [ -e "$work/pages/MP-2.html" ] || fail 'two tests of one name'
# Several tests of a file whose name cannot be printed as it is.
odd=$work/$(printf 'two\001.ptx')
cp tests/cases/inputs/modules/warps.ptx "$odd"
"$program" report "$odd" -o "$work/kernels" >"$work/out" 2>"$work/err" || fail "an odd name: status $?: $(cat "$work/err")"
[ "$(cat "$work/out")" = "9 pages: $work/kernels/index.html" ] || fail "of an odd name it says: $(cat "$work/out")"
page=$work/pages/MP.html
grep -q 'P0:1 synchronises with P1:0 (PTX ISA 8.9.4)' "$page" || fail 'no reason'
grep -q '<tr><th scope="row">sc</th><td>forbidden</td>' "$page" || fail 'no verdict on sc'
grep -q '<td>allowed</td><td>Blackwell: B200</td>' "$work/pages/IRIW.html" || fail 'no verdict on sm_100'
grep -q '<td>forbidden</td><td>[^<]*multi-copy\|<th scope="row">mca</th><td>forbidden</td>' "$work/pages/IRIW.html" ||
    fail 'no verdict on mca'
[ "$(grep -c '<details open id="o' "$page")" -eq 3 ] || fail 'not an execution for each outcome'
[ "$(grep -c '<svg role="img"' "$page")" -eq 4 ] || fail 'not a picture for each outcome and the question'

# Several at once: the same pages under the same names, messages and status, and nothing else in the folder.
"$program" report -j 3 "$library"/message-passing/MP{,+cta,+relaxed}.litmus "$work/odd.litmus" "$work/odd.litmus" tests/pages/wrong.litmus "$work/missing.litmus" \
    -o "$work/three" >"$work/out3" 2>"$work/err3"
status=$?
"$program" report "$library"/message-passing/MP{,+cta,+relaxed}.litmus "$work/odd.litmus" "$work/odd.litmus" tests/pages/wrong.litmus "$work/missing.litmus" \
    -o "$work/one" >"$work/out1" 2>"$work/err1"
[ $? -eq $status ] || fail "status $status with several at once"
diff -r "$work/one" "$work/three" >"$work/diff" || { head "$work/diff"; fail 'other pages with several at once'; }
diff "$work/err1" "$work/err3" || fail 'other messages with several at once'
[ "$(sed 's/:.*//' "$work/out1")" = "$(sed 's/:.*//' "$work/out3")" ] || fail "$(cat "$work/out3")"
ls -A "$work/three" | grep -q '^[.]' && fail 'pages without a name'

refused 2 "'report' needs '-o DIR'" "$library/message-passing/MP.litmus"
refused 2 "'-o' needs DIR" "$library/message-passing/MP.litmus" -o
refused 2 "no test: give files" -o "$work/none"
refused 2 "'report' has no option '--format'" --format json x -o "$work/none"
refused 2 "'report' takes one model and one target" --target sm_70,sm_80 x -o "$work/none"
refused 4 "cannot make the folder $work/odd.litmus: Not a directory" MP -o "$work/odd.litmus"
refused 4 "cannot make the folder $work/none/deep: No such file or directory" MP -o "$work/none/deep"
refused 2 "cannot read the file" "$work/missing.litmus" -o "$work/none"
"$program" report tests/pages/wrong.litmus -o "$work/wrong" >/dev/null 2>"$work/err"
[ $? -eq 1 ] && grep -q '<td>NO</td>' "$work/wrong/index.html" || fail 'an expectation that fails'
# Of a kernel: verdict, why and fix come first; findings are marked in the source and in its PTX, and data for debuggers left out.
# A compiler that knows the kernels stands in for nvcc.
cp tests/kernels/faults/{flag,arrivals}.cu "$work"
cat >"$work/compiler" <<EOF
#!/bin/sh
for out; do case \$out in *.cu) name=\${out##*/} ;; esac; done
[ -n "\$name" ] || exit 1
cat "$PWD/tests/kernels/faults/stored/\${name%.cu}.FAULT.ptx" >"\$out"
printf '.section .debug_str\\n{\\n.b8 112\\n}\\n' >>"\$out"
EOF
chmod +x "$work/compiler"
"$program" report "$work/flag.cu" --compiler "$work/compiler" -o "$work/kernel" >/dev/null 2>&1
page=$work/kernel/flag.html
perl tests/pages/check.pl "$page" || fail 'structure of the page of a kernel'
first=$(grep -m 1 '<h2' "$page")
[ "$first" = '<h2 id="wrong">What is wrong</h2>' ] || fail "the page of a kernel begins with $first"
for words in 'data-race  flag.cu:7 ' 'why        the load at flag.cu:13 reads from' '^  fix  ' 'confirmed: with it, free' \
    '<span id="S7" class="found">.*data\[0\] = 42;  <b>data-race</b>' '<span id="S16" class="found">.*<b>data-race</b>' \
    '<span id="L[0-9]*" class="found">.*st.global.u32 .*<b>data-race</b>' '<span>4 lines for debuggers are left out</span>'; do
    grep -q -- "$words" "$page" || fail "the page of a kernel does not say: $words"
done
[ "$(grep -o '<span id="[SL][0-9]*" class="found">' "$page" | wc -l)" -eq 4 ] || fail 'marks in the source'
grep -q 'b8 112' "$page" && fail 'data for debuggers are shown'
grep -qF '\x09' "$page" && fail 'a tab is shown by its number'
grep -q 'id="outcomes"' "$page" && fail 'outcomes that nothing is asked of'
# The same where a manifest says how it is launched, and nothing is asked.
"$program" check "$work/flag.cu" --compiler "$work/compiler" --save="$work/flag.cu.litmus" >/dev/null 2>&1
"$program" report "$work/flag.cu" --compiler "$work/compiler" -o "$work/manifest" >/dev/null 2>&1 || true
grep -q 'data-race  flag.cu:7 ' "$work/manifest/flag.html" || fail 'the page of a kernel with a manifest'
rm "$work/flag.cu.litmus"
# A module that was made of a file in Python: it is shown, from where the module says or from next to it. (Two threads race, too;
# tests/cases/check-python.case has all of them.)
mkdir "$work/python" "$work/python/kernels"
cp tests/cases/inputs/kernels/python.ptx "$work/python"
printf '1\n2\n3\n4\n5\n6\n7\n8\n9\nstore <&>\nsum\n12\n' >"$work/python/kernels/sum.py"
for place in kernels/sum.py sum.py; do
    (cd "$work/python" && "$program" report python.ptx --threads 0,1 -o pages >/dev/null 2>&1)
    page=$work/python/pages/sum_kernel.html
    perl tests/pages/check.pl "$page" || fail 'structure of the page of a module of Python'
    for words in '<h3>Python</h3>' '<span id="S10" class="found">.*store &lt;&amp;&gt;  <b>data-race</b>' '<span id="S11" class="found">'; do
        grep -q -- "$words" "$page" || fail "the page of a module of Python ($place) does not say: $words"
    done
    [ "$place" = sum.py ] || mv "$work/python/kernels/sum.py" "$work/python"
done
rm "$work/python/sum.py"
(cd "$work/python" && "$program" report python.ptx --threads 0,1 -o pages >/dev/null 2>&1)
grep -q '<h3>Python</h3>' "$page" && fail 'a source that is not there is shown'
"$program" report "$work/arrivals.cu" --compiler "$work/compiler" -o "$work/kernel" >/dev/null 2>&1
sed -n '/id="wrong"/,/section/p' "$work/kernel/arrivals.html" | grep -q '  fix  ' || fail 'no fix is shown without a race'
# The index: what is not as it should be, then what is open, then the rest.
"$program" report "$library/message-passing/MP.litmus" tests/cases/inputs/loop.litmus tests/pages/wrong.litmus -o "$work/sorted" >/dev/null 2>&1
[ "$(grep -o '<tr class="[a-z]*">' "$work/sorted/index.html" | tr -d '\n')" = '<tr class="bad"><tr class="open"><tr class="good">' ] ||
    fail "the order of the index: $(grep '<tr' "$work/sorted/index.html")"
printf '%d failures\n' "$failures"
exit $((failures > 0))
