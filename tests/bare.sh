#!/usr/bin/env bash
# The README's two commands on a fresh machine: in the root of a Debian 12 that debootstrap makes, with git alone added, a clone
# of this tree (with what is not committed) is built, run and tested. Packages come from the mirror of this machine's own
# apt. Where no such root can be made (not root, no debootstrap, no mirror, no mounts), it says why, with status 77.
#
# It builds quickly, and no programs of tests that it does not run, but for one unit test (PTXLITMUS_QUICK).
#
# All mounts are in a namespace of their own, which ends with the processes in it: however this script ends, none is left.
#
# usage: bare.sh FOLDER [ARGUMENT...]
#   FOLDER is made for the root, of 2 GB, and removed; the arguments are added to `./dev test`
set -u
folder=$(realpath -m "${1:?usage: bare.sh FOLDER [ARGUMENT...]}") || exit 2
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
. tests/packaging/root.sh
make_root bookworm git
root=$folder/root
echo 'A bare Debian 12'

# The clone, and what is not committed yet. (git distrusts folders of other users.)
printf '[safe]\n\tdirectory = *\n' >"$folder/gitconfig"
export GIT_CONFIG_GLOBAL=$folder/gitconfig
tree=$root/root/ptxlitmus
git clone -q . "$tree" && git diff --binary HEAD | (cd "$tree" && git apply --allow-empty) &&
    git ls-files -z --others --exclude-standard | tar --null -T - -c | tar -x -C "$tree" || { echo 'there is no clone'; exit 1; }

# The README's own commands, in the order in which it has them.
mapfile -t commands < <(sed -n '/^## Two commands/,/^## Install/s/^\(\.\/dev .*\)/\1/p' README.md)
[ ${#commands[@]} -eq 2 ] || { printf 'not two commands in the README: %s\n' "${commands[*]}"; exit 1; }
[ $# -eq 0 ] || commands[1]+=$(printf ' %q' "$@")

# What the tests take from beside the tree is there to read.
shared=
[ ! -d ../shared ] || { shared=$(realpath ../shared) && mkdir "$root/root/shared"; }
cat >"$folder/inside" <<'END'
root=$1 shared=$2
mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --rbind /sys "$root/sys" || exit
[ -z "$shared" ] || { mount --bind "$shared" "$root/root/shared" && mount -o remount,bind,ro "$root/root/shared"; } || exit
for command in "${@:3}"; do
    printf '$ %s\n' "$command"
    chroot "$root" /usr/bin/env -i HOME=/root PTXLITMUS_CMAKE=-DPTXLITMUS_QUICK=ON PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
        bash -c "cd /root/ptxlitmus && $command" || exit
done
END
apart bash "$folder/inside" "$root" "$shared" "${commands[@]}"
