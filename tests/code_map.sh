#!/usr/bin/env bash
# The code map of the README names every source file of the four rooms.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

missing=0
while read -r file; do
    name=${file##*/}
    case "$name" in *_internal.h) continue ;; esac
    grep -qE "(\`|/)${name%.*}(\.[a-z]+)?\`" README.md || {
        printf 'the code map does not name %s\n' "$file"
        missing=1
    }
done < <(find litmus model solver cli -name '*.[ch]' -o -name '*.def' -o -name '*.cat')
exit $missing
