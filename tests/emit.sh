#!/usr/bin/env bash
# --emit-ptx over the whole library: ptxas accepts every module. The tests that PTX cannot say are
# refused, and no others: those that are named here. Their fences belong to the extension of ISCA
# 2022: the proxy fences of PTX (ISA 9.7.13.4) are for aliases, the async proxy and tensor maps alone,
# so that no spelling of PTX means them. Nor can PTX declare tensor memory, which a kernel allocates, or access memory
# through the fabric proxy but by fabric operations.
#
# usage: emit.sh PROGRAM      (exit status 77, after the rest was checked, without ptxas)
set -u

program=$(realpath "${1:?usage: emit.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
accepted=0 newer=0 refused=0 tensor=0 fabric=0

isca=$(sed '/^ *#/d; s/^ */litmus\/library\/proxies\//; s/$/.litmus/' <<'END'
    # fence.proxy.surface
    Proxy-alias-surface
    Proxy-alias-surface+fence
    Proxy-alias-surface+order
    Proxy-same+fences
    Proxy-surface-generic+fence
    Proxy-surface-generic+late
    Proxy-surface-generic+reader
    Proxy-surface-generic+reader+cta
    Proxy-surface-texture+writer
    # fence.proxy.texture
    Proxy-alias-texture+fence
    Proxy-alias-texture+order
    Proxy-generic-texture+fence
    Proxy-generic-texture+writer
    Proxy-surface-generic+texture
    Proxy-surface-texture+reader
    # both
    Proxy-alias-surface-texture+fences
    Proxy-alias-surface-texture+order
    Proxy-surface-texture+fences
    Proxy-surface-texture+order
    Proxy-surface-texture+order+fixed
    Proxy-surface-texture+swapped
END
)
isca="$isca
litmus/library/course/Course-10+answer.litmus" # fence.proxy.texture

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
        if grep -q '^ *\.tmem ' "$file" && grep -q 'tensor memory is not declared in PTX' "$work/log"; then
            tensor=$((tensor + 1))
            return
        fi
        if grep -q '@ fabric aliases' "$file" && grep -q 'no plain access goes through the fabric proxy' "$work/log"; then
            fabric=$((fabric + 1))
            return
        fi
        grep -qxF "$file" <<<"$isca" && grep -q 'PTX has no such fence' "$work/log" ||
            fail "$file: $(cat "$work/log")"
        refused=$((refused + 1))
        return
        ;;
    *)
        fail "$file: $(cat "$work/log")"
        return
        ;;
    esac
    # What is for the features of one target is assembled for that one.
    specific=$(sed -n 's/^\.target \(sm_[0-9]*a\)$/\1/p' "$work/module.ptx")
    if [ -z "$arch" ] || ptxas --compile-only -arch="${specific:-$arch}" "$work/module.ptx" -o /dev/null >"$work/log" 2>&1; then
        accepted=$((accepted + 1))
    elif grep -q "Unsupported .version\|is not defined for option 'gpu-name'" "$work/log"; then
        newer=$((newer + 1)) # than this ptxas
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
done < <(find litmus/library tests/cases/inputs/{emit,emit-calls,emit-fill,body-variables}.litmus -name '*.litmus' | LC_ALL=C sort)
[ "$refused" -eq "$(wc -l <<<"$isca")" ] || fail "not all tests with fences of ISCA 2022 were refused"
[ "$tensor" -eq "$(grep -rl '^ *\.tmem ' litmus/library | xargs grep -L 'tcgen05\.alloc' | wc -l)" ] || fail "a test with tensor memory was not refused"

[ "$fabric" -eq "$(grep -rl '@ fabric aliases' litmus/library | wc -l)" ] || fail "a test with a handle of the fabric proxy was not refused"

printf '%d modules, accepted by ptxas for %s; %d in a version that it does not know; %d tests that PTX cannot say; %d failures\n' \
    "$accepted" "${arch:-no architecture}" "$newer" "$((refused + tensor + fabric))" "$failed"
[ "$failed" -eq 0 ] && [ "$accepted" -gt 300 ] || exit 1
[ -n "$arch" ] || { printf 'skipped: no ptxas that knows sm_100 is here\n'; exit 77; }
