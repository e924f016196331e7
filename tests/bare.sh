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
export LC_ALL=C.UTF-8
PATH=$PATH:/usr/sbin:/sbin
release=bookworm
mkdir -p "${1:?usage: bare.sh FOLDER [ARGUMENT...]}" || exit 2
folder=$(realpath "$1") || exit 2
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
root=$folder/root inside=

# Ends what runs in the root, and removes it; --one-file-system, should a mount be there after all.
clean() {
    [ -z "$inside" ] || { kill -KILL "$inside" && wait "$inside"; } 2>/dev/null # it heeds no other signal
    rm -rf --one-file-system "$folder"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

skip() {
    printf 'skipped: no bare Debian can be made here: %s\n' "$*"
    exit 77
}

# apart COMMAND...: in a namespace of mounts and processes, which a signal to this script ends
apart() {
    unshare --mount --pid --fork --kill-child "$@" </dev/null &
    inside=$!
    local status=0
    wait "$inside" || status=$?
    inside=
    return $status
}

# The first mirror of apt's sources that has this release.
mirror() {
    local uri
    while read -r uri; do
        /usr/lib/apt/apt-helper download-file "${uri%/}/dists/$release/InRelease" "$folder/release" >/dev/null 2>&1 &&
            grep -q '^Origin: Debian' "$folder/release" && { printf '%s\n' "$uri"; return; }
    done < <(apt-get indextargets --no-release-info --format '$(REPO_URI)' 2>/dev/null | sort -u)
    return 1
}

[ "$(id -u)" -eq 0 ] || skip 'that needs root'
command -v debootstrap >/dev/null || skip 'there is no debootstrap'
apart true 2>/dev/null || skip 'mounts are not allowed'
from=$(mirror) || skip "none of apt's sources is a mirror of Debian's $release that can be reached"

printf 'A bare Debian 12 (%s), from %s\n' "$release" "$from"
apart debootstrap --variant=minbase --include=git "$release" "$root" "$from" >"$folder/log" 2>&1 ||
    skip "debootstrap: $(tail -n 1 "$folder/log")"
apt-config dump | grep -E '^Acquire::([a-z]+::Proxy|Check-)' >"$root/etc/apt/apt.conf.d/90machine"

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
