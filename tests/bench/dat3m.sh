#!/usr/bin/env bash
# Compares ptxlitmus with Dat3M on the families MP, SB, LB and IRIW, which are those of its experiment: the
# verdicts of both, and the time that each takes.
#
# usage: dat3m.sh BUILD [FOLDER [METHOD]]
#        FOLDER: Dat3M's, built (dartagnan/target/dartagnan.jar, cat/ptx-v7.5.cat), or named by $DAT3M_HOME.
#        METHOD: how it solves, lazy (the default) or eager
#
# Each test is run by both in a process of its own; Java's start is measured with the smallest test and taken
# off. Status 77 without Java or Dat3M.
set -u
export LC_ALL=C
usage="usage: dat3m.sh BUILD [FOLDER [METHOD]]"
build=$(realpath "${1:?$usage}") || exit 2
home=${2:-${DAT3M_HOME:-}}
method=${3:-lazy}
jar=$home/dartagnan/target/dartagnan.jar
if ! command -v java >/dev/null || [ ! -f "$jar" ]; then
    echo "skipped: there is no Java, or no dartagnan/target/dartagnan.jar in '$home'"
    exit 77
fi
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
TIMEFORMAT='%U %S'

# In Dat3M's text, a test of a family: a column per thread, its registers without a sign.
write_test() { # FAMILY SIZE
    local family=$build/tests/bench/ptxlitmus-family
    "$family" "$1" "$2" >"$scratch/ours.litmus" || exit 2
    awk '
        /^PTX / { name = $2; next }
        /^\.global/ { gsub(/;/, ""); places[++count] = $3; next }
        /^P[0-9]+@/ { split($1, t, "@"); heads[++n] = t[1] "@cta " (n - 1) ",gpu 0"; lines[n] = 0; next }
        /^  / {
            sub(/^ +/, ""); sub(/;$/, ""); gsub(/%/, ""); gsub(/\.global\.u32/, "")
            sub(/\[/, ""); sub(/\]/, "")
            if (++lines[n] > most) most = lines[n]
            text[n, lines[n]] = $0
        }
        /^exists/ { condition = $0; gsub(/%/, "", condition) }
        END {
            print "PTX " name "\n{"
            for (i = 1; i <= count; i++) print places[i] "=0;"
            for (i = 1; i <= n; i++)
                for (r = 0; r < 2; r++) print "P" (i - 1) ":r" r "=0;"
            print "}"
            for (l = 0; l <= most; l++) {
                line = ""
                for (i = 1; i <= n; i++) line = line (i > 1 ? " | " : " ") (l == 0 ? heads[i] : text[i, l])
                print line " ;"
            }
            print condition
        }' "$scratch/ours.litmus" >"$scratch/theirs.litmus"
}

# Prints the seconds of the processor that a command takes.
seconds() {
    { time "$@" >"$scratch/out" 2>"$scratch/err" </dev/null; } 2>&1 | awk '{ printf "%.3f", $1 + $2 }'
}

theirs() {
    seconds env DAT3M_HOME="$home" java -jar "$jar" "$home/cat/ptx-v7.5.cat" "$scratch/theirs.litmus" \
        --target=ptx --method="$method"
}

write_test mp 2
start=$(theirs)
grep -qE '^(Ok|No)$' "$scratch/out" || { cat "$scratch/out" "$scratch/err"; exit 1; }
different=0
for family in mp sb lb iriw; do
    for size in 4 10 20 40; do
        write_test $family $size
        own=$(seconds "$build/ptxlitmus" --verdict --model ptx-7.5 "$scratch/ours.litmus")
        verdict=Ok
        grep -q '^Observation .* Never ' "$scratch/out" && verdict=No
        other=$(theirs)
        answer=$(grep -E '^(Ok|No)$' "$scratch/out" | head -n 1)
        echo "$family $size: ptxlitmus $own s, Dat3M ($method) $(awk -v a="$other" -v b="$start" 'BEGIN { printf "%.3f", a - b }') s without its start: $verdict, ${answer:-?}"
        [ "$verdict" = "$answer" ] || different=1
    done
done
[ $different -eq 0 ] || { echo "Dat3M has other verdicts"; exit 1; }
