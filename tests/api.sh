#!/usr/bin/env bash
# The installed library: the example is compiled against it, with pkg-config and with CMake, shared and static,
# and run; both forms show the symbols of the header and no other, and have no global state; the header is C++ as well.
# Skipped (77) without pkg-config.
#
# usage: api.sh BUILD_FOLDER SOURCE_FOLDER
set -u

build=$(realpath "${1:?usage: api.sh BUILD_FOLDER SOURCE_FOLDER}") source=$(realpath "${2:?}") || exit 2
command -v pkg-config >/dev/null || { echo 'no pkg-config: skipped'; exit 77; }
grep -qE '^PTXLITMUS_(SANITIZE|COVERAGE):BOOL=ON' "$build/CMakeCache.txt" &&
    { echo 'the library needs the sanitizers that it is built with: skipped'; exit 77; }
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

DESTDIR='' cmake --install "$build" --prefix "$work/first" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/installed" # it finds itself
lib=$(dirname "$(find "$work/installed" -name libptxlitmus.so)")
example=$(find "$work/installed" -name example.c)
export PKG_CONFIG_PATH=$lib/pkgconfig
test=$work/installed/share/ptxlitmus/library/message-passing/MP.litmus

# --- Compiled and run -----------------------------------------------------------------------------

cat >"$work/expected" <<'END'
MP: forbidden, exists (P1:%r0 == 1 /\ P1:%r1 == 0)
   P1:%r0=0 P1:%r1=0
   P1:%r0=0 P1:%r1=1
   P1:%r0=1 P1:%r1=1
  flag data-race
END
read -ra flags <<<"$(pkg-config --cflags --libs ptxlitmus)"
passes 'the example, shared' cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$example" "${flags[@]}" -o "$work/shared"
LD_LIBRARY_PATH=$lib "$work/shared" "$test" >"$work/out" 2>&1
passes 'what the example prints' diff "$work/expected" "$work/out"
passes 'it uses the installed library' grep -q "libptxlitmus.so.0 => $lib/" <(LD_LIBRARY_PATH=$lib ldd "$work/shared")
read -ra flags <<<"$(pkg-config --static --cflags --libs ptxlitmus | sed 's/-lptxlitmus/-l:libptxlitmus.a/')"
passes 'the example, static' cc "$example" "${flags[@]}" -o "$work/static"
"$work/static" "$test" >"$work/out" 2>&1
passes 'what it prints, static' diff "$work/expected" "$work/out"
checks=$((checks + 1))
if ldd "$work/static" | grep -q libptxlitmus; then echo 'FAIL the static example is not'; failed=$((failed + 1)); fi
LD_LIBRARY_PATH=$lib "$work/shared" "$test" verdict target=sm_90 timeout=100 >"$work/out" 2>&1
passes 'the example with options' diff <(sed '2,4d' "$work/expected") "$work/out"
LD_LIBRARY_PATH=$lib "$work/shared" "$test" jobs=2 >"$work/out" 2>&1
passes 'an option of the program' grep -qx "'jobs' is not an option of a check" "$work/out"
if LD_LIBRARY_PATH=$lib "$work/shared" "$test" engine=cadical >"$work/out" 2>&1; then
    passes 'the example with CaDiCaL, shared' diff "$work/expected" "$work/out"
    "$work/static" "$test" engine=cadical >"$work/out" 2>&1
    passes 'the example with CaDiCaL, static' diff "$work/expected" "$work/out"
else
    passes 'a build without CaDiCaL says so' grep -q 'was built without CaDiCaL' "$work/out"
fi
cd "$source" || exit 2
LD_LIBRARY_PATH=$lib "$work/shared" tests/bad/ptx-missing-scope.litmus >"$work/out" 2>&1
passes 'messages of the program' diff tests/bad/ptx-missing-scope.err "$work/out"
cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(example C)
find_package(ptxlitmus 0.1 REQUIRED)
add_executable(example example.c)
target_link_libraries(example PRIVATE ptxlitmus::ptxlitmus)
END
cp "$example" "$work/example.c"
passes 'configured with CMake' cmake -S "$work" -B "$work/cmake" "-Dptxlitmus_DIR=$lib/cmake/ptxlitmus"
passes 'built with CMake' cmake --build "$work/cmake"
"$work/cmake/example" "$test" >"$work/out" 2>&1
passes 'what it prints, with CMake' diff "$work/expected" "$work/out"
printf '#include <ptxlitmus.h>\nint main() { return ptxlitmus_version() == nullptr; }\n' >"$work/header.cc"
if command -v c++ >/dev/null; then
    passes 'the header in C++' c++ -std=c++11 -Wall -Wextra -Werror "$work/header.cc" "-I$work/installed/include" "-L$lib" \
        -lptxlitmus -o "$work/header"
fi

# --- Symbols --------------------------------------------------------------------------------------

grep -oE '\bptxlitmus_[a-z_]+\(' "$source/api/ptxlitmus.h" | tr -d '(' | sort -u >"$work/declared"
passes 'there are declarations' test "$(wc -l <"$work/declared")" -gt 30
nm -D --defined-only "$lib/libptxlitmus.so" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort -u >"$work/shown"
passes 'the shared library shows its header' diff "$work/declared" "$work/shown"
# (What each object in C++ has a hidden copy of is shown to no other program.)
nm -g --defined-only "$lib/libptxlitmus.a" | awk 'NF == 3 && $3 !~ /^DW\.ref\./ { print $3 }' | sort -u >"$work/shown"
passes 'the archive shows its header' diff "$work/declared" "$work/shown"
nm --undefined-only "$lib/libptxlitmus.a" | awk '{ print $2 }' | sed 's/@.*//' >"$work/used" # CaDiCaL's own calls, which are quiet, are not in it
passes 'it uses something' grep -qx malloc "$work/used"
checks=$((checks + 1))
if grep -E '^(_?exit|_Exit|quick_exit|fork|vfork|exec.*|signal|sigaction|kill|raise|setlocale|setrlimit|stdout|printf|__printf_chk|puts|putchar|chdir|setenv)$' \
    "$work/used"; then
    echo 'FAIL the library ends, prints or changes the process'
    failed=$((failed + 1))
fi
# State that checkers share: the list of Z3's contexts, and its lock, and how the set-up went that they share. All other variables are constant or a thread's own.
objdump -t "$lib/libptxlitmus.a" | awk '/ O \.(data|bss|data\.rel|data\.rel\.local)[ \t]/ { print $NF }' | sort >"$work/state"
passes 'no state that checkers share' diff <(printf '%s\n' is_half_made is_set_up open_backends open_backends_lock) "$work/state"
passes 'its name tells its version' grep -q 'SONAME.*\[libptxlitmus.so.0\]' <(readelf -d "$lib/libptxlitmus.so")

# --- Documentation --------------------------------------------------------------------------------

while read -r name; do
    passes "docs/library.md on $name" grep -q "\`$name\`" "$source/docs/library.md"
done <"$work/declared"
# Every option is one of a check, which can be set, or the program's own and said to be.
names() { sed -nE 's/^OPTION\([A-Z0-9_]+, "([a-z0-9-]+)".*/\1/p' "$1" | sort; }
passes 'there are options' test "$(names "$source/check/options.def" | wc -l)" -gt 15
sed -n '/^Options of the program/,/^$/p' "$source/docs/library.md" | grep -oE '`[a-z0-9-]+`' | tr -d '`' | sort >"$work/placed"
passes 'each option is of a check or of the program' diff <(names "$source/cli/options/options.def") "$work/placed"

printf '%d checks, %d failed\n' "$checks" "$failed"
[ "$failed" -eq 0 ]
