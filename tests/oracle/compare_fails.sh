#!/bin/bash
# ptxlitmus-compare must fail whenever it should: one case per line below. $1 is the program.
set -u
compare=${1:?ptxlitmus-compare}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
wrong=0

# $1: the status that must come; $2, $3: the two sides.
expect() {
  printf '%s' "$2" > "$scratch/a"
  printf '%s' "$3" > "$scratch/b"
  "$compare" "$scratch/a" "$scratch/b" > "$scratch/out"
  local status=$?
  if [ $status -ne "$1" ]; then
    echo "status $status instead of $1: $2 | $3"
    wrong=1
  fi
}

# $1: the file, $2: the verdict, $3: the states, $4: whether they are complete.
line() {
  printf '{"file":"%s","model":"ptx-9.1","verdict":"%s","states":[%s],"complete":%s}\n' "$@"
}

# $1: the verdict, $2: whether the states are complete, $3: the flags.
flagged() {
  printf '{"file":"t","model":"ptx-9.1","verdict":"%s","states":[{"x":1}],"complete":%s,"flags":[%s]}\n' "$@"
}

good=$(line t allowed '{"x":1,"y":2},{"x":-1,"y":"0x00ff"}' true)
expect 0 "$good" "$good"
expect 0 "$good" "$(line t allowed '{"y":"ff","x":-1},{"y":2,"x":1}' true)" # another order
expect 1 "$good" "$(line t allowed '{"x":1,"y":2}' true)"                   # a state less
expect 1 "$(line t allowed '{"x":1,"y":2}' true)" "$good"                   # a state more
expect 1 "$good" "$(line t allowed '{"x":1,"y":2},{"x":-1,"y":"0x0fff"}' true)"
expect 1 "$good" "$(line t allowed '{"x":1,"y":2},{"x":null,"y":"0x00ff"}' true)"
expect 1 "$good" "$(line t always '{"x":1,"y":2},{"x":-1,"y":"0x00ff"}' true)"
expect 1 "$good" "$(line t allowed '{"x":1,"y":2},{"x":-1,"y":"0x00ff"}' false)"
expect 1 "$(line t unknown '{"x":1}' true)" "$(line t unknown '{"x":1}' true)"
expect 1 "$good" "$(line u allowed '{"x":1,"y":2},{"x":-1,"y":"0x00ff"}' true)"
expect 1 "$good" ''
expect 1 '' "$good"
expect 1 '' ''
expect 1 "$good" '{"file":"t","line":1,"column":2,"error":"no"}'
expect 1 '{"file":"t","error":"no"}' '{"file":"t","error":"no"}'
expect 1 "$good" 'Segmentation fault'
expect 1 "$good"$'\n'"$good" "$good" # one test twice
expect 0 "$(flagged forbidden true '"data-race","hang"')" "$(flagged forbidden true '"hang","data-race"')"
expect 1 "$(flagged forbidden true '"data-race"')" "$(flagged forbidden true '')"
expect 1 "$(flagged forbidden true '')" "$(flagged forbidden true '"proxy-reading"')"
expect 1 "$(flagged forbidden true '')" "$(flagged forbidden true '"something-else"')"
expect 0 "$(flagged unknown true '"mixed-size-race"')" "$(flagged unknown true '"mixed-size-race"')"
expect 0 "$(flagged unknown false '"bound"')" "$(flagged unknown false '"bound"')"
expect 1 "$(flagged unknown true '"data-race"')" "$(flagged unknown true '"data-race"')"
expect 1 "$(flagged unknown false '"mixed-size-race"')" "$(flagged unknown false '"mixed-size-race"')"
expect 1 "$(flagged unknown true '"mixed-size-race"')" "$(flagged forbidden true '"mixed-size-race"')"
expect 0 "$(line t unknown '' true)" "$(line t unknown '' true)" # no state, no verdict
expect 1 "$(line t unknown '' true)" "$(line t forbidden '' true)"
expect 1 "$(line t unknown '' false)" "$(line t unknown '' false)"
open=$(flagged forbidden true '' | sed 's/"flags"/"unknown_flags":["hang"],&/')
expect 1 "$open" "$open"
# Within the bound of a loop, the solver knows a part of what the oracle knows, and nothing else.
bounded() {
  printf '{"file":"t","model":"ptx-9.1","verdict":"%s","states":[%s],"complete":false,"flags":[%s]}\n' "$@"
}
expect 0 "$good" "$(bounded unknown '{"x":1,"y":2}' '"bound"')"
expect 0 "$good" "$(bounded allowed '{"x":1,"y":2}' '"bound"')"
expect 1 "$good" "$(bounded forbidden '{"x":1,"y":2}' '"bound"')"
expect 1 "$good" "$(bounded unknown '{"x":1,"y":3}' '"bound"')"
expect 1 "$good" "$(bounded unknown '{"x":1,"y":2}' '"bound","hang"')"
expect 1 "$(bounded unknown '{"x":1,"y":2}' '"bound"')" "$good"
# After a loop that never ends, the oracle leaves it open whether a thread hangs; nothing else.
hang_open=$(flagged forbidden true '' | sed 's/"flags"/"bounded":true,&/')
expect 0 "$hang_open" "$(flagged forbidden true '"hang"')"
expect 1 "$(flagged forbidden true '')" "$(flagged forbidden true '"hang"')"
expect 1 "$hang_open" "$(flagged forbidden true '"data-race"')"
expect 1 "$(flagged forbidden true '"data-race"' | sed 's/"flags"/"bounded":true,&/')" "$(flagged forbidden true '"hang"')"
exit $wrong
