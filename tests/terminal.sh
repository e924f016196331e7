#!/usr/bin/env bash
# What depends on where the output goes: the table on a terminal and the log in a pipe, colours (--color, NO_COLOR,
# TERM), and ASCII where the locale is not UTF-8. Skipped (77) where there is no `script`, which makes the
# terminal.
#
# usage: terminal.sh PROGRAM
set -u

program=$(realpath "${1:?usage: terminal.sh PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
command -v script >/dev/null || { echo 'no script (util-linux): skipped'; exit 77; }
unset NO_COLOR LC_ALL LC_CTYPE LANG
export TERM=xterm LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
test=litmus/library/message-passing/MP+cta.litmus
failed=0 passed=0

# terminal COMMAND: what it prints on a terminal, with $'\e' as <E>.
terminal() { script -qec "$1" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b/<E>/g'; }

# has NAME PATTERN, lacks NAME PATTERN: about the text on stdin, as a whole.
has() {
    if grep -qE -- "$2" "$work/text"; then passed=$((passed + 1)); else
        printf 'FAIL %s: no line matches /%s/ in:\n' "$1" "$2"
        cat "$work/text"
        failed=$((failed + 1))
    fi
}
lacks() {
    if ! LC_ALL=C grep -qaP -- "$2" "$work/text"; then passed=$((passed + 1)); else
        printf 'FAIL %s: a line matches /%s/ in:\n' "$1" "$2"
        cat "$work/text"
        failed=$((failed + 1))
    fi
}

terminal "'$program' $test" >"$work/text"
has 'table on a terminal' 'P1:%r0  P1:%r1'
has 'colours on a terminal' 'MP\+cta: <E>\[1mallowed<E>\[m — 1 of 4'
has 'a satisfying outcome stands out' '^<E>\[1m  \*       1       0<E>\[m$'
has 'expectation in colour' 'expected allowed: <E>\[32myes<E>\[m'
terminal "'$program' --format log $test" >"$work/text"
has 'the log on request' '^Observation MP\+cta Sometimes 1 3$'
lacks 'the log has no colours' '<E>'
"$program" "$test" >"$work/text"
has 'log in a pipe' '^Observation MP\+cta Sometimes 1 3$'
"$program" --format text "$test" >"$work/text"
lacks 'no colours in a pipe' '\x1b'
terminal "NO_COLOR=1 '$program' $test" >"$work/text"
lacks 'NO_COLOR' '<E>'
terminal "NO_COLOR= '$program' $test" >"$work/text"
has 'an empty NO_COLOR says nothing' '<E>'
terminal "TERM=dumb '$program' $test" >"$work/text"
lacks 'a dumb terminal' '<E>'
terminal "'$program' --color never $test" >"$work/text"
lacks '--color never' '<E>'
NO_COLOR=1 "$program" --color always --format text "$test" | sed 's/\x1b/<E>/g' >"$work/text"
has '--color always' '<E>\[1mallowed<E>\[m'
"$program" --color always --format json "$test" >"$work/text"
lacks 'JSON has no colours' '\x1b'
"$program" --color always tests/bad/ptx-missing-scope.litmus 2>&1 | sed 's/\x1b/<E>/g' >"$work/text"
has 'errors in colour' ':8:38: <E>\[1;31merror:<E>\[m .\.acquire. needs a scope'
has 'carets in colour' '^<E>\[1;32m +\^+<E>\[m$'
terminal "'$program' --nonsense" >"$work/text"
has 'usage errors in colour' '^ptxlitmus: <E>\[1;31merror:<E>\[m unknown option'

# Characters. JSON is UTF-8 wherever it goes; the log is ASCII anyway.
printf 'PTX ä\n"Grüße — 漢字 “so”"\n.global .u32 x;\nP0@cta 0 {\n  st.weak.global.u32 [x], 1; // ä\n  st.wéak.global.u32 [x], 1;\n}\nexists (x == 1)\n' >"$work/bad.litmus"
grep -v 'wéak' "$work/bad.litmus" >"$work/grün.litmus"
for locale in C POSIX en_US.ISO-8859-1; do
    for command in "--format text $work/grün.litmus" "$work/bad.litmus" "--nönsense" "merge nö" "@nö" \
        "$work/none-é.litmus" "--jobs 2 --format text $work" "--format text --model ptx-9.1,ptx-7.5 $work/grün.litmus"; do
        # shellcheck disable=SC2086 # the words are options
        LC_ALL=$locale "$program" $command >"$work/text" 2>&1
        lacks "ASCII in $locale: $command" '[^\x00-\x7f]'
        has "something in $locale: $command" '.'
    done
done
LC_ALL=C "$program" --format text "$work/grün.litmus" >"$work/text" 2>&1
has 'dashes, quotation marks and columns in ASCII' '^Gr\?\?e - \?\?\?\? "so"$'
LC_ALL=C "$program" "$work/bad.litmus" >"$work/text" 2>&1
has 'a quoted line in ASCII' '^  st\.w\?ak\.global\.u32 \[x\], 1;$'
LC_ALL=C "$program" --format json "$work/grün.litmus" >"$work/text"
has 'JSON stays UTF-8' '"test":"ä".*grün\.litmus'
LC_ALL='' LANG=C.UTF-8 "$program" --format text "$work/grün.litmus" >"$work/text"
has 'UTF-8 by LANG' 'Grüße — 漢字 “so”'
lacks 'nothing is replaced there' '\?'
# Tests are read in the same way in every locale.
for locale in C C.UTF-8; do LC_ALL=$locale "$program" litmus/library/message-passing | sed 's/^Time.*//' >"$work/$locale"; done
cmp "$work/C" "$work/C.UTF-8" || failed=$((failed + 1))
if [ -c /dev/full ]; then
    LC_ALL=C "$program" --format text "$test" >/dev/full 2>"$work/text"
    [ $? -eq 4 ] || { echo 'FAIL: a full disk in ASCII'; failed=$((failed + 1)); }
    has 'a full disk in ASCII' 'cannot write the output: No space left'
fi
LC_ALL=C "$program" --format text litmus/library/message-passing 2>"$work/text" | head -1 >/dev/null
[ ! -s "$work/text" ] || { echo 'FAIL: a message when the reader goes away'; failed=$((failed + 1)); }

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
