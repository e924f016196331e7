#!/usr/bin/env bash
# The files of the rooms use each other in one direction: among their object files, no undefined symbol leads
# back to where it came from, except for what has to recurse and is named, with the reason, in circles.txt.
#
# usage: circles.sh BUILD_FOLDER [--list]     --list prints each circle that is there without the allowed uses
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$1 list=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v nm >/dev/null && command -v tsort >/dev/null || { echo "nm or tsort is missing"; exit 77; }

# "FILE OBJECT" for each source that there is (old objects stay in a build folder, which may have others within it). A room with a list of its own for
# CMake has its objects in its folder, and the paths in it begin there.
objects() {
    local room object source within
    within=$(find "$build" -mindepth 2 -name CMakeCache.txt -printf '-path %h -prune -o ')
    while read -r room; do
        while read -r object; do
            source=${object##*.dir/}
            case "$object" in */"$room"/CMakeFiles/*) source=$room/$source ;; esac
            [ ! -e "${source%.o}" ] || echo "${source%.o} $object"
        done < <(find "$build" $within -path "*/CMakeFiles/$room.dir/*.o" -print)
    done <tests/structure/rooms.txt
}

# "USER USED SYMBOL", by file, for every symbol that one file uses of another.
objects >"$work/objects"
cut -d ' ' -f 2 "$work/objects" | xargs nm -A | awk '
        FNR == NR { source[$2] = $1; next }
        { file = $0; sub(/:.*/, "", file); file = source[file]; kind = $(NF - 1); symbol = $NF
          if (kind == "U") uses[file " " symbol]
          else if (kind ~ /^[TDRBVW]$/) home[symbol] = file }
        END { for (use in uses) { split(use, part, " ")
                  if (part[2] in home && home[part[2]] != part[1]) print part[1], home[part[2]], part[2] } }
    ' "$work/objects" - | sort >"$work/uses"
cut -d ' ' -f 1,2 "$work/uses" | sort -u >"$work/edges"
[ "$(wc -l <"$work/edges")" -gt 200 ] || { echo "found too few uses: wrong build folder?"; exit 1; }

# A room uses those before it alone, and the program nothing of the library: both are built on check/.
awk 'function room(file) { sub(/\/.*/, "", file); return file }
     FNR == NR { place[$1] = FNR; next }
     { user = room($1); used = room($2) }
     place[user] < place[used] { print $1 " uses " $2 ", a later room: " $3; bad = 1 }
     user == "cli" && used == "api" { print $1 " uses " $2 ", of the library: " $3; bad = 1 } END { exit bad }' \
    tests/structure/rooms.txt "$work/uses"

# Nor does it include a header of another.
mapfile -t rooms <tests/structure/rooms.txt
find "${rooms[@]}" -name '*.[ch]' | xargs awk '
     FILENAME == "tests/structure/rooms.txt" { place[$1] = FNR; next }
     /^#include "[a-z]+\// {
         user = FILENAME; sub(/\/.*/, "", user)
         used = $2; gsub(/^"|\/.*/, "", used)
         if (place[user] < place[used] || (user == "cli" && used == "api")) { print FILENAME " includes " $2; bad = 1 }
     } END { exit bad }' tests/structure/rooms.txt

sed -E '/^(#|$)/d; s/:.*//' tests/structure/circles.txt | sort >"$work/allowed"
comm -13 "$work/edges" "$work/allowed" >"$work/stale"
[ ! -s "$work/stale" ] || { sed 's/^/circles.txt allows what is not there: /' "$work/stale"; exit 1; }
comm -23 "$work/edges" "$work/allowed" >"$work/checked"
if ! tsort "$work/checked" >/dev/null 2>"$work/loops"; then
    echo "files use each other in a circle; tests/structure/circles.txt says which may:"
    grep -v 'contains a loop' "$work/loops" | sed 's/^tsort: /  /'
    exit 1
fi
[ -z "$list" ] || cat "$work/allowed"
