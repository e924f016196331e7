#!/usr/bin/env bash
# The code map of the README names every source file of the rooms, under the folder that it is in.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

# The map as lines "FOLDER NAME": a room in bold, then folders of it as `name/`, by indentation.
named() {
    awk '
        /^## / { inside = $0 == "## Code map" }
        !inside { next }
        /^\*\*[a-z]+\/\*\*/ { split($0, part, /\*\*/); folder[0] = part[2]; deep = 0 }
        /^ *- `[a-z_]+\/`/ {
            match($0, /^ */); level = RLENGTH / 2 + 1
            split($0, part, "`"); folder[level] = folder[level - 1] part[2]; deep = level
        }
        /^ *- `/ && !/^ *- `[a-z_]+\/`/ {
            match($0, /^ */); level = RLENGTH / 2
            if (level < deep) deep = level
        }
        /^$/ { deep = 0 }
        { count = split($0, part, "`")
          for (i = 2; i <= count; i += 2) print folder[deep] part[i] }
    ' README.md
}

names=$(named | sort -u)
missing=0
while read -r file; do
    case "${file##*/}" in *internal.h) continue ;; esac
    grep -qxE "${file%.*}(\.[a-z]+)?" <<<"$names" || {
        printf 'the code map does not name %s\n' "$file"
        missing=1
    }
done < <(find litmus model solver repair explain cli api -name '*.[ch]' -o -name '*.def' -o -name '*.cat')
[ -n "$names" ] || { echo "the code map is empty"; exit 1; }
exit $missing
