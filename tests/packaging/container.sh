#!/usr/bin/env bash
# The Containerfile, built by buildah as it is, and the container run without a network. Where no registry can be reached, the
# image that it begins with is the root of a bare Debian. Skipped (77) without root or buildah.
#
# usage: container.sh FOLDER      FOLDER is made for the root, and removed
set -u
folder=$(realpath -m "${1:?usage: container.sh FOLDER}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
. tests/packaging/root.sh
command -v buildah >/dev/null || skip 'there is no buildah'
[ "$(id -u)" -eq 0 ] || skip 'containers are built as root here'
base=docker.io/library/debian:12-slim image=ptxlitmus-test
sed -nE 's/^FROM ([^ ]+).*/\1/p' Containerfile | grep -vxF "${base##*/}" && { echo 'FAIL: the Containerfile begins with another image'; exit 1; }

# Leaves none of the images and containers that are made here.
container='' made=''
clean() {
    [ -z "$container" ] || buildah rm "$container" >/dev/null 2>&1
    buildah rmi "$image" ${made:+"$base"} >/dev/null 2>&1
    clean_root
}

if ! buildah inspect --type image "$base" >/dev/null 2>&1 && ! buildah pull -q "$base" >/dev/null 2>&1; then
    make_root bookworm
    made=$(buildah from scratch) && buildah add -q "$made" "$folder/root" / >/dev/null &&
        buildah commit -q "$made" "$base" >/dev/null && buildah rm "$made" >/dev/null || skip 'no image can be made of a root'
fi
trap clean EXIT
put_tree tree # what git does not ignore, without builds
buildah build --pull=never --isolation=chroot --network=host -t "$image" -f Containerfile "$folder/root/tree" >"$folder/said" 2>&1 ||
    { tail -n 30 "$folder/said"; echo 'FAIL: it is not built'; exit 1; }
container=$(buildah from --pull=never "localhost/$image") || exit 1
entry=$(buildah inspect --format '{{.OCIv1.Config.Entrypoint}}' "$container")
[ "$entry" = '[ptxlitmus]' ] || { echo "FAIL: it starts $entry"; exit 1; }
failed=0

# says WORDS ARGUMENT...: what the program prints with these arguments, in a folder that is mounted as the first line says
says() {
    buildah run --isolation=chroot -v "$PWD/tests/kernels:/here" --workingdir /here "$container" -- ptxlitmus "${@:2}" >"$folder/said" 2>&1
    grep -q "$1" "$folder/said" || { printf 'FAIL: ptxlitmus %s does not say: %s\n' "${*:2}" "$1"; cat "$folder/said"; failed=1; }
}
says '(Z3 [0-9.]*, CaDiCaL)' --version
says 'Observation MP Never' MP
says 'checked .*: free of data races' check checked.ptx
[ "$failed" -eq 0 ] && echo 'the container is built, and runs'
exit "$failed"
