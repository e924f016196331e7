#!/usr/bin/env bash
# Builds with a newer Z3 than Debian's, from the Python package z3-solver, and runs the tests whose answers Z3 decides.
# All outcomes and flags of the library have to be those of a build with the machine's own Z3, which the test `library` judges.
# Where the package cannot be had (no pip, no network), it says so and ends with 77.
#
# usage: newer_z3.sh FOLDER BUILD [VERSION]
#   FOLDER: where to build; BUILD: the build with the machine's Z3; 4.13.3.0, the first whose tactics take fewer problems
set -u

mkdir -p "${1:?usage: newer_z3.sh FOLDER BUILD [VERSION]}" || exit 2
build=$(realpath "$1") own=$(realpath "${2:?usage: newer_z3.sh FOLDER BUILD [VERSION]}") version=${3:-4.13.3.0}
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
package=$build/z3-$version

skip() {
    printf 'skipped: %s\n' "$1"
    exit 77
}

if [ ! -e "$package/pkgconfig/z3.pc" ]; then
    python3 -m pip --version >/dev/null 2>&1 || skip 'there is no pip to get another Z3 with'
    mkdir -p "$package/pkgconfig"
    python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$package" "z3-solver==$version" >"$package/log" 2>&1 ||
        skip "z3-solver $version cannot be had: $(grep -i -m1 error "$package/log")"
    python3 -m zipfile -e "$package"/z3_solver-*.whl "$package" || exit 2
    [ -e "$package/z3/lib/libz3.so" ] || exit 2
    cat >"$package/pkgconfig/z3.pc" <<END
Name: z3
Description: $version
Version: $version
Libs: -L$package/z3/lib -Wl,-rpath,$package/z3/lib -lz3
Cflags: -I$package/z3/include
END
    # What the library is called at run time.
    name=$(readelf -d "$package/z3/lib/libz3.so" | sed -nE 's/.*SONAME.*\[(.*)\]/\1/p')
    [ -z "$name" ] || [ -e "$package/z3/lib/$name" ] || ln -s libz3.so "$package/z3/lib/$name"
fi

tests=(limits outcomes relations simulated waits z3_failures) # of the solver's unit tests
PKG_CONFIG_PATH=$package/pkgconfig cmake -S . -B "$build/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPTXLITMUS_QUICK=ON >"$build/log" 2>&1 &&
    cmake --build "$build/build" --target ptxlitmus "${tests[@]/#/unit_solver_}" >>"$build/log" 2>&1 || { tail -20 "$build/log"; exit 1; }
"$build/build/ptxlitmus" --version | grep -F "Z3 $version" || { echo "not built with Z3 $version"; exit 1; }
"$own/ptxlitmus" --jobs 0 --format json litmus/library >"$build/results.own" 2>/dev/null
"$build/build/ptxlitmus" --jobs 0 --format json litmus/library >"$build/results.newer" 2>/dev/null
"$own/tests/oracle/ptxlitmus-compare" "$build/results.own" "$build/results.newer" || exit 1
exec ctest --test-dir "$build/build" --output-on-failure -j "$(nproc)" \
    -R '^(model_(versions|dependencies|progress)|unit_solver_('"$(IFS='|'; echo "${tests[*]}")"'))$'
