#!/usr/bin/env bash
# The Debian packages, of the program, the library and what one needs to build with it: made by CPack, without errors of lintian
# where it is there, put into an empty root by dpkg, run from there, and removed again (unpacked
# only, where we are not root, who alone may change roots). Skipped (77) where there is no dpkg, no shlibdeps (dpkg-dev)
# or no cpack, and in builds with sanitizers or for coverage.
#
# usage: package.sh BUILD_FOLDER
set -u

build=$(realpath "${1:?usage: package.sh BUILD_FOLDER}") || exit 2
for tool in dpkg dpkg-deb dpkg-shlibdeps cpack; do
    command -v $tool >/dev/null || { echo "no $tool: skipped"; exit 77; }
done
grep -qE '^PTXLITMUS_(SANITIZE|COVERAGE):BOOL=ON' "$build/CMakeCache.txt" &&
    { echo 'not a build to package: skipped'; exit 77; }
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"

cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work/out" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
package=$(echo "$work"/out/ptxlitmus_*.deb)
library=$(echo "$work"/out/libptxlitmus0_*.deb)
development=$(echo "$work"/out/libptxlitmus-dev_*.deb)
for file in "$package" "$library" "$development"; do
    passes "${file##*/}" test -e "$file"
    dpkg-deb -c "$file" >"$work/content"
    passes 'all of it is under /usr' test -z "$(awk '{ print $6 }' "$work/content" | grep -vE '^\./(usr(/.*)?)?$')"
    passes 'it belongs to root' test -z "$(awk '{ print $2 }' "$work/content" | grep -v '^root/root$')"
    passes 'nothing in it can be changed by all' test -z "$(awk '{ print $1 }' "$work/content" | grep '^[-d].......w')"
done
if command -v lintian >/dev/null; then
    lintian --allow-root --tag-display-limit 0 "$package" "$library" "$development" >"$work/lintian" 2>&1
    passes 'lintian has no errors' test -z "$(grep '^E:' "$work/lintian")"
else
    echo 'no lintian: not asked'
fi
field() { dpkg-deb -f "${2:-$package}" "$1"; }
for needed in libc6 libjansson4 'libunistring[0-9]+' 'libz3-4'; do
    passes "the program depends on $needed" grep -qE "(^|, )$needed( |,|\$)" <(field Depends)
    passes "the library depends on $needed" grep -qE "(^|, )$needed( |,|\$)" <(field Depends "$library")
done
passes 'one builds with the same version of the library' grep -q 'libptxlitmus0 (= ' <(field Depends "$development")
passes 'its architecture' test "$(field Architecture)" = "$(dpkg --print-architecture)"
passes 'its maintainer' test "$(field Maintainer)" = 'The ptxlitmus authors <authors@ptxlitmus.invalid>'
passes 'its description' grep -q "^outcomes of litmus tests under PTX's memory model" <(field Description)
passes 'what it says of itself' grep -q 'Z3' <(field Description)
# An empty system, with what the package's scripts call. What the package depends on is not in it, but here.
root=$work/root
mkdir -p "$root/var/lib/dpkg/"{info,updates,triggers,parts} "$root/var/log" "$root/etc" "$root/bin" "$root/sbin"
: >"$root/var/lib/dpkg/status"
: >"$root/var/lib/dpkg/available"
: >"$root/etc/ld.so.conf"
# shellcheck disable=SC2046 # names of files of the system
cp --parents -L $(ldd /bin/sh /sbin/ldconfig 2>/dev/null | grep -oE '/[^ ]+ \(' | tr -d '(') "$root"
cp -L /bin/sh "$root/bin/sh"
cp -L /sbin/ldconfig "$root/sbin/ldconfig"
dpkg_in_root() { dpkg --root="$root" --log=/dev/null --force-depends "$@"; }
program=$root/usr/bin/ptxlitmus
if [ "$(id -u)" -eq 0 ]; then
    passes 'they are installed' dpkg_in_root --install "$package" "$library" "$development"
    passes 'the system knows it' grep -q '^Status: install ok installed' "$root/var/lib/dpkg/status"
    passes 'the system finds its library' grep -q libptxlitmus "$root/etc/ld.so.cache"
else
    echo 'not root: the package is unpacked and not installed'
    for file in "$package" "$library" "$development"; do
        passes 'it is unpacked' dpkg-deb -x "$file" "$root"
    done
fi
cd / || exit 2
passes 'the installed program finds its tests' test "$("$program" --data-folder)" = "$root/usr/share/ptxlitmus"
passes 'the installed program runs them' "$program" --quiet "$root/usr/share/ptxlitmus/library/message-passing"
passes 'it says what it is' grep -qE '^ptxlitmus [0-9.]+ \(Z3 ' <("$program" --version)
passes 'it is stripped' test -z "$(readelf -S "$program" | grep '\.symtab')"
if [ "$(id -u)" -eq 0 ]; then
    passes 'they are removed' dpkg_in_root --purge ptxlitmus libptxlitmus-dev libptxlitmus0
    passes 'nothing is left' test -z "$(find "$root/usr" -type f -path '*ptxlitmus*' 2>/dev/null)"
fi

printf '%d checks, %d failed; %s, %s, %s\n' "$checks" "$failed" "${package##*/}" "${library##*/}" "${development##*/}"
[ "$failed" -eq 0 ]
