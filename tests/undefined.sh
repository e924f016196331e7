#!/usr/bin/env bash
# The page docs/undefined.md: each test that it names is there; those of tests/model and of the library have the flag that
# it says (or leave a result open), those of tests/cases run a launch that has it, those of tests/bad are refused; and what is not seen has a reason. With the text of
# the ISA, a folder with a Markdown file for each section, no sentence that calls something undefined is
# without a row: a section is in as many rows as it has such sentences.
#
# usage: undefined.sh PROGRAM [FOLDER]       (or PTX_ISA=FOLDER; without one, the last part is left out)
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: undefined.sh PROGRAM [FOLDER]}") || exit 2
isa=${2:-${PTX_ISA:-}}
[ -z "$isa" ] || isa=$(realpath "$isa") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
page=docs/undefined.md rows=0 named=0

# check_flag SECTION NAME FLAG
check_flag() {
    local file
    file=$(find tests/model/undecided tests/model/modules litmus/library -name "$2.litmus" -o -name "$2.ptx")
    [ -f "$file" ] || { fail "$1: there is no test $2"; return; }
    "$program" --verdict --format log "$file" 2>/dev/null </dev/null | grep -qxF "Flag $3" || fail "$1: $2 has no flag $3"
}

# check_run SECTION NAME FLAG: a case in which a launch is run, with this flag.
check_run() {
    grep -qE "^  $3  " "tests/cases/$2.case" || fail "$1: $2.case has no launch that is run with the flag $3"
}

# check_any SECTION NAME: a test of the library that is allowed.
check_any() {
    local file
    file=$(find litmus/library -name "$2.litmus")
    [ -f "$file" ] || { fail "$1: there is no test $2"; return; }
    grep -qE '^expect allowed' "$file" || fail "$1: $2 does not expect that more than one value is possible"
}

while IFS='|' read -r _ sections _ cell _; do
    sections=$(tr -d ' ' <<<"$sections")
    rows=$((rows + 1))
    while read -r item; do
        name=$(sed -nE 's/.*\*([^*]*)\*.*/\1/p' <<<"$item")
        case $item in
        'not seen: '?*) continue ;;
        'refused: *'*'*') [ -s "tests/bad/$name.err" ] || fail "$sections: there is no tests/bad/$name.err" ;;
        'any value: *'*'*') check_any "$sections" "$name" ;;
        'a run: *'*'* '?*) check_run "$sections" "$name" "${item##*\* }" ;;
        '*'*'* '?*) check_flag "$sections" "$name" "${item##*\* }" ;;
        *) fail "$sections: '$item' says nothing" ;;
        esac
        named=$((named + 1))
    done < <(sed 's/^ //; s/ $//; s/; \(\*\|refused\|a run: \|not seen: \)/\n\1/g' <<<"$cell")
done < <(grep -E '^\| [0-9]' "$page")
[ "$rows" -ge 60 ] || fail "only $rows rows"

# Chapters on what is not read here, and texts about the text: of the products of matrices in registers, only what moves
# matrices is modelled.
unread='^(1|3|4|7|12|13|14)\.|^9\.7\.(1|2|3|4|5|6|7|8|10|11|18)\.|^9\.7\.14( |\.[0-46-9]|\.5( |\.[0-9] |\.1[0-4] ))'
if [ -z "$isa" ]; then
    echo "$rows rows, $named tests; the text of the ISA is not here, and the rest was skipped; $failed failed"
    [ "$failed" -eq 0 ]
    exit
fi

# "SECTION SENTENCE" for each sentence.
sentences() {
    find "$isa" -name '*.md' -print0 | sort -z | xargs -0 perl -0777 -ne '
        my $section = "";
        for my $part (split /\n\s*\n|\n(?=#)|\n(?=\s*[-*|] )/) {
            $section = $1 if $part =~ /^#+\s*([0-9.]+[0-9])/;
            $part =~ s/\s+/ /g;
            for (split /(?<=[.;:])\s+(?=[A-Z`(])/, $part) {
                print "$section $_\n" if /undefined|not defined|unpredictable|unspecified|indeterminate|illegal|non-determin|unknown/i;
            }
        }' |
        sed -E 's/^9\.7\.9\.26 /9.7.9.25.4.4 /; s/^9\.7\.9\.27 /9.7.9.25.4.5 /; s/^9\.7\.9\.27\.1\./9.7.9.25.5./' |
        grep -vE "$unread"
}
sentences | cut -d ' ' -f 1 | sort | uniq -c | sed 's/^ *//' >"$work/there"
# Rows of requirements without the word have headings of their own. Those of later versions ("9.7.10.13 of 9.4") are not
# of the text that is compared.
awk -F '|' '/^## /{plain = 0} /^\| section /{plain = $3 ~ /undefined/} plain && /^\| [0-9]/{print $2}' "$page" |
    tr ',' '\n' | tr -d ' ' | grep -v of9 | sort | uniq -c | sed 's/^ *//' >"$work/listed"
diff "$work/listed" "$work/there" >"$work/diff" || { cat "$work/diff"; fail 'sentences without a row, or rows without a sentence ("<": as listed, ">": as in the text)'; }
echo "$rows rows, $named tests, $(awk '{ n += $1 } END { print n }' "$work/there") sentences in $(wc -l <"$work/there") sections; $failed failed"
[ "$failed" -eq 0 ]
