#!/usr/bin/env bash
# --emit-ptx over the whole library: ptxas accepts every module. The tests that PTX cannot say are
# refused, and no others: those with fences of the ISCA 2022 extension, those with initial values of
# .shared variables, and those with calls.
#
# usage: emit.sh PROGRAM      (exit status 77, after the rest was checked, without ptxas)
set -u

program=$(realpath "${1:?usage: emit.sh PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
accepted=0 refused=0 failed=0

fail() {
    printf 'FAIL: %s\n' "$1"
    failed=$((failed + 1))
}

# Prints the newest architecture that ptxas assembles for, of those that take every module here.
architecture() {
    local arch
    printf '.version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n' >"$work/k.ptx"
    for arch in sm_121 sm_120 sm_100; do
        ptxas -arch=$arch "$work/k.ptx" -o /dev/null >/dev/null 2>&1 && printf '%s' "$arch" && return
    done
}

# Emits one test and has it assembled.
check() {
    local file=$1
    "$program" --emit-ptx "$work/module.ptx" "$file" >"$work/log" 2>&1 </dev/null
    case $? in
    0) ;;
    2)
        grep -qE 'fence\.proxy\.(surface|texture|constant)|\.shared .*=|^ *call ' "$file" || fail "$file: $(cat "$work/log")"
        refused=$((refused + 1))
        return
        ;;
    *)
        fail "$file: $(cat "$work/log")"
        return
        ;;
    esac
    if [ -z "$arch" ] || ptxas --compile-only -arch="$arch" "$work/module.ptx" -o /dev/null >"$work/log" 2>&1; then
        accepted=$((accepted + 1))
    else
        fail "$file: $(cat "$work/log")"
    fi
}

arch=''
if command -v ptxas >/dev/null; then
    arch=$(architecture)
fi
while read -r file; do
    check "$file"
done < <(find litmus/library tests/cases/inputs/emit.litmus tests/cases/inputs/body-variables.litmus -name '*.litmus' | LC_ALL=C sort)

printf '%d modules, accepted by ptxas for %s; %d tests that PTX cannot say; %d failures\n' \
    "$accepted" "${arch:-no architecture}" "$refused" "$failed"
[ "$failed" -eq 0 ] && [ "$accepted" -gt 300 ] || exit 1
[ -n "$arch" ] || { printf 'skipped: no ptxas that knows sm_100 is here\n'; exit 77; }
