#!/bin/bash
# What `ptxlitmus generate` makes of cycles: the families that diy7 and the papers have, all cycles that another
# program finds, outcomes that are the cycles', verdicts that the oracle has too, and its messages.
#
# usage: generate.sh BUILD [COUNT [SEED]]    COUNT tests are compared with the oracle (60)
set -u
export LC_ALL=C
build=$(realpath "${1:?the build folder}") || exit 2
count=${2:-60} seed=${3:-1}
size=5 # of the cycles of which these are chosen
[ "$count" -le 1000 ] || size=6
program=$build/ptxlitmus
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

# $1: what is compared, $2 and $3: files that have to be the same.
same() {
  diff "$2" "$3" > "$work/diff" || { fail "$1"; head -20 "$work/diff"; }
}

# --- Families, by hand: the six shapes of two threads, and those of three and four with six edges -------------
cat > "$work/families" <<'END'
2+2W: PodWW Coe PodWW Coe
3.2W: PodWW Coe PodWW Coe PodWW Coe
3.LB: PodRW Rfe PodRW Rfe PodRW Rfe
3.SB: PodWR Fre PodWR Fre PodWR Fre
IRIW: Rfe PodRR Fre Rfe PodRR Fre
IRRWIW: Rfe PodRR Fre Rfe PodRW Coe
IRWIW: Rfe PodRW Coe Rfe PodRW Coe
ISA2: PodWW Rfe PodRW Rfe PodRR Fre
LB: PodRW Rfe PodRW Rfe
MP: PodWW Rfe PodRR Fre
R: PodWW Coe PodWR Fre
RWC: Rfe PodRR Fre PodWR Fre
S: PodWW Rfe PodRW Coe
SB: PodWR Fre PodWR Fre
W+RWC: PodWW Rfe PodRR Fre PodWR Fre
WRC: Rfe PodRW Rfe PodRR Fre
WRR+2W: Rfe PodRR Fre PodWW Coe
WRW+2W: Rfe PodRW Coe PodWW Coe
WRW+WR: Rfe PodRW Coe PodWR Fre
WWC: Rfe PodRW Rfe PodRW Coe
Z6.0: PodWW Rfe PodRW Coe PodWR Fre
Z6.1: PodWW Coe PodWW Rfe PodRW Coe
Z6.2: PodWW Rfe PodRW Rfe PodRW Coe
Z6.3: PodWW Coe PodWW Rfe PodRR Fre
Z6.4: PodWW Coe PodWR Fre PodWR Fre
Z6.5: PodWW Coe PodWW Coe PodWR Fre
END
"$program" generate --edges 'Rfe Fre Coe Pod**' --size 6 -o "$work/six" --quiet || fail "families: status $?"
for file in "$work/six"/*.litmus; do
  echo "$(basename "$file" .litmus): $(sed -n '2s/"//gp' "$file")"
done | sort > "$work/got"
same "names and cycles of the families" "$work/families" "$work/got"
while IFS=: read -r name cycle; do
  got=$("$program" generate "$cycle" | head -1)
  [ "$got" = "PTX $name" ] || fail "'$cycle' is called '$got', not $name"
done < "$work/families"

# --- Up to 8 edges, as another program finds them -----------------------------------------------------------------
perl tests/generate/cycles.pl 8 > "$work/perl"
"$program" generate --edges 'Rfe,Fre,Coe,Pod**' --size 8 -o "$work/eight" --quiet || fail "8 edges: status $?"
sed -n '2s/"//gp' -s "$work/eight"/*.litmus | perl tests/generate/cycles.pl turn | sort > "$work/got"
same "all cycles of 8 edges" "$work/perl" "$work/got"
[ "$(wc -l < "$work/perl")" -ge 80 ] || fail "there are only $(wc -l < "$work/perl") cycles"

# --- The outcome is the cycle's: none is sequentially consistent, all are there without axioms ---------------------
"$program" generate --edges 'Rfe Fre Coe Pod** Fence.acq_rel.gpu DpAddr DpData DpCtrl Rmw Rfi PosRR PosWW BarSync' \
  --placement cta,gpu --size $size --most 20000 -o "$work/all" --quiet || fail "many: status $?"
# Perl's generator of random numbers is the same everywhere for a seed.
ls "$work/all" | perl -e 'srand(shift); my $n = shift; my @l = <STDIN>; @l = sort { $a cmp $b } @l;
  for my $i (reverse 1 .. $#l) { my $k = int rand($i + 1); @l[$i, $k] = @l[$k, $i]; }
  print @l[0 .. ($n < @l ? $n : scalar @l) - 1];' "$seed" "$count" > "$work/sample"
mkdir "$work/chosen"
while read -r file; do cp "$work/all/$file" "$work/chosen/"; done < "$work/sample"
[ "$(ls "$work/chosen" | wc -l)" -gt 0 ] || fail "no test was chosen"
"$program" --target sc --verdict --format json "$work/chosen" > "$work/sc" 2> "$work/err" || fail "sc: $(head -3 "$work/err")"
grep -v '"verdict":"forbidden"' "$work/sc" | head -3 > "$work/bad"
[ ! -s "$work/bad" ] || { fail "a cycle is sequentially consistent"; cat "$work/bad"; }
printf '"thin air alone"\nacyclic rf | addr | data | ctrl as thin-air\n' > "$work/none.cat"
"$program" --model "$work/none.cat" --verdict --format json "$work/chosen" > "$work/none" 2> "$work/err"
grep -v '"verdict":"allowed"' "$work/none" | grep -vE '"test":"[^"]*(addr|data|ctrl)' | head -3 > "$work/bad"
[ ! -s "$work/bad" ] || { fail "an outcome cannot be reached"; cat "$work/bad"; }
[ "$(wc -l < "$work/none")" -eq "$(ls "$work/chosen" | wc -l)" ] || fail "a test cannot be read: $(head -3 "$work/err")"

# --- Solver and oracle agree ------------------------------------------------------------------------------------------
"$build/tests/oracle/ptxlitmus-oracle" "$work/chosen" > "$work/oracle.jsonl" || fail "oracle: status $?"
"$program" --format json "$work/chosen" > "$work/solver.jsonl" 2> "$work/err"
"$build/tests/oracle/ptxlitmus-compare" "$work/oracle.jsonl" "$work/solver.jsonl" || fail "the oracle disagrees"

# --- Verdicts, axioms and mutants ---------------------------------------------------------------------------------
"$program" generate --expect 'weak PodWW release.gpu Rfe acquire.gpu PodRR weak Fre' > "$work/mp.litmus" || fail "MP"
"$program" --quiet "$work/mp.litmus" || fail "MP does not meet what it expects"
grep -q '^expect forbidden;$' "$work/mp.litmus" || fail "MP with release and acquire is not forbidden"
"$program" generate --mutants --expect -o "$work/mutants" --quiet 'Fence.sc.gpu Fre Fence.sc.gpu Fre' || fail "mutants"
ls "$work/mutants" > "$work/got"
printf '%s.litmus\n' SB+fence.acq_rel.gpu+fence.sc.gpu SB+fence.sc.cta+fence.sc.gpu SB+fence.sc.gpus > "$work/want"
same "mutants of SB+fence.sc.gpus" "$work/want" "$work/got"
"$program" --quiet "$work/mutants" || fail "a mutant does not meet what it expects"
"$program" generate --axiom Causality --edges 'Rfe Fre Coe Pod** Fence.sc.gpu' --size 4 -o "$work/causal" --quiet
ls "$work/causal" > "$work/got"
printf '%s.litmus\n' MP+fence.sc.gpus R+fence.sc.gpus SB+fence.sc.gpus > "$work/want"
same "cycles that Causality forbids" "$work/want" "$work/got"

# --- Limits and files --------------------------------------------------------------------------------------------------
"$program" generate --edges 'Rfe Fre Coe Pod**' --size 6 --most 5 > "$work/five" 2> "$work/err"
[ $? -eq 3 ] && [ "$(grep -c '^PTX' "$work/five")" -eq 5 ] && grep -q 'only the first 5 tests' "$work/err" ||
  fail "a list that is cut does not say so"
"$program" generate -o "$work/six" 'PodWW Rfe PodRR Fre' > /dev/null 2> "$work/err"
[ $? -eq 4 ] && grep -q "'--force' overwrites it" "$work/err" || fail "a file is overwritten"
"$program" generate -o "$work/six" --force --quiet 'PodWW Rfe PodRR Fre' || fail "--force"
"$program" generate --edges 'Rfe' --size 4 > /dev/null 2> "$work/err"
[ $? -eq 1 ] && grep -q 'no cycle is as asked' "$work/err" || fail "no cycles: $(cat "$work/err")"
printf 'PodWW Rfe PodRR Fre\n\nPodWR Fre PodWR Fre\n' | "$program" generate - > "$work/two" || fail "cycles from stdin"
[ "$(grep -c '^PTX' "$work/two")" -eq 2 ] || fail "two cycles, and not two tests"

# --- Messages: what is wrong, with the word ---------------------------------------------------------------------------
# $1: what the message says; then the arguments.
refused() {
  local want=$1
  shift
  "$program" generate "$@" > "$work/out" 2> "$work/err"
  [ $? -eq 2 ] && grep -qF -- "$want" "$work/err" && [ ! -s "$work/out" ] ||
    { fail "'$*' is not refused with: $want"; head -3 "$work/err"; }
}
refused "'PodXX' is not an edge" 'PodXX Rfe'
refused "'Fence.sc' is not an edge" 'Fence.sc Fre PodWR Fre'
refused "'Rfe.warp' is not an edge" 'PodWW Rfe.warp PodRR Fre'
refused "'DpDatadR' is not an edge" 'DpDatadR Fre PodWR Fre'
refused "'Rfe' begins with an access that writes, but 'PodWR' before it ends with one that reads" 'PodWR Rfe PodRR Fre'
refused "a cycle leads through two threads at least" 'PodWW Rfe PodRW'
refused "'PodWR' leads to another location, and no other edge leads back" 'PodWR Fre Coe'
refused "one location would have three writes" 'PosWW Coe PosWR Fre'
refused "nothing says whether the access between" 'Pod** Fence.sc.gpu Rfe PodRR Fre'
refused "'acquire.gpu' is for a read, and this access writes" 'acquire.gpu PodWW Rfe PodRR Fre'
refused "'relaxed' is not an order" 'relaxed PodWW Rfe PodRR Fre'
refused "'textures' is not a proxy" 'weak@textures PodWW Rfe PodRR Fre'
refused "has a mark already" 'weak weak PodWW Rfe PodRR Fre'
refused "the access where the cycle begins has a mark already" 'weak PodWW Rfe PodRR Fre weak'
refused "but by the other edges they are nearer" 'PodWW Rfe.cta PodRR Fre.gpu'
refused "needs a CTA of two threads" 'BarSync PodRW Rfe.cta PodRW Rfe.cta PodRR Fre.cta'
refused "would wait for each other" 'BarSync.sWR BarSync.sRW'
refused "are one instruction" 'PodWW Rfe relaxed.gpu Rmw release.cta Rfe PodRR Fre'
refused "a cycle has at most 16 edges" 'Fre Rfe Fre Rfe Fre Rfe Fre Rfe Fre Rfe Fre Rfe Fre Rfe Fre Rfe Fre Rfe'
refused "a cycle has edges" ''
refused "'moon' is not a place" --placement moon 'PodWW Rfe PodRR Fre'
refused "'--access' begins with an order of reads and writes" --access acquire.gpu 'PodWW Rfe PodRR Fre'
refused "'Nothing' is not an axiom of" --axiom Nothing 'PodWW Rfe PodRR Fre'
refused "'--size' takes a number from 2 to 16, got '17'" --size 17 --edges Rfe
refused "'--most' takes a number" --most x 'PodWW Rfe PodRR Fre'
refused "takes cycles or '--edges', not both" --edges Rfe 'PodWW Rfe PodRR Fre'
refused "'--force' is for '--output'" --force 'PodWW Rfe PodRR Fre'
refused "'generate' needs cycles"
refused "'generate' has no option '--races'" --races 'PodWW Rfe PodRR Fre'

[ "$failed" -eq 0 ] || exit 1
echo "generate: $(wc -l < "$work/perl") cycles of 8 edges, $(ls "$work/chosen" | wc -l) tests compared with the oracle"
