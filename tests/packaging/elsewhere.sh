#!/usr/bin/env bash
# The wheel on another distribution than the one that has built it: installed and used there without a network, where its
# glibc is as new as the wheel's name says; refused where it is older. Skipped (77) where there is no such root.
#
# usage: elsewhere.sh FOLDER WHEEL [RELEASE|ROOT]
#   FOLDER is made for the root of a Debian RELEASE (trixie), and removed; a ROOT that is there already is only used
set -u
folder=$(realpath -m "${1:?usage: elsewhere.sh FOLDER WHEEL [RELEASE|ROOT]}") wheel=$(realpath "${2:?}") || exit 2
where=${3:-trixie}
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
. tests/packaging/root.sh
use_root "$where" python3-venv
glibc=$(chroot "$folder/root" ldd --version | sed -nE '1s/.* 2\.([0-9]+)$/\1/p')
needed=$(basename "$wheel" | sed -nE 's/.*-manylinux_2_([0-9]+)_.*/\1/p')
[ -n "$glibc" ] && [ -n "$needed" ] || { echo "no version of glibc: '$glibc' there, '$needed' in $wheel"; exit 1; }
rm -rf "$folder/root/work" && mkdir "$folder/root/work" && cp "$wheel" tests/kernels/checked.ptx* "$folder/root/work/" || exit 2

in_root /work 'set -e
exec 2>&1
rm -rf venv && python3 -m venv venv
venv/bin/pip install -q --no-index *.whl
venv/bin/ptxlitmus --version
venv/bin/ptxlitmus run MP | grep "Observation MP Never"
! venv/bin/ptxlitmus check checked.ptx
venv/bin/python -c "import ptxlitmus; print(ptxlitmus.run(\"SB\").verdict)"' >"$folder/said"
status=$?
sed 's/^/  /' "$folder/said"
if [ "$glibc" -lt "$needed" ]; then
    grep -q 'is not a supported wheel on this platform' "$folder/said" && { echo "refused with glibc 2.$glibc"; exit 0; }
    echo "FAIL: glibc 2.$glibc is older than the wheel's, and pip does not say so"
    exit 1
fi
for text in 'Observation MP Never' 'unordered .* not free of data races' '^allowed$'; do
    grep -q "$text" "$folder/said" || { echo "FAIL: it does not say: $text"; status=1; }
done
[ "$status" -eq 0 ] && echo "it runs with glibc 2.$glibc"
exit "$status"
