#!/usr/bin/env bash
# Tests in C++: what they become by a table, whether that is sound, wrong tables and their messages, and scoped RC11 compared
# with published verdicts and with a program that tries all executions (tests/lowering).
#
# usage: lower.sh PROGRAM
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: lower.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
folder=tests/lowering

# --- One test ------------------------------------------------------------------------------------------

"$program" lower --table nvidia-abi $folder/everything.litmus >"$work/out" 2>"$work/err"
[ $? -eq 0 ] && [ ! -s "$work/err" ] || fail "lower everything: $(cat "$work/err")"
diff -u $folder/everything.ptx.litmus "$work/out" || fail 'everything.litmus becomes something else'
"$program" lower --table nvidia-abi - <$folder/everything.litmus | diff -u $folder/everything.ptx.litmus - || fail 'from the standard input'
# The source and what it becomes have the same outcome.
for file in everything.litmus everything.ptx.litmus; do
    "$program" --format json $folder/$file | grep -o '"states":\[[^]]*\]'
done >"$work/states"
[ "$(wc -l <"$work/states")" -eq 2 ] && [ "$(sort -u "$work/states" | wc -l)" -eq 1 ] || fail "states of everything: $(cat "$work/states")"

# Each table gives every test of the classic shapes a text that can be read, or says which row it lacks.
mkdir "$work/shapes"
perl $folder/shapes.pl "$work/shapes" MP || fail 'shapes.pl'
"$program" lower --list-tables >"$work/tables" || fail 'list of tables'
tables=$(cut -d' ' -f1 "$work/tables")
for table in $tables; do
    for file in "$work/shapes"/MP-{rlx-rlx-rlx-rlx,fences-sc-sc,rmw-ar,cas-sc,plain-rel-acq}-device.litmus; do
        "$program" lower --table "$table" "$file" >"$work/lowered.litmus" 2>"$work/err" &&
            "$program" --verdict --quiet "$work/lowered.litmus" >"$work/out" 2>&1
        [ $? -le 1 ] || { grep -q 'has no row for this\|has no .{membar}' "$work/err" || fail "$table: $file: $(cat "$work/err" "$work/out")"; }
    done
done
[ "$(wc -l <"$work/tables")" -eq 11 ] || fail 'tables are missing'

# --- Checks --------------------------------------------------------------------------------------------

# checks STATUS TEXT ARGUMENT...: the status of `lower --verify`, and what it says
checks() {
    local status=$1 text=$2
    shift 2
    "$program" lower --verify "$@" >"$work/out" 2>"$work/err"
    local got=$?
    [ $got -eq "$status" ] || fail "lower --verify $*: status $got instead of $status: $(cat "$work/out" "$work/err")"
    grep -qF -- "$text" "$work/out" "$work/err" || fail "lower --verify $*: does not say: $text: $(cat "$work/out" "$work/err")"
}
checks 0 '1 check: 1 sound' --table libcu++ $folder/exchange.litmus
checks 1 'only PTX: P1:seen=1, P1:value=0' --table llvm-22 $folder/exchange.litmus
grep -q 'P0:1.write is not a release (PTX ISA 8.8)' "$work/out" || fail 'the execution is not explained'
[ ! -s "$work/err" ] || fail "messages: $(cat "$work/err")"
checks 1 '2 checks: 1 sound, 1 unsound' --table libcu++,llvm-22 $folder/exchange.litmus
checks 0 'the source has a data race, so anything is allowed' --table llvm-22 $folder/published/MP+relaxed.litmus
checks 1 'unsound: ' --table libcu++ --source-model scoped-rc11-strict $folder/published/LB+relaxed.litmus
checks 0 'sound: ' --table libcu++ $folder/published/LB+relaxed.litmus
checks 0 'sound: ' --table llvm-22 --target sc $folder/exchange.litmus
checks 3 'unknown: ' --table libcu++ --timeout 0.001 $folder/everything.litmus
checks 2 'the table libcu++-sm_60 has no '"'{membar}'" --table libcu++-sm_60 $folder/everything.litmus
checks 2 'this test is in C++, and the model ptx-7.5 is for tests in PTX' --table libcu++ --source-model ptx-7.5 $folder/exchange.litmus
checks 2 'this one is in PTX already' --table libcu++ $folder/everything.ptx.litmus
"$program" lower --verify --format json --table llvm-22 $folder/exchange.litmus >"$work/out" 2>/dev/null
grep -q '"test":"exchange","table":"llvm-22","result":"unsound","only_source":\[\],"only_ptx":\["P1:seen=1, P1:value=0"\],"execution":"' "$work/out" || fail "JSON: $(cat "$work/out")"

# --- Wrong use -----------------------------------------------------------------------------------------

# refused TEXT ARGUMENT...: status 2, and what is said
refused() {
    local text=$1
    shift
    "$program" "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -qF -- "$text" "$work/err" || fail "$*: $(cat "$work/err") does not say: $text"
    [ ! -s "$work/out" ] || fail "$*: prints $(head -c 100 "$work/out")"
}
refused "'lower' needs '--table NAME'" lower x.litmus
refused "'--table' needs NAME|FILE" lower x.litmus --table
refused "'--table' takes names separated by commas, and 'a,,b' leaves one out" lower --table a,,b x.litmus
refused 'no test: give files' lower --table libcu++
refused "'lower' writes one test by one table" lower --table libcu++,llvm-20 x.litmus
refused "'lower' writes one test by one table" lower --table libcu++ x.litmus y.litmus
refused "'--verify' reads each test twice" lower --verify --table libcu++ -
refused "'--source-model' is for '--verify'" lower --source-model scoped-rc11 --table libcu++ x.litmus
refused "'lower' has no option '--races'" lower --races --table libcu++ x.litmus
refused "'lower' takes one model and one target" lower --verify --model ptx-9.1,ptx-7.5 --table libcu++ x.litmus
refused "'lower' prints '--format text' or 'json', not 'log'" lower --verify --format log --table libcu++ x.litmus
refused "'--format json' is for '--verify'" lower --format json --table libcu++ x.litmus
refused 'libcu: error: there is no table of this name' lower --table libcu x.litmus
refused 'hint: the tables are libcu++' lower --table libcu x.litmus
refused 'in PTX already' lower --table libcu++ $folder/everything.ptx.litmus

# A test that cannot be read is reported once, however many tables there are.
printf 'C++ broken\nP0 { }\n' >"$work/broken.litmus"
"$program" lower --verify --table libcu++,llvm-20,llvm-21 "$work/broken.litmus" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] || fail "a test that cannot be read: status $?"
[ "$(grep -c "thread 'P0' has no place" "$work/err")" -eq 1 ] || fail "not one message: $(cat "$work/err")"

# table MESSAGE JSON: what is said of a table, with $rows for its rows
good='{"of": "load", "order": "relaxed", "ptx": ["ld.relaxed.{scope}{space}.{type} {result}, [{address}]"], "from": "x"}'
table() {
    printf '%s' "$2" >"$work/t.json"
    refused "$1" lower --table "$work/t.json" $folder/exchange.litmus
}
whole() { printf '{"name": "t", "title": "t", "rows": [%s]}' "$1"; }
table 'line 1, column 2: this is not JSON' '{]'
table 'a table is an object' '[]'
table '"name" is missing' '{}'
table '"name" is not a text' '{"name": 1}'
table '"title" is missing' '{"name": "t"}'
table '"rows" is missing' '{"name": "t", "title": "t"}'
table '"rows" is not an array of rows' '{"name": "t", "title": "t", "rows": []}'
table '"row" has no meaning here' '{"name": "t", "title": "t", "row": []}'
table 'did you mean "rows"?' '{"name": "t", "title": "t", "row": []}'
table '"words" is not an object' '{"name": "t", "title": "t", "words": [], "rows": []}'
table 'the word "type" has a meaning already' '{"name": "t", "title": "t", "words": {"type": {}}, "rows": []}'
table '"gpu" of the word "m" is not a scope (block, cluster, device, system)' '{"name": "t", "title": "t", "words": {"m": {"gpu": "gl"}}, "rows": []}'
table '"device" of the word "m" is not a text' '{"name": "t", "title": "t", "words": {"m": {"device": 1}}, "rows": []}'
table 'row 1: it is not an object' "$(whole 1)"
table 'row 1: "of" is missing' "$(whole '{}')"
table 'row 2: "reload" is not an operation' "$(whole "$good, {\"of\": \"reload\"}")"
table 'row 1: "order" is missing' "$(whole '{"of": "load"}')"
table 'row 1: "monotonic" is not an order (relaxed, acquire, release, acq_rel, seq_cst)' "$(whole '{"of": "load", "order": ["relaxed", "monotonic"]}')"
table 'row 1: "order" is not a word or an array of words' "$(whole '{"of": "load", "order": 1}')"
table 'row 1: "order" is an empty array' "$(whole '{"of": "load", "order": []}')"
table 'row 1: "gpu" is not a scope' "$(whole '{"of": "load", "order": "relaxed", "scope": "gpu"}')"
table 'row 1: a plain access has neither order nor scope' "$(whole '{"of": "plain load", "order": "relaxed"}')"
table 'row 1: "ptx" is missing' "$(whole '{"of": "load", "order": "relaxed"}')"
table 'row 1: "ptx" is not an array of lines' "$(whole '{"of": "load", "order": "relaxed", "ptx": "ld"}')"
table "row 1: '{scpoe}' has no meaning" "$(whole '{"of": "load", "order": "relaxed", "ptx": ["ld.{scpoe}"]}')"
table 'row 1: "from" is missing' "$(whole "${good/, \"from\": \"x\"/}")"
table 'row 2: row 1 is about the same load' "$(whole "$good, $good")"
table 'exchange.litmus:7:3: error: the table t has no row for this: rmw, release, scope device' "$(whole "$good")"
# What is not PTX is an error at its place in what the test becomes.
bad=${good/\"load\"/\"rmw\"}
bad=${bad/\"relaxed\"/\"release\"}
table "exchange.litmus lowered by t:13:" "$(whole "${bad/ld.relaxed/ld.relaxd}, ${good/\"relaxed\"/\"acquire\"}")"

# --- Scoped RC11 ---------------------------------------------------------------------------------------

"$program" suite $folder/published >"$work/out" 2>&1 || fail "published verdicts: $(cat "$work/out")"
for file in $folder/published/*.litmus; do # each verdict can be explained
    "$program" explain "$file" >"$work/out" 2>&1 || fail "explain $file: $(cat "$work/out")"
done
"$program" explain $folder/published/SB+sc.litmus | grep -q '^Every execution with this outcome breaks RC11-SC:' || fail 'explain SB+sc'
"$program" explain --format json $folder/published/IRIW-acq-sc.litmus | grep -q '"nearest":null' || fail 'an explanation in C++ speaks of PTX'
perl $folder/rc11.pl MP CoWR >"$work/expected" || fail 'rc11.pl'
perl $folder/shapes.pl "$work/shapes" CoWR
"$program" --format json "$work/shapes" 2>/dev/null | perl $folder/results.pl | LC_ALL=C sort >"$work/got"
LC_ALL=C sort "$work/expected" | diff - "$work/got" >"$work/diff" || fail "scoped RC11: $(head "$work/diff")"
[ "$(wc -l <"$work/got")" -gt 500 ] || fail 'too few tests of shapes'

# --- The page ------------------------------------------------------------------------------------------

# The columns of the page's table for two of the shapes, counted again.
if [ -z "${PTXLITMUS_SLOW:-}" ]; then
    $folder/soundness.sh "$program" CoWR WRC >"$work/counted" || fail 'soundness.sh'
    awk -F' *[|] *' '$2 == "table" { for (i = 2; i <= NF; i++) if ($i == "CoWR") a = i; else if ($i == "WRC") b = i }
        a && $2 != "table" && $2 !~ /^-/ && NF > b { printf "| %s | %s | %s |\n", $2, $a, $b } !NF { a = 0 }' docs/lowering.md >"$work/page"
    tail -n +3 "$work/counted" | diff - "$work/page" || fail 'the table of docs/lowering.md'
    [ "$(wc -l <"$work/page")" -eq 11 ] || fail 'the table of docs/lowering.md lacks tables'
fi

echo "$failed failures"
[ "$failed" -eq 0 ]
