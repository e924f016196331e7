#!/usr/bin/env bash
# The log checker must take a good log and refuse each of many bad ones, else its silence about ours
# would mean nothing.
#
# usage: check_log_test.sh CHECK_LOG
set -u

check=$(realpath "${1:?usage: check_log_test.sh CHECK_LOG}") || exit 2
failed=0 passed=0

good() {
    cat <<'LOG'
Test MP Allowed
States 3
1:r0=0; [x]=-1; a[1]=0x1f;
1:r0=0; [x]=undef; a[1]=1;
1:r0=1; [x]=y; a[1]=1;
Ok
Witnesses
Positive: 1 Negative: 2
Flag data-race
Flag hang-unknown
Flag incomplete
Condition exists (1:r0=1 /\ not ([x]=2 \/ true) /\ ([x]=1:r0 \/ a[1]=1))
Observation MP Sometimes 1 2
Time MP 0.01
Hash=0123abcd

Test SB Forbidden
States 1

No
Witnesses
Positive: 0 Negative: 1
Condition ~exists (true)
Observation SB Always 1 0
Time SB 12.30
Hash=00

LOG
}

# refused SED-SCRIPT: the good log, changed so, is refused with a message.
refused() {
    local message
    if good | sed -E "$1" | cmp -s - <(good); then
        printf 'FAIL: sed %s changes nothing\n' "$1"
        failed=$((failed + 1))
    elif message=$(good | sed -E "$1" | "$check" 2>&1); then
        printf 'FAIL: taken after sed %s\n' "$1"
        failed=$((failed + 1))
    elif [[ $message != line\ * ]]; then
        printf 'FAIL: no reason after sed %s: %s\n' "$1" "$message"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

good | "$check" >/dev/null || { printf 'FAIL: the good log is refused\n'; failed=1; }
if "$check" </dev/null >/dev/null 2>&1; then
    printf 'FAIL: an empty log is taken\n'
    failed=$((failed + 1))
fi

refused '1s/Allowed/Maybe/'
refused '1s/MP/M P/'
refused '1s/MP/MP%/'
refused '1s/$/ /'
refused '1d'
refused '2s/3/2/'
refused '2s/3/4/'
refused '2d'
refused '3s/1:r0/1:%r0/'
refused '3s/1:r0/P1:r0/'
refused '3s/\[x\]/x/'
refused '3s/a\[1\]/[cta1:a]/'
refused '3s/-1;/?;/'
refused '3s/-1;/-1/'
refused '3s/; /;/'
refused '3s/$/ /'
refused '3s/0x1f/0x/'
refused '4s/\[x\]/[y]/'
refused '4s/ a\[1\]=1;//'
refused '4s/undef/-1/;4s/=1;/=0x1f;/' # the first state again
refused '6s/Ok/No/'
refused '6s/Ok/Yes/'
refused '6d'
refused '7d'
refused '8s/1/?/'
refused '8s/2/0/'
refused '9s/data-race/data race/'
refused '9s/Flag/Flags/'
refused '9{h;d};11{G}' # incomplete is not the last flag
refused '10s/hang-unknown/data-race/' # twice
refused '10s/hang/data-race/' # known and unknown
refused '12s/exists/forall/'
refused '12s/\(/ /'
refused '12s/\)$//'
refused '12s/1:r0=1/1:r0==1/'
refused '12s/1:r0=1/1:%r0=1/'
refused '12s/not \(/not/'
refused '12s/\/\\/and/'
refused '12s/a\[1\]=1/1:r0=a[1]/'
refused '13s/Sometimes/Perhaps/'
refused '13s/Sometimes/Never/'
refused '13s/1 2/2 1/'
refused '13s/MP/SB/'
refused '14s/0\.01/1/'
refused '14s/MP //'
refused '15s/=/ = /'
refused '15s/0123abcd/xyz/'
refused '16d'
refused '18s/1/0/'
refused '21,22s/Positive: 0 Negative: 1/Positive: 1 Negative: 0/'
refused '24s/Always/Sometimes/'
refused '27s/^$/end/'

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
