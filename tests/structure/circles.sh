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

# The object files of the sources that there are: old ones stay in a build folder.
objects() {
    local object source
    while read -r object; do
        source=${object##*.dir/}
        case "$object" in */model.dir/*) source=model/$source ;; esac
        [ ! -e "${source%.o}" ] || echo "$object"
    done < <(find "$build" -name '*.o' -regex '.*/CMakeFiles/\(readers\|litmus\|model\|solver\|repair\|explain\|cli\)\.dir/.*')
}

# "USER USED SYMBOL", by file, for every symbol that one file uses of another.
objects | xargs nm -A | awk '
        { file = $0; sub(/:.*/, "", file); room = file
          sub(/.*\.dir\//, "", file); sub(/\.o$/, "", file)
          if (room ~ /\/model\.dir\//) file = "model/" file
          if ($NF == file) next
          kind = $(NF - 1); symbol = $NF
          if (kind == "U") uses[file " " symbol]
          else if (kind ~ /^[TDRBVW]$/) home[symbol] = file }
        END { for (use in uses) { split(use, part, " ")
                  if (part[2] in home && home[part[2]] != part[1]) print part[1], home[part[2]], part[2] } }
    ' | sort >"$work/uses"
cut -d ' ' -f 1,2 "$work/uses" | sort -u >"$work/edges"
[ "$(wc -l <"$work/edges")" -gt 200 ] || { echo "found too few uses: wrong build folder?"; exit 1; }

# A room uses those before it alone.
awk 'function room(file) { return file ~ /^litmus\/program\// ? 2 : file ~ /^litmus\// ? 1 : file ~ /^model\// ? 3 : \
                           file ~ /^solver\// ? 4 : file ~ /^repair\// ? 5 : file ~ /^explain\// ? 6 : 7 }
     room($1) < room($2) { print $1 " uses " $2 ", a later room: " $3; bad = 1 } END { exit bad }' "$work/uses"

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
