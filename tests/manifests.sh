#!/usr/bin/env bash
# Wrong manifests and their exact messages: tests/kernels/manifests.txt has them, each under a line "=== NAME", with what the
# program prints on stderr under a line "---". Each is the sidecar of the module that is before the first of them. The
# status must be 2, and nothing may be on stdout.
#
# usage: manifests.sh [--promote] PROGRAM      (--promote rewrites the messages for review)
set -u
promote=false
if [ "${1:-}" = --promote ]; then
    promote=true
    shift
fi
program=$(realpath "${1:?usage: manifests.sh [--promote] PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/kernels" || exit 2
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v folder="$work" '
    /^=== / { name = substr($0, 5); part = "manifest"; print name > (folder "/names"); printf "" > (folder "/" name ".manifest"); next }
    /^---$/ && name != "" { part = "expected"; printf "" > (folder "/" name ".expected"); next }
    name == "" { print > (folder "/m.ptx"); next }
    { print > (folder "/" name "." part) }
' manifests.txt
count=0 failed=0
: >"$work/promoted"
while read -r name; do
    cp "$work/$name.manifest" "$work/m.ptx.litmus"
    (cd "$work" && ulimit -t 20 && exec "$program" m.ptx >out 2>err)
    status=$?
    if [ "$status" -ne 2 ] || [ -s "$work/out" ]; then
        printf 'FAIL %s: status %s\n' "$name" "$status"
        cat "$work/out" "$work/err"
        failed=1
    fi
    if ! $promote && ! cmp -s "$work/err" "$work/$name.expected"; then
        printf 'FAIL %s\n' "$name"
        diff -u "$work/$name.expected" "$work/err"
        failed=1
    fi
    { printf '=== %s\n' "$name" && cat "$work/$name.manifest" && printf -- '---\n' && cat "$work/err"; } >>"$work/promoted"
    count=$((count + 1))
done <"$work/names"
if $promote; then
    cat "$work/m.ptx" "$work/promoted" >manifests.txt
fi
printf '%d wrong manifests\n' "$count"
[ "$count" -ge 40 ] || { echo "there are fewer than 40"; exit 1; }
exit $failed
