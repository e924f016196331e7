#!/bin/bash
# Puts the faults of faults.txt, one at a time, into a copy of the tree, and looks whether the random test that is
# named with each notices it.
#
#   tests/oracle/faults.sh [NAME...]     all of them, or those named
#
# Everything happens in build/faults. Status: 0 when the tests pass without a fault and each fault is noticed, else 1.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
state=$root/build/faults
tree=$state/tree
fail() { printf 'faults.sh: %s\n' "$*" >&2; exit 1; }

rm -rf "$state"
mkdir -p "$tree"
(cd "$root" && git ls-files -z | xargs -0 tar -cf -) | tar -xf - -C "$tree"
build() {
  nice ninja -C "$tree/build" ptxlitmus tests/oracle/all unit_solver_endless >"$state/build.log" 2>&1 </dev/null
}
(cd "$tree" && cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release) >"$state/configure.log" 2>&1 </dev/null ||
  fail "the copy cannot be configured: $state/configure.log"
build || fail "the copy does not build: $state/build.log"

# passes TEST
passes() {
  nice ctest --test-dir "$tree/build" -R "^$1\$" --no-tests=error --output-on-failure >"$state/ctest.log" 2>&1 </dev/null
}

# put FILE FROM TO
put() {
  perl -e 'my ($file, $from, $to) = @ARGV; local $/; open my $in, "<", $file or die; my $text = <$in>;
           my $count = () = $text =~ /\Q$from\E/g; exit 1 if $count != 1;
           $text =~ s/\Q$from\E/$to/; open my $out, ">", $file or die; print $out $text;' "$tree/$1" "$2" "$3"
}

status=0 tried=0
declare -A sound
while IFS=$'\t' read -r name file from to test; do
  case $name in '' | '#'*) continue ;; esac
  [ $# -eq 0 ] || [[ " $* " = *" $name "* ]] || continue
  if [ -z "${sound[$test]:-}" ]; then
    build || fail "the copy does not build: $state/build.log" # without the fault before
    passes "$test" || fail "$test fails without a fault: $state/ctest.log"
    sound[$test]=yes
  fi
  put "$file" "$from" "$to" || fail "$name: the text is not there once"
  build || fail "$name: does not build: $state/build.log"
  if passes "$test"; then
    printf '%-20s MISSED by %s\n' "$name" "$test"
    status=1
  else
    printf '%-20s noticed by %s: %s\n' "$name" "$test" \
      "$(sed -n 's/^.* \([0-9]* without agreement\)$/\1/p' "$state/ctest.log" | grep -v '^0' | paste -sd ';' | sed 's/;/; /g')"
  fi
  cp "$root/$file" "$tree/$file"
  tried=$((tried + 1))
done <"$here/faults.txt"
[ "$tried" -gt 0 ] || fail "no fault was tried"
exit $status
