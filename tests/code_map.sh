#!/usr/bin/env bash
# docs/architecture.md has a paragraph for every room and names every folder of the rooms, and each source file says in its first
# line what it is for.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

map=docs/architecture.md
rooms=$(cat tests/structure/rooms.txt)
failures=0
fail() { printf '%s\n' "$*"; failures=$((failures + 1)); }

for room in $rooms; do
    grep -qF "**$room/**" $map || fail "$map has no paragraph for $room/"
    while read -r folder; do
        grep -qF "\`$folder/\`" $map || fail "$map does not name $folder/"
    done < <(find "$room" -mindepth 1 -type d \( -path 'litmus/library/*' -o -path 'lowering/tables' \) -prune -o -mindepth 1 -type d -print)
done
while read -r folder; do
    [ -d "$folder" ] || fail "$map names $folder, which is not there"
done < <(grep -o '`[a-z]*/[a-z/]*/`' $map | tr -d '`')
while read -r file; do
    head -n 1 "$file" | grep -q '^//* .\|^/\*' || fail "$file does not say in its first line what it is for"
done < <(find $rooms -name '*.[ch]' -o -name '*.def')
[ "$failures" -eq 0 ] && echo 'every folder is on the map'
exit $((failures > 0))
