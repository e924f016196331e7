#!/usr/bin/env bash
# Fetches the sources that a build for browsers compiles, from Debian's source packages: jansson, libunistring and
# CaDiCaL. usage: fetch.sh FOLDER. What is there already is not fetched again.
set -euo pipefail
folder=$1
packages=(jansson libunistring cadical)

# There are sources of a package where its archive was unpacked.
is_there() { compgen -G "$folder/$1-*/*" >/dev/null; }

wanted=()
for package in "${packages[@]}"; do
    is_there "$package" || wanted+=("$package")
done
[ ${#wanted[@]} -gt 0 ] || exit 0
command -v apt-get >/dev/null || { echo "fetch.sh: the sources come from Debian's packages, with apt-get" >&2; exit 1; }

# The lists of source packages are this folder's own: the system's settings stay as they are.
mkdir -p "$folder/apt/parts" "$folder/apt/lists/partial"
cd "$folder"
for list in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"apt/parts/$(basename "$list")"
done
[ ! -e /etc/apt/sources.list ] || sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >apt/parts/main.list
options=(-o "Dir::Etc::SourceList=$folder/apt/none" -o "Dir::Etc::SourceParts=$folder/apt/parts"
    -o "Dir::State::Lists=$folder/apt/lists" -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
apt-get "${options[@]}" source --download-only "${wanted[@]}"

# CaDiCaL's archive has another name for its folder.
for package in "${wanted[@]}"; do
    for archive in "$package"_*.orig.tar.*; do
        case "$archive" in *.asc) continue ;; esac
        tar -xf "$archive"
    done
done
