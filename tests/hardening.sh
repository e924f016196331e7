#!/usr/bin/env bash
# How the program is linked: a position-independent executable whose tables are read-only before main() starts, with
# guarded stacks that hold no code and checked copies; and no path of the machine that built it. Skipped (77) where
# there is no readelf, or the program is not an ELF file.
#
# usage: hardening.sh PROGRAM SOURCE_FOLDER BUILD_TYPE
set -u

program=${1:?usage: hardening.sh PROGRAM SOURCE_FOLDER BUILD_TYPE} folder=${2:?} type=${3:?}
command -v readelf >/dev/null || { echo 'no readelf: skipped'; exit 77; }
readelf -h "$program" >/dev/null 2>&1 || { echo 'no ELF file: skipped'; exit 77; }
failed=0

# needs WHAT PATTERN OPTION...: readelf's output has such a line.
needs() {
    local what=$1 pattern=$2
    shift 2
    readelf -W "$@" "$program" | grep -qE "$pattern" || { echo "FAIL: $what"; failed=1; }
}

needs 'not position-independent' 'Type: +DYN' -h
needs 'no part is read-only after relocation' 'GNU_RELRO' -l
needs 'functions are bound when first called' '\(FLAGS(_1)?\).*NOW|\(BIND_NOW\)' -d
needs 'the stack may hold code' 'GNU_STACK.* RW ' -l
needs 'stacks are not guarded' '__stack_chk_(fail|guard)' --dyn-syms
if [ "$type" = Release ] && readelf -W --dyn-syms "$program" | grep -q GLIBC; then
    needs 'copies are not checked' '__[a-z]+_chk' --dyn-syms
fi
if readelf -W -d "$program" | grep -qE '\((RPATH|RUNPATH)\)'; then
    echo 'FAIL: libraries are looked for in a folder of the build'
    failed=1
fi
if readelf -W --dyn-syms "$program" | grep -q __asan_init; then
    echo 'a build with sanitizers, whose messages name source files: paths are not looked for'
elif LC_ALL=C grep -aqF "$folder/" "$program"; then
    echo "FAIL: the program names the folder that it was built in:"
    LC_ALL=C grep -aoE "$folder/[[:print:]]{0,60}" "$program" | sort -u | head -5
    failed=1
fi
exit $failed
