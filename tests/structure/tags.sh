#!/usr/bin/env bash
# No two structs or enums of the rooms have one name: a tag says in every file what it says in the others. What
# harness/runtime has is a program of its own.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2

# Lines "TAG FILE", one for each definition.
definitions() {
    grep -rHoE --include='*.[ch]' --exclude-dir=runtime '^[[:space:]]*(typedef )?(struct|enum|union) [a-z_0-9]+ \{' $(cat tests/structure/rooms.txt) |
        sed -E 's/^([^:]*):.*(struct|enum|union) ([a-z_0-9]+) \{/\3 \1/'
}

found=$(definitions | wc -l)
[ "$found" -gt 100 ] || { echo "found $found definitions only: the pattern is wrong"; exit 1; }
definitions | awk '{ count[$1]++; files[$1] = files[$1] " " $2 }
    END { for (tag in count) if (count[tag] > 1) { print tag " is defined in" files[tag]; bad = 1 } exit bad }'
