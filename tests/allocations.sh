#!/usr/bin/env bash
# Every allocation of the program goes through litmus/source/allocate.c, which ends the process when
# there is no memory: no other file calls malloc, opens a stream into memory or includes uthash, and every
# field of JSON goes through functions that notice when it cannot be added.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2

found=0
# refuse PATTERN HOME...: only the files HOME may have what matches.
refuse() {
    local pattern=$1 home
    shift
    while IFS=: read -r file line text; do
        for home in "$@"; do
            [ "$file" = "$home" ] && continue 2
        done
        printf '%s:%s: this goes through %s:%s\n' "$file" "$line" "$1" "$text"
        found=1
    done < <(grep -rnE --include='*.[ch]' --exclude=example.c "$pattern" litmus model solver repair explain cli api)
}

refuse '(^|[^_[:alnum:]])(malloc|calloc|realloc|reallocarray|strn?dup|open_memstream)\(' litmus/source/allocate.c
refuse '#include <(uthash|utarray|utlist|utstring)\.h>' litmus/source/containers.h
refuse 'json_(object_set|object_set_new|array_append|array_append_new|array_insert)\(' check/text/json.c
refuse 'bug\("(no|out of) memory' litmus/source/allocate.c
exit $found
