#!/usr/bin/env bash
# ./dev says how far a build is after two seconds, and is silent when it is faster; what a failed step printed is shown. What the
# page for browsers needs is installed where it is asked for, and not otherwise. With a cmake and an apt-get that only pretend, in
# a copy of the script.
set -u
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
cp "$source/dev" "$work/dev"
cat >"$work/bin/cmake" <<'SH'
#!/usr/bin/env bash
[ "$1" = --build ] || exit 0
echo '[1/9] Building first.c'
# A slow one goes on until it was seen, however long that takes on a busy machine.
for ((tries = 0; tries < 6000 && PRETENDED; tries++)); do
    grep -q 'building, .*Building first' "$WATCHED" && break
    sleep 0.1
done
echo 'the last line of the log'
exit "$RESULT"
SH
chmod +x "$work/bin/cmake"
export PATH="$work/bin:$PATH" WATCHED="$work/text"
failed=0

# expect NAME PATTERN STATUS: of the text of the run before.
expect() {
    [ "$status" -eq "$3" ] || { printf 'FAIL %s: status %d\n' "$1" "$status"; failed=1; }
    tr '\r' '\n' <"$work/text" | sed 's/\x1b\[K//g' | grep -qE -- "$2" ||
        { printf 'FAIL %s: nothing matches /%s/ in:\n' "$1" "$2"; cat "$work/text"; failed=1; }
}

PRETENDED=1 RESULT=0 "$work/dev" build >"$work/text" 2>&1
status=$?
expect 'a slow build' '^dev: building, [0-9]+ s: \[1/9\] Building first\.c$' 0
PRETENDED=0 RESULT=3 "$work/dev" build >"$work/text" 2>&1
status=$?
expect 'a build that fails' '^the last line of the log$' 1
expect 'a build that fails' '^dev: failed: cmake --build' 1
begun=$(date +%s)
PRETENDED=0 RESULT=0 "$work/dev" build >"$work/text" 2>&1
status=$?
took=$(($(date +%s) - begun))
expect 'a fast build' '^dev: building in build \(preset release\)$' 0
if [ $took -lt 2 ] && grep -q 'building,' "$work/text"; then
    echo 'FAIL a fast build: it says how far it is'
    failed=1
fi
if command -v script >/dev/null; then
    PRETENDED=1 RESULT=0 script -qfec "$work/dev build" "$work/text" </dev/null >/dev/null
    status=$?
    expect 'a slow build on a terminal' '^dev: building, [0-9]+ s: \[1/9\] Building first\.c$' 0
fi

# asked WORD...: runs ./dev setup as root on a Debian without the tools of the page: sets `packages` to those that apt-get gets.
asked() {
    : >"$work/packages"
    PATH=$work/tools "$work/dev" setup "$@" >"$work/text" 2>&1
    status=$?
    packages=$(grep -E '^(emscripten|nodejs|chromium|firefox-esr)$' "$work/packages" | sort -u | tr '\n' ' ')
}

if grep -qs '^ID=debian$' /etc/os-release; then
    mkdir "$work/tools"
    ln -s /bin/* /usr/bin/* "$work/tools/" 2>/dev/null
    rm -f "$work/tools/"{emcmake,node,chromium,firefox,firefox-esr,apt-get,id,clang}
    printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>"%s"\n' "$work/packages" >"$work/tools/apt-get"
    printf '#!/bin/sh\necho 0\n' >"$work/tools/id"
    printf '#!/bin/sh\necho /\n' >"$work/tools/clang"
    chmod +x "$work/tools/"{apt-get,id,clang}
    asked
    [ "$packages" = 'chromium ' ] || { echo "FAIL setup: it installs '$packages'"; cat "$work/text"; failed=1; }
    asked web
    [ "$packages" = 'chromium emscripten firefox-esr nodejs ' ] || { echo "FAIL setup web: it installs '$packages'"; cat "$work/text"; failed=1; }
    expect 'setup web' '^dev: installing them: apt-get install emscripten nodejs' 0
    asked wbe
    [ -z "$packages" ] || { echo "FAIL setup wbe: it installs '$packages'"; failed=1; }
    expect 'setup wbe' "^dev: no part 'wbe' of the setup; there is 'web'$" 1
fi
exit $failed
