#!/usr/bin/env bash
# Links with a newer Z3 than Debian's, from the Python package z3-solver, and runs the tests whose answers Z3 decides. Only what
# includes z3.h is compiled again; the rest is from the build with the machine's own Z3.
# All outcomes and flags of the library have to be those of a build with the machine's own Z3, which the test `library` judges.
# Where the package cannot be had (no pip, no network), it says so and ends with 77.
#
# usage: newer_z3.sh FOLDER BUILD [VERSION]
#   FOLDER: where to link; BUILD: the build with the machine's Z3, by ninja; 4.13.3.0, the first whose tactics take fewer problems
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

# compiled OBJECT SOURCE [OPTION...]: with the headers of the newer Z3
compiled() {
    cc -std=gnu17 -O1 -D_GNU_SOURCE -I. -I"$package/z3/include" "${@:3}" -c "$2" -o "$build/$1"
}

# linked TARGET LEFT_OUT OBJECT...: as the build does, with these objects before all others, those that match a pattern left
# out, and the newer Z3
linked() {
    local command objects=("${@:3}")
    command=$(ninja -C "$own" -t commands "$1" | tail -n 1 | sed -E "s#[^ ]*/libz3\.so#$package/z3/lib/libz3.so#g; s# [^ ]*$2[^ ]*\.o##")
    command=${command/" -o $1 "/" ${objects[*]/#/$build/} -o $build/${1##*/} -Wl,-rpath,$package/z3/lib "}
    (cd "$own" && bash -c "$command")
}

tests=(limits relations z3_failures waits outcomes simulated) # of the solver's unit tests
backend=(z3.o z3_check.o z3_terms.o)
{
    for object in "${backend[@]}" z3_functions.o; do
        compiled "$object" "solver/backend/${object%.o}.c" || exit
    done
    compiled on_demand.o solver/backend/z3_functions.c '-DPTXLITMUS_Z3_FILE="libz3.so"' &&
        compiled z3_failures.o tests/unit/solver/test_z3_failures.c &&
        ninja -C "$own" ptxlitmus ptxlitmus-compare "${tests[@]/#/unit_solver_}" &&
        linked ptxlitmus z3_on_demand "${backend[@]}" on_demand.o || exit
    for test in "${tests[@]}"; do
        own_object=()
        [ "$test" != z3_failures ] || own_object=(z3_failures.o)
        linked "tests/unit_solver_$test" test_z3_failures "${own_object[@]}" "${backend[@]}" z3_functions.o || exit
    done
} >"$build/log" 2>&1 || { tail -20 "$build/log"; exit 1; }
"$build/ptxlitmus" --version | grep -F "Z3 $version" || { echo "not built with Z3 $version"; exit 1; }
"$own/ptxlitmus" --jobs 0 --format json litmus/library >"$build/results.own" 2>/dev/null
"$build/ptxlitmus" --jobs 0 --format json litmus/library >"$build/results.newer" 2>/dev/null
"$own/tests/oracle/ptxlitmus-compare" "$build/results.own" "$build/results.newer" || exit 1
# One command per line, on all cores, those that take longest first; what one prints is shown where it fails.
run='out=$(eval "$1" 2>&1) && echo "passed: $1" || { printf "%s\nFAIL %s\n" "$out" "$1"; exit 1; }'
{
    printf "'%s'\n" "${tests[@]/#/$build/unit_solver_}"
    printf "%s '$build/ptxlitmus'\n" tests/model/{versions,dependencies,progress}.sh
} | xargs -d '\n' -P "$(nproc)" -n 1 bash -c "$run" bash
