#!/usr/bin/env bash
# Pages in headless Chromium (they have no scripts, as check.pl sees): they are shown, dark and light differ, they fit a narrow
# window, and print. Skipped (77) where there is no Chromium.
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
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" \
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
printf '%d failures\n' "$failures"
exit $((failures > 0))
