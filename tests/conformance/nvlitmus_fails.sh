#!/bin/bash
# nvlitmus.sh must fail whenever it should. $1 is ptxlitmus, $2 is conformance-check.
set -u
program=${1:?ptxlitmus}
check=${2:?conformance-check}
script=${BASH_SOURCE[0]%/*}/nvlitmus.sh
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
wrong=0

# Writes a test of one load that may see 0 or 1; $1: its name, $2: its command.
write_test() {
  printf '.global x;\nd0.b0.t0 { st.relaxed.gpu [x], 1; }\nd0.b1.t0 { ld.relaxed.gpu r0, [x]; }\n%s\n' \
    "$2" > "$scratch/nvlitmus/$1.test"
}

# $1: the status that must come; $2: the command of the known exception ("" leaves it out);
# $3: another test's command, and its table.
expect() {
  rm -rf "$scratch/nvlitmus"
  mkdir "$scratch/nvlitmus"
  [ -z "$2" ] || write_test Release_acquire_pattern "$2"
  write_test a "$3"
  "$script" "$program" "$check" "$scratch" ptx-9.1 > "$scratch/out" 2>&1
  local status=$?
  if [ $status -ne "$1" ]; then
    echo "status $status instead of $1: $2 | $3"
    cat "$scratch/out"
    wrong=1
  fi
}

never='permit (r0 == 2) as never;'
expect 0 "$never" 'permit (r0 == 0) as a;'
expect 0 "$never" 'assert (r0 != 2) as a;'
expect 0 "$never" $'$0(r0 == $1) as a;\n$$\npermit | 0\n\n# none\npermit | 1'
expect 1 "$never" 'permit (r0 == 2) as a;'
expect 1 "$never" 'assert (r0 == 1) as a;'
expect 1 "$never" $'$0(r0 == $1) as a;\n$$\npermit | 0\nassert | 1'
expect 1 "$never" 'permit (r9 == 0) as a;'                       # refused
expect 1 "$never" $'permit (r0 == 0) as a;\npermit (r0 == 1) as b;' # more tests than the script sees
expect 1 "$never" 'check (r0 == 0) as a;'                        # has no expectation
expect 1 'permit (r0 == 1) as seen;' 'permit (r0 == 0) as a;'    # the exception is none any more
expect 1 '' 'permit (r0 == 0) as a;'                             # there is no exception
exit $wrong
