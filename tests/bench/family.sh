#!/usr/bin/env bash
# The families of the benchmarks: their tests are read without a word, and have the verdicts that they must
# have, by the program and (the small ones) by the oracle.
#
# usage: family.sh BUILD
set -u

build=$(realpath "${1:?usage: family.sh BUILD}") || exit 2
family=$build/tests/bench/ptxlitmus-family
. "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
checked=0
export LC_ALL=C

# wants FILE VERDICT NAME: of the one line of JSON in the file
wants() {
    grep -q "\"verdict\":\"$2\"" "$1" || fail "$3: not $2: $(cat "$1")"
}

# family_has VERDICT NAME SIZE [ROUNDS]
family_has() {
    local verdict=$1 test=$work/test.litmus
    shift
    checked=$((checked + 1))
    "$family" "$@" >"$test" || fail "$*: not printed"
    "$build/ptxlitmus" --verdict --format json "$test" >"$work/out" 2>"$work/err" </dev/null ||
        fail "$*: status $?"
    [ ! -s "$work/err" ] || fail "$*: $(cat "$work/err")"
    wants "$work/out" "$verdict" "$*"
}

# by_oracle VERDICT NAME SIZE [ROUNDS]: both
by_oracle() {
    family_has "$@"
    "$build/tests/oracle/ptxlitmus-oracle" "$work/test.litmus" >"$work/out" 2>"$work/err" ||
        fail "$*: the oracle: $(cat "$work/err")"
    wants "$work/out" "$1" "$*: the oracle"
}

# weakened EDIT NAME SIZE [ROUNDS]: what is forbidden is so because of the words that the edit takes away
weakened() {
    local edit=$1
    shift
    checked=$((checked + 1))
    "$family" "$@" | sed "$edit; s/^expect .*/expect allowed;/" >"$work/test.litmus"
    "$build/ptxlitmus" --verdict --quiet "$work/test.litmus" || fail "$*, $edit: not allowed"
}

by_oracle forbidden mp 2
by_oracle forbidden mp 4
family_has forbidden mp 9
by_oracle allowed sb 2
by_oracle allowed sb 4
family_has allowed sb 9
by_oracle forbidden lb 2
by_oracle forbidden lb 3
family_has forbidden lb 7
by_oracle allowed iriw 4
by_oracle allowed iriw 6
family_has allowed iriw 10
by_oracle forbidden sb-fences 2
by_oracle forbidden sb-fences 5
family_has forbidden sb-fences 40
by_oracle forbidden lb-fences 2
by_oracle forbidden lb-fences 3
family_has forbidden lb-fences 40
by_oracle forbidden iriw-fences 6
family_has forbidden iriw-fences 40
by_oracle forbidden writers 2
by_oracle forbidden writers 4
by_oracle forbidden adders 2
by_oracle forbidden adders 4
by_oracle forbidden exchanges 2
by_oracle forbidden additions 2
family_has forbidden exchanges 10
family_has forbidden additions 10
by_oracle forbidden spin 2 1
by_oracle forbidden ticket 2 1
family_has forbidden spin 3 1
family_has forbidden spin 2 2
family_has forbidden ticket 3 1
family_has forbidden ticket 2 2
by_oracle forbidden alias 2
by_oracle forbidden alias 3
family_has forbidden alias 9
by_oracle forbidden pipeline 1 1
family_has forbidden pipeline 1 3
family_has forbidden pipeline 2 1
family_has forbidden pipeline 2 2

weakened 's/acquire.gpu/relaxed.gpu/' mp 4
weakened 's/acquire.gpu/relaxed.gpu/' lb 3
weakened 's/fence.sc/fence.acq_rel/' sb-fences 40
weakened "0,/fence.sc.gpu/s//fence.sc.cta/" lb-fences 20
weakened '0,/fence.sc/s//fence.acq_rel/' iriw-fences 6
weakened 's/relaxed.gpu/relaxed.cta/' writers 3
weakened 's/relaxed.gpu/relaxed.cta/' adders 3
weakened 's/relaxed.gpu/relaxed.cta/' additions 10
weakened 's/release.gpu/relaxed.gpu/' spin 2 1
weakened 's/release.gpu/relaxed.gpu/' ticket 2 1
weakened '/fence.proxy.alias/d' alias 4
weakened '/fence.proxy.async/d' pipeline 1 2
weakened '/empty0\], 0;/,/bra/d' pipeline 1 2
weakened '/full0\], 1;/,/bra/d' pipeline 1 2
weakened 's/try_wait.parity.shared.b64 %p, .full/try_wait.parity.relaxed.cta.shared.b64 %p, [full/' pipeline 1 2
weakened 's/arrive.shared.b64 _, .empty/arrive.relaxed.cta.shared.b64 _, [empty/' pipeline 1 2

# A ring of n threads has 2^n outcomes.
"$family" sb 6 >"$work/sb.litmus"
"$build/ptxlitmus" "$work/sb.litmus" | grep -qx 'States 64' || fail "sb 6: not 64 states"

# What no family has is refused.
for arguments in "nothing 3" "mp 1" "mp 1001" "mp x" "iriw 5" "sb 3 2" "spin 2 0" "mp" ""; do
    # shellcheck disable=SC2086
    "$family" $arguments >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] || fail "'$arguments' is taken"
    [ ! -s "$work/out" ] || fail "'$arguments' prints"
    grep -q '^usage: ' "$work/err" || fail "'$arguments': no usage"
    checked=$((checked + 1))
done

printf '%d checks, %d failures\n' "$checked" "$failed"
[ "$failed" -eq 0 ]
