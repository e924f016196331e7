#!/bin/bash
# Shows for each rule of model/ptx-9.1.cat that a test of the library needs it: with the rule taken
# away or changed (mutations.txt), the test's verdict is not the expected one any more. So it is with a rule
# that an option of the program changes. Rules that begin with 9.3 are of ptx-9.3.cat, which includes that text, and
# those that begin with 6.0 or 7.5 of the models of these versions.
#
#   tests/model/mutations.sh PROGRAM [RULE]
#
# RULE limits the run to rules that begin so.
set -u
export LC_ALL=C
program=$(realpath "${1:?the program to run}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
cp model/ptx-9.3.cat "$scratch" || exit 2
failed=0 count=0

fail() {
  printf 'FAIL: %s\n' "$1"
  failed=$((failed + 1))
}

# $1: the model, then options. Prints the exit status for the test in $file.
status_under() {
  "$program" --verdict --quiet --proxy-fences local --model "$@" "$file" > "$scratch/out" 2>&1
  echo $?
}

while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  rule=${line%% | *} test=${line##* | }
  edit=${line#"$rule | "} edit=${edit%" | $test"}
  case $rule in "${2-}"*) ;; *) continue ;; esac
  count=$((count + 1))
  options=()
  case $edit in --*) read -ra options <<< "$edit"; edit= ;; esac
  file=$(find litmus/library tests/model/undecided tests/model/modules -name "${test% *}.litmus" -o -name "${test% *}.ptx")
  usual=0 needed=1
  if [ "${test% refused}" != "$test" ]; then
    needed=2
  elif [ "${test% undecided}" != "$test" ]; then
    needed=3
  elif [ "${test% decided}" != "$test" ]; then
    usual=3 needed=0
  elif [ "$test" = "=" ]; then
    file=$scratch/library needed=0 # all tests that are decided by ptx-9.1
    cp -r litmus/library "$file" && rm -r "$file/ptx-9.3"
  fi
  model=ptx-9.1 mutant=$scratch/mutant.cat base=model/ptx-9.1.cat
  case $rule in
    "9.3 "*) model=ptx-9.3 mutant=$scratch/ptx-9.1.cat ;;
    "6.0 "* | "7.5 "*) model=ptx-${rule%% *} base=model/ptx-${rule%% *}.cat ;;
  esac
  if [ ! -e "$file" ]; then
    fail "$rule: no test $test"
  elif ! sed -e "$edit" "$base" > "$mutant"; then
    fail "$rule: not a sed script: $edit"
  elif [ -n "$edit" ] && cmp -s "$base" "$mutant"; then
    fail "$rule: the edit changes nothing: $edit"
  elif [ "$(status_under "$model")" -ne $usual ]; then
    fail "$rule: $test is not as expected"
  elif [ "$(status_under "${mutant/9.1/9.3}" ${options[@]+"${options[@]}"})" -ne $needed ]; then
    fail "$rule: $file under the edited model: $(head -c 300 "$scratch/out")"
  fi
done < tests/model/mutations.txt
[ $count -ne 0 ] || fail "no rule begins with '${2-}'"
printf '%d rules, %d failed\n' "$count" "$failed"
[ $failed -eq 0 ]
