#!/usr/bin/env bash
# Figures of the rooms (rooms.txt), of the tree as it is or of commits, a column each: the
# largest structs, circles among files by the linker's symbols, tags with several definitions, repeated places,
# assertions, the longest files. Each figure is what the function of its name below counts.
#
# usage: figures.sh [COMMIT...]       figures.sh 6c21da4 HEAD
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rooms=$(cat tests/structure/rooms.txt)
sources() { find $rooms -name '*.[ch]' 2>/dev/null | sort; } # old commits have fewer rooms

# "FIELDS TAG", the largest first: declarators between a struct's braces.
structs() {
    sources | xargs cat | sed -E 's://.*$::' | awk '
        /^struct [a-z_0-9]+ \{/ { tag = $2; fields = 0; inside = 1; next }
        inside && /^\}/ { print fields, tag; inside = 0 }
        inside { line = $0; gsub(/\([^()]*\)/, "", line); gsub(/\{[^{}]*\}/, "", line)
                 if (line ~ /[;,]/) fields += gsub(/[;,]/, "", line) }' | sort -rn
}

# Pairs of files of which the first uses a symbol of the second, by their object files.
uses() {
    local source
    mkdir -p "$work/objects"
    find $rooms -name '*.c' | while read -r source; do
        printf '%s\0%s\0' "$source" "$work/objects/${source//\//:}.o"
    done | xargs -0 -n 2 -P 2 sh -c '
        cc -std=gnu17 -O0 -w -c -I. -D_GNU_SOURCE "-DPTXLITMUS_VERSION=\"0\"" "-DPTXLITMUS_DATA_FROM_BIN=\"0\"" "$0" -o "$1"' ||
        return 1
    (cd "$work/objects" && nm -A -- *.o) | awk '
        { file = $1; sub(/\.o:.*/, "", file); kind = $(NF - 1); symbol = $NF
          if (kind == "U") uses[file " " symbol]
          else if (kind ~ /^[TDRBVW]$/) home[symbol] = file }
        END { for (use in uses) { split(use, part, " ")
                  if (part[2] in home && home[part[2]] != part[1]) print part[1], home[part[2]] } }' | sort -u
}

# How many files use each other in a circle: those from which a way leads back to themselves.
circles() {
    uses >"$work/edges" || { echo 'does not compile'; return; }
    awk '{ edge[$1, $2] = 1; from[$1] = from[$1] " " $2; node[$1]; node[$2] }
        function reach(at, goal, list, i, n) {
            n = split(from[at], list, " ")
            for (i = 1; i <= n; i++) {
                if (list[i] == goal) return 1
                if (!(list[i] in seen)) { seen[list[i]]; if (reach(list[i], goal)) return 1 }
            }
            return 0
        }
        END { for (n in node) { split("", seen); count += reach(n, n) } print count + 0 }' "$work/edges"
}

# Tags of structs, enums and unions that have several definitions.
collisions() {
    sources | xargs grep -hoE '^[[:space:]]*(typedef )?(struct|enum|union) [a-z_0-9]+ \{' |
        sed -E 's/.*(struct|enum|union) ([a-z_0-9]+) \{/\2/' | sort | uniq -d | wc -l
}

# Pairs of places in the rooms that repeat six lines or more, by the command of that name where there is one.
repeated() {
    command -v duplicates >/dev/null || { echo '?'; return; }
    local room pairs=0
    for room in $rooms; do
        pairs=$((pairs + $(duplicates --repo "$room" --seconds 60 | head -1 | grep -oE '^[0-9]+' || echo 0)))
    done
    echo "$pairs"
}

lines() { sources | xargs cat | wc -l; }
assertions() { sources | xargs cat | grep -cE '\b(assert|_Static_assert|bug|execution_bug)\('; }
per_thousand() { awk -v a="$(assertions)" -v l="$(lines)" 'BEGIN { printf "%.1f\n", 1000 * a / l }'; }
longest() { sources | xargs wc -l | sort -rn | awk '$2 != "total" { print $1 " " $2; exit }'; }
named_formats() { grep -rE '\bFORMAT_[A-Z]' --include='*.[ch]' cli | wc -l; }

figures() {
    structs | head -3 | awk '{ print "largest struct " NR "|" $1 " " $2 }'
    echo "struct event|$(structs | awk '$2 == "event" { print $1 }')"
    echo "files in circles|$(circles)"
    echo "tags defined twice|$(collisions)"
    echo "repeated places|$(repeated)"
    echo "lines|$(lines)"
    echo "assertions|$(assertions)"
    echo "assertions in 1,000 lines|$(per_thousand)"
    echo "longest file|$(longest)"
    echo "mentions of a format in cli/|$(named_formats)"
}

if [ $# -eq 0 ]; then
    figures | column -t -s '|'
    exit
fi
for commit in "$@"; do
    mkdir -p "$work/$commit"
    git archive "$commit" | tar -x -C "$work/$commit" || exit 2
    { echo "figure|$(git log -1 --format=%h "$commit")"; cd "$work/$commit" && figures; } >"$work/$commit.table"
    cd "$OLDPWD" || exit 2
    rm -rf "$work/objects"
done
first=$1
shift
cp "$work/$first.table" "$work/all"
for commit in "$@"; do
    join -t '|' --nocheck-order "$work/all" "$work/$commit.table" >"$work/joined"
    mv "$work/joined" "$work/all"
done
column -t -s '|' "$work/all"
