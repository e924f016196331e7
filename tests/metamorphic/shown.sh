#!/bin/bash
# Shows more locations of each test of the library, and of random ones, than it asks for: verdict,
# flags and states must stay the same (tests/metamorphic/shown.c).
#
#   tests/metamorphic/shown.sh BUILD [COUNT [SEED]]
#
# COUNT random tests of each kind (default 20) from SEED (default 1).
set -eu
export LC_ALL=C
build=$(realpath "${1:?the build folder}") count=${2:-20} seed=${3:-1}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for kind in mixed sizes branches proxies barriers; do
  mkdir "$scratch/$kind"
  "$build/tests/oracle/ptxlitmus-generate" --kind $kind --cap 1000 --count "$count" --seed "$seed" \
    --out "$scratch/$kind"
done
"$build/tests/metamorphic/shown" litmus/library "$scratch"
