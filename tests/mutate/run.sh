#!/usr/bin/env bash
# Puts faults into a copy of the tree, one at a time, and looks which test notices.
#
# usage: run.sh [--fresh] N [SEED]     tries sites until N of them were mutants (300, 1)
#        run.sh --table [SEED]         prints the results of those that were tried
#        run.sh --missed [SEED]        lists those that no test noticed and survivors.txt does not speak of
#
# A site is a place where an operator fits (sites.pl); the seed decides their order (choose.pl). A fault with which
# the tree does not build is not a mutant. The others are run against the tests that concern their room, the fast ones first,
# until one fails or runs out of time. Everything happens in build/mutate: the copy, the order, and a log with a
# line a site, which the next run of the same seed goes on with; --fresh starts again from today's tree.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
state=$root/build/mutate
tree=$state/tree
build=$tree/build
seconds=${MUTATE_SECONDS:-100} # of the processor, for one process; by the clock a busy machine takes longer
say() { printf 'mutate: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

fresh=false mode=run
case "${1:-}" in
--fresh) fresh=true; shift ;;
--table | --missed) mode=${1#--}; shift ;;
esac
if [ "$mode" = run ]; then
    count=${1:-300}
    shift || true
fi
seed=${1:-1}
log=$state/log-$seed.tsv

# --- Results ------------------------------------------------------------------------------------------

# The log's mutants with their final word: a survivor that survivors.txt argues is equivalent, or answered by a test
# that was written for it.
judged() {
    [ -e "$log" ] || die "nothing was tried with seed $seed"
    awk -F '\t' -v OFS='\t' '
        FNR == NR { if ($0 !~ /^#/ && NF >= 6) word[$1 FS $2 FS $3 FS $4 FS $5] = $6 ~ /^test / ? "answered" : "equivalent"
                    next }
        $6 == "unbuilt" { next }
        { if ($6 == "survived") { place = length($9) < 20 ? $2 ":" $3 : $2 # "return false;" is everywhere
                                key = $1 FS place FS $9 FS $4 FS $5; $6 = key in word ? word[key] : "missed" }
          print }
    ' "$here/survivors.txt" "$log"
}

table() {
    judged | awk -F '\t' '
        function row(name, key) {
            printf "| %s | %d | %d | %d | %d | %d |\n", name, all[key], caught[key], equivalent[key], answered[key], missed[key]
        }
        function add(key) {
            all[key]++
            if ($6 == "caught") caught[key]++
            if ($6 == "equivalent") equivalent[key]++
            if ($6 == "answered") answered[key]++
            if ($6 == "missed") missed[key]++
        }
        { folder = $2; sub(/\/[^\/]*$/, "", folder); add("o" $1); add("f" folder); add("all")
          operators[$1]; folders[folder] }
        END {
            print "| room | mutants | caught | equivalent | answered | missed |\n| --- | --- | --- | --- | --- | --- |"
            n = asorted(folders, names); for (i = 1; i <= n; i++) row("`" names[i] "`", "f" names[i])
            row("all", "all")
            print "\n| operator | mutants | caught | equivalent | answered | missed |\n| --- | --- | --- | --- | --- | --- |"
            n = asorted(operators, names); for (i = 1; i <= n; i++) row(names[i], "o" names[i])
        }
        # asorti is not in every awk
        function asorted(from, into, key, n, i, j, t) {
            n = 0
            for (key in from) into[++n] = key
            for (i = 2; i <= n; i++)
                for (j = i; j > 1 && into[j - 1] > into[j]; j--) { t = into[j]; into[j] = into[j - 1]; into[j - 1] = t }
            return n
        }'
}

case "$mode" in
table) table; exit ;;
missed) judged | awk -F '\t' '$6 == "missed" { printf "%s:%s: %s: %s -> %s\n    %s\n", $2, $3, $1, $4, $5, $9 }'; exit ;;
esac

# --- The copy -----------------------------------------------------------------------------------------

copy_tree() {
    rm -rf "$state"
    mkdir -p "$tree"
    (cd "$root" && git ls-files -z | xargs -0 tar -cf -) | tar -xf - -C "$tree"
    cp -r "$tree" "$state/pristine"
    [ ! -d "$root/../shared" ] || ln -s "$(cd "$root/../shared" && pwd)" "$state/shared"
    perl "$here/sites.pl" "$tree" >"$state/sites.tsv"
    (cd "$tree" && cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1) \
        >"$state/configure.log" 2>&1 || die "cannot configure: $state/configure.log"
    say "$(wc -l <"$state/sites.tsv") sites; building the copy"
    ninja -C "$build" -j1 >"$state/build.log" 2>&1 || die "the copy does not build: $state/build.log"
    (cd "$root" && git describe --always --dirty) >"$state/commit"
}

# --- The tests of a room ------------------------------------------------------------------------------

oracle='oracle_(library|float|differential.*|every_order.*)'
conformance='conformance_(dat3m|nvlitmus)'

# stages FILE: a line per stage, what is built and which tests then run.
stages() {
    case "$1" in
    program/*)
        printf '%s\t%s\n' unit_program '^unit_program_' \
            ptxlitmus "^(readme|model_versions|$conformance|library)$" \
            all "^($oracle|unit_solver_.*|model_mutations|cases)$"
        ;;
    solver/*)
        printf '%s\t%s\n' unit_solver '^unit_solver_(relations|outcomes|sequential|simulated|chains|spin_writes)$' \
            ptxlitmus "^(readme|model_versions|$conformance|library)$" \
            all "^($oracle|unit_solver_.*|model_mutations|cases)$"
        ;;
    model/*)
        printf '%s\t%s\n' unit_model '^unit_model_' \
            ptxlitmus "^(readme|model_versions|$conformance|library)$" \
            all "^(model_mutations|simulated|$oracle|cases|fuzz_cat|unit_solver_simulated)$"
        ;;
    check/* | cli/*)
        printf '%s\t%s\n' "unit_check unit_cli" '^unit_(check|cli)_' \
            ptxlitmus '^(readme|bad_input|cases)$' \
            all '^(log_grammar|simulated|fuzz_merge|bad_hostile|emit|library|jobs|terminal)$'
        ;;
    esac
}

# The executables of a stage: those whose names begin with one of the words.
targets() {
    local word
    for word in "$@"; do
        case "$word" in
        unit_*) ninja -C "$build" -t targets all | sed -n "s/^tests\/\($word[a-z_0-9]*\): .*/tests\/\1/p" ;;
        *) echo "$word" ;;
        esac
    done | sort -u
}

# Runs one stage; prints the test that failed, or nothing.
run_stage() {
    local status=0
    (
        ulimit -c 0 -v 8000000 -f 400000 -t "$seconds"
        timeout -k 10 $((20 * seconds)) ctest --test-dir "$build" -R "$1" -j1 --stop-on-failure --timeout $((10 * seconds))
    ) >"$state/ctest.log" 2>&1 </dev/null || status=$?
    [ "$status" -ne 0 ] || return 0
    [ "$status" -ne 124 ] || { echo time; return 0; }
    awk '/\*\*\*/ { for (i = 1; i <= NF; i++) if ($i ~ /^#[0-9]+:$/) { print $(i + 1); exit } }' \
        "$state/ctest.log" | grep . || echo "status $status"
}

# --- One mutant ---------------------------------------------------------------------------------------

# put FILE OFFSET LENGTH REPLACEMENT
put() {
    perl -e 'my ($from, $to, $offset, $length, $text) = @ARGV; local $/; open my $in, "<", $from or die; my $all = <$in>;
             substr($all, $offset, $length) = $text; open my $out, ">", $to or die; print $out $all;' \
        "$state/pristine/$1" "$tree/$1" "$2" "$3" "$4"
}

# Whether a cat text that was changed is still one: a model, or what a simulated target adds to one.
is_model() {
    local name=${1##*/} option
    case "$1" in
    model/simulated/*.cat) option=--target ;;
    *.cat) option=--model ;;
    *) return 0 ;;
    esac
    "$build/ptxlitmus" --verdict "$option" "${name%.cat}" "$tree/litmus/library/message-passing/MP.litmus" \
        >/dev/null 2>&1 </dev/null || [ $? -ne 2 ]
}

# is_sound FILE TARGETS TESTS: that these tests pass without a fault, which is looked at once for each set of tests. One that
# always fails would catch everything.
is_sound() {
    local mark failed
    mark=$state/sound-$(printf %s "$3" | cksum | cut -d' ' -f1)
    [ ! -e "$mark" ] || return 0
    cp "$state/pristine/$1" "$tree/$1"
    # shellcheck disable=SC2046,SC2086 # names without spaces
    nice ninja -C "$build" -j1 $(targets $2) >"$state/build.log" 2>&1 </dev/null || die "the copy does not build: $state/build.log"
    failed=$(run_stage "$3")
    [ -z "$failed" ] || die "$failed fails without a fault: $state/ctest.log"
    touch "$mark"
}

# try FILE: prints "result TAB test".
try() {
    local wanted tests failed list
    while IFS=$'\t' read -r wanted tests; do
        # shellcheck disable=SC2046,SC2086 # names without spaces
        list=$(targets $wanted)
        # shellcheck disable=SC2086
        if ! nice ninja -C "$build" -j1 $list >"$state/build.log" 2>&1 </dev/null; then
            printf 'unbuilt\t\n'
            return
        fi
        if [ "$wanted" = ptxlitmus ] && ! is_model "$1"; then
            printf 'unbuilt\t\n'
            return
        fi
        failed=$(run_stage "$tests")
        if [ -n "$failed" ]; then
            is_sound "$1" "$wanted" "$tests" || exit
            printf 'caught\t%s\n' "$failed"
            return
        fi
    done < <(stages "$1")
    printf 'survived\t\n'
}

# --- All of them --------------------------------------------------------------------------------------

mkdir -p "$root/build"
exec 9>"$state.lock"
flock -n 9 || die "another run is at work in ${state#"$root"/}"
if [ "$fresh" = true ] || [ ! -e "$state/commit" ]; then
    copy_tree
fi
say "tree of $(cat "$state/commit"), seed $seed, log in ${log#"$root"/}"
touch "$log"
perl "$here/choose.pl" "$seed" <"$state/sites.tsv" >"$state/order-$seed.tsv"
done_sites=$(wc -l <"$log")
mutants=$(awk -F '\t' '$6 != "unbuilt"' "$log" | wc -l)
trap 'cp "$state/pristine/${file:-README.md}" "$tree/${file:-README.md}"' EXIT
while [ "$mutants" -lt "$count" ] &&
    IFS=$'\037' read -r operator file line offset length replacement original; do
    began=$(date +%s)
    put "$file" "$offset" "$length" "$replacement"
    result=$(try "$file") || exit
    cp "$state/pristine/$file" "$tree/$file"
    text=$(sed -n "${line}p" "$state/pristine/$file" | tr '\t' ' ' | sed 's/^ *//')
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$operator" "$file" "$line" "$original" "$replacement" "$result" \
        "$(($(date +%s) - began))" "$text" >>"$log"
    [ "${result%%$'\t'*}" = unbuilt ] || mutants=$((mutants + 1))
    say "$mutants of $count: $operator $file:$line: $(printf %s "$result" | tr '\t' ' ')"
done < <(tail -n "+$((done_sites + 1))" "$state/order-$seed.tsv" | tr '\t' '\037') # which keeps empty fields
table
