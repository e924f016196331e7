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
printf '%d failures\n' "$failures"
exit $((failures > 0))
