#!/usr/bin/env bash
# Inputs that are made rather than written: huge lines, binary files, files and folders that are not
# there. Each must be refused or run, in bounded time, with one of the program's own exit statuses,
# and with a message that names what is wrong. A crash, a hang or a sanitizer's report fails.
#
# usage: hostile.sh PROGRAM
set -u

program=$(realpath "${1:?usage: hostile.sh PROGRAM}") || exit 2
work=$(mktemp -d)
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0 failed=0

# expect NAME STATUS PATTERN ARGUMENT...: runs the program; its exit status must be one of STATUS
# ("2" or "0 2"), and a line of stderr must match the extended regular expression (unless empty).
expect() {
    local name=$1 statuses=$2 pattern=$3 status
    shift 3
    timeout 1200 sh -c 'ulimit -t 60; exec "$@"' - "$program" "$@" >out 2>err </dev/null
    status=$?
    case " $statuses " in
    *" $status "*) ;;
    *)
        printf 'FAIL %s: exit status %s instead of %s\n' "$name" "$status" "$statuses"
        head -c 2000 err
        failed=$((failed + 1))
        return
        ;;
    esac
    if [ -n "$pattern" ] && ! grep -aqE "$pattern" err; then
        printf 'FAIL %s: no line of stderr matches /%s/:\n' "$name" "$pattern"
        head -c 2000 err
        failed=$((failed + 1))
        return
    fi
    if [ "$(wc -c <err)" -gt 100000 ]; then
        printf 'FAIL %s: %s bytes of messages\n' "$name" "$(wc -c <err)"
        failed=$((failed + 1))
        return
    fi
    passed=$((passed + 1))
}

# Pseudo-random bytes, the same in every run.
random_bytes() {
    awk -v n="$1" 'BEGIN { x = 12345; for (i = 0; i < n; i++) { x = (x * 1103515245 + 12345) % 2147483648; printf "%c", int(x / 65536) % 255 + 1 } }' |
        LC_ALL=C cat
}

# repeat TEXT COUNT
repeat() {
    awk -v t="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", t }'
}

# test_with STATEMENT: a test whose only thread runs the statement.
test_with() {
    printf 'PTX T\n.global .u32 x;\nP0@cta 0 {\n  %s\n}\nexists (x == 1)\n' "$1"
}

cat >good.litmus <<'EOF'
PTX good
.global .u32 x;
P0@cta 0 {
  st.weak.global.u32 [x], 1;
}
exists (x == 1)
EOF

: >empty.litmus
expect empty-file 2 'empty\.litmus:1:1: error:' empty.litmus
printf '\n\n   \n' >blank.litmus
expect blank-file 2 'blank\.litmus:.*error:' blank.litmus
expect missing-file 2 'nowhere\.litmus.*: (error: )?.*No such file' nowhere.litmus
mkdir folder folder/deeper
expect folder-without-tests 2 'folder' folder
expect missing-model 2 'ptx-0\.0' --model ptx-0.0 good.litmus
expect missing-model-file 2 'nowhere\.cat' --model nowhere.cat good.litmus
expect unknown-option 2 'wrong-option' --wrong-option good.litmus
expect no-argument 2 '.'
cp good.litmus secret.litmus
chmod 000 secret.litmus
if [ "$(id -u)" -ne 0 ]; then
    expect unreadable-file 2 'secret\.litmus.*Permission denied' secret.litmus
else # root may open everything, but reading this fails
    expect unreadable-file 2 '/proc/self/mem' /proc/self/mem
fi

random_bytes 20000 >random.litmus
expect binary-file 2 'random\.litmus:.*error:' random.litmus
{ printf 'PTX T\n'; random_bytes 20000; } >random-tail.litmus
expect binary-tail 2 'random-tail\.litmus:.*error:' random-tail.litmus
head -c 100000 /dev/zero >zeros.litmus
expect nul-bytes 2 'zeros\.litmus:.*error:' zeros.litmus
{ head -c 40 good.litmus; printf '\0'; tail -c +41 good.litmus; } >nul.litmus
expect nul-inside 2 'nul\.litmus:.*error:' nul.litmus
printf '\377\376P\0T\0X\0' >utf16.litmus
expect utf-16 2 'utf16\.litmus:.*error:' utf16.litmus

repeat a 1048576 >line.litmus
expect line-of-1-MB 2 'line\.litmus:1:.*error:' line.litmus
{ printf 'PTX T\n'; repeat '.' 1048576; printf '\n'; } >dots.litmus
expect dots-of-1-MB 2 'dots\.litmus:2:.*error:' dots.litmus
test_with "$(repeat 'st.weak.global.u32 [x], 1; ' 3)$(repeat ' ' 1048576)st.bad [x], 1;" >wide.litmus
expect error-far-right 2 'wide\.litmus:4:.*error:' wide.litmus
test_with "$(awk 'BEGIN { for (i = 0; i < 80000; i++) printf "L%d: ", i }') bra L79999;" >labels.litmus
expect labels-80000 '0 2 3' '' --verdict labels.litmus
test_with "$(awk 'BEGIN { for (i = 0; i < 200000; i++) printf "bra L%d; ", i }')" >no-labels.litmus
expect unknown-labels-200000 2 'no-labels\.litmus:4:.*there is no label' no-labels.litmus
{ printf 'PTX T\n"'; repeat 'long ' 200000; printf '"\n'; tail -n +2 good.litmus; } >description.litmus
expect description-of-1-MB 0 '' description.litmus
test_with "ld.weak.global.u32 %$(repeat r 100000), [x];" >name.litmus
expect name-of-100-kB '0 2' '' --verdict name.litmus
test_with "st.weak.global.u32 [x], $(repeat 9 100000);" >number.litmus
expect number-of-100-kB 2 'number\.litmus:4:.*error:' number.litmus

{ printf 'PTX T\n{ x = 0; }\nP0@cta 0 { st.weak.global.u32 [x], 1; }\nexists '; repeat '(' 100000; } >open.litmus
expect open-brackets 2 'open\.litmus:4:.*error:' open.litmus
{ printf 'PTX T\n{ x = 0; }\nP0@cta 0 { st.weak.global.u32 [x], 1; }\nexists '; repeat '~' 100000; printf ' x == 1\n'; } >not.litmus
expect deep-negation '0 2' '' not.litmus
{
    printf 'PTX T\n{ x = 0; }\nP0@cta 0 { st.weak.global.u32 [x], 1; }\nexists x == 1'
    repeat ' \/ x == 1' 20000
    printf '\n'
} >or.litmus
expect condition-of-20000-atoms '0 2 3' '' --timeout 20 or.litmus
{ printf 'PTX T\n'; repeat '/* ' 100000; } >comment.litmus
expect open-comment 2 'comment\.litmus:2:1: error:' comment.litmus
{ printf 'PTX T\n.global .u32 x[99999999999999999999];\nP0@cta 0 { ld.weak.global.u32 %%r0, [x]; }\nexists (x == 1)\n'; } >array.litmus
expect huge-array 2 'array\.litmus:2:.*error:' array.litmus
{ printf 'PTX T\n.global .u32 x[4000000000];\nP0@cta 0 { ld.weak.global.u32 %%r0, [x]; }\nexists (x[3] == 1)\n'; } >array2.litmus
expect array-of-16-GB '0 2 3' '' --timeout 20 array2.litmus

{
    printf 'PTX threads\n.global .u32 x;\n'
    awk 'BEGIN { for (i = 0; i < 10000; i++) printf "P%d@cta %d { st.weak.global.u32 [x], %d; }\n", i, i, i }'
    printf 'exists (x == 1)\n'
} >threads.litmus
expect threads-10000 '2 3' '' --timeout 20 --memory 4000 --verdict threads.litmus
{
    printf 'PTX table\n{ x = 0; }\n'
    awk 'BEGIN { for (i = 0; i < 10000; i++) printf "%sP%d", (i ? " | " : ""), i; print " ;"
                 for (i = 0; i < 10000; i++) printf "%sst.weak.global.u32 [x], %d", (i ? " | " : ""), i; print " ;" }'
    printf 'exists (x == 1)\n'
} >table.litmus
expect table-of-10000-columns '2 3' '' --timeout 20 --memory 4000 --verdict table.litmus

# Tables of nvlitmus multiply the text of their test.
{
    printf '.global x;\nd0.b0.t0 { ld r0, [x]; }\n// '
    repeat '$0 ' 100000
    printf '\ncheck (r0 == $0) as r0;\n$$\n'
    repeat '123456789\n' 4000
} >table.test
expect table-of-gigabytes 2 'table\.test:5:1: error: .* MiB' table.test
{
    printf '.global x;\nd0.b0.t0 {\n'
    awk 'BEGIN { for (i = 0; i < 3000; i++) printf "ld r%d, [x] == $0;\n", i }'
    printf '}\ncheck (r0 == 1) as r0;\n$$\n0\n'
} >filters.test
expect 3000-filters '0 2 3' '' --timeout 5 --memory 4000 --verdict filters.test
{
    printf '.global x;\nd0.b0.t0 { ld r0, [x]; }\ncheck ('
    repeat '(' 100000
} >parentheses.test
expect deep-parentheses 2 'parentheses\.test:3:.*error:' parentheses.test

# One bad file does not stop the others.
expect bad-among-good 2 'empty\.litmus:1:1: error:' empty.litmus good.litmus nowhere.litmus
if ! grep -aq '^Test good Allowed$' out; then
    printf 'FAIL bad-among-good: the good file was not run\n'
    failed=$((failed + 1))
fi

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
