#!/usr/bin/env bash
# Builds the program for browsers and puts the page's files together. usage: build.sh ROOT FOLDER
# FOLDER/sources keeps what fetch.sh brings, FOLDER/program the build; the rest of FOLDER is the site.
set -euo pipefail
root=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)

for tool in emcmake node perl; do
    command -v "$tool" >/dev/null || { echo "build.sh: '$tool' is missing: install emscripten, nodejs and perl" >&2; exit 1; }
done
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs} # where Debian has what the linker's scripts import
"$root/packaging/web/fetch.sh" "$folder/sources"
emcmake cmake -S "$root" -B "$folder/program" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPTXLITMUS_PROCESSES=OFF \
    -DPTXLITMUS_Z3=OFF -DBUILD_TESTING=OFF -DPTXLITMUS_PORTS="$folder/sources"
cmake --build "$folder/program" --target ptxlitmus
cp "$folder/program/ptxlitmus.mjs" "$folder/program/ptxlitmus.wasm" "$folder/"
cp "$root"/packaging/web/page/* "$folder/"
echo '{"type": "module"}' >"$folder/package.json" # for node, which runs the same files in tests
perl "$root/packaging/web/library.pl" "$root/litmus/library" >"$folder/library.json"
perl "$root/packaging/web/course.pl" "$root/docs/memory-scopes.md" "$root/docs/memory-scopes-2.md" >"$folder/course.json"
