#!/usr/bin/env bash
# Pages in headless Chromium (they have no scripts, as check.pl sees): they are shown, dark and light differ, they fit a narrow
# window, print, and can be read by keyboard and by a reader of screens (access.pl). Skipped (77) where there is no Chromium.
#
# usage: browser.sh PROGRAM [FOLDER]      (FOLDER keeps the screenshots)
set -u
program=$(realpath "${1:?usage: browser.sh PROGRAM [FOLDER]}") || exit 2
keep=${2:-}
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo 'no Chromium: skipped'; exit 77; }
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() { printf 'FAIL %s\n' "$*"; failures=$((failures + 1)); }
# browse OPTION... PAGE: with a profile of its own.
browse() {
    timeout 1200 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" \
        --blink-settings=preferredColorScheme="${colours:-1}" "${@:1:$#-1}" "file://$work/pages/${!#}" >"$work/out" 2>"$work/log"
}
"$program" report litmus/library/message-passing/MP.litmus tests/pictures/six.litmus -o "$work/pages" >/dev/null 2>&1 ||
    fail 'no pages'
browse --screenshot="$work/light.png" --window-size=1100,2600 MP.html
if ! [ -s "$work/light.png" ]; then
    echo 'Chromium does not run here: skipped'
    cat "$work/log"
    exit 77
fi
colours=0 browse --screenshot="$work/dark.png" --window-size=1100,2600 MP.html
browse --screenshot="$work/narrow.png" --window-size=500,2600 six.html
browse --screenshot="$work/index.png" --window-size=1100,600 index.html
browse --print-to-pdf="$work/paper.pdf" MP.html
browse --dump-dom MP.html
grep -q '<svg role="img"\|<table>' "$work/out" || fail 'the page is not read'
for shot in light dark narrow index; do
    [ "$(stat -c %s "$work/$shot.png" 2>/dev/null || echo 0)" -gt 10000 ] || fail "$shot.png is empty"
done
! cmp -s "$work/light.png" "$work/dark.png" || fail 'dark and light are the same'
head -c 5 "$work/paper.pdf" 2>/dev/null | grep -q '%PDF-' || fail 'no pages on paper'
[ -z "$keep" ] || cp "$work"/*.png "$work/paper.pdf" "$keep"
# What a reader of screens and the keyboard meet. The accessibility tree is Chromium's, over its debugging pipe.
if perl -MJSON::PP -e 1 2>/dev/null; then
    "$program" report litmus/library/message-passing/MP+cta.litmus tests/pages/wrong.litmus \
        litmus/library/barriers/Bar-hang.litmus -o "$work/more" >/dev/null 2>&1
    perl tests/pages/access.pl "$browser" "$work/access" "$work"/pages/{MP,index}.html "$work"/more/{MP+cta,wrong,Bar-hang}.html
    status=$?
    [ $status -eq 77 ] || [ $status -eq 0 ] || fail 'access'
fi
# An error in a page is noticed: an empty link, a level that is left out, a table without headers, a trap for the keyboard.
sed -e 's/All tests</</' -e 's/<h2 id="why">Why<.h2>/<h4 id="why">Why<\/h4>/' -e 's/<caption>What each[^<]*<.caption>//' \
    -e 's/scope="col">target/>target/' -e 's/<html lang="en"/<html/' "$work/pages/MP.html" >"$work/pages/faulty.html"
perl tests/pages/access.pl "$browser" "$work/access" "$work/pages/faulty.html" >"$work/faults"
status=$?
for fault in 'a link without a name' 'a heading of level 4 after one of level 2' 'a table has no caption' 'the language is'; do
    [ $status -eq 77 ] || grep -qF "$fault" "$work/faults" || { cat "$work/faults"; fail "not noticed: $fault"; }
done
printf '%d failures\n' "$failures"
exit $((failures > 0))
