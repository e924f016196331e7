# Roots of bare Debians for bare.sh and the tests of packaging/: sourced, not run. `folder` is the folder of the root, which is removed at
# the end; mounts are in a namespace of their own. What cannot be made ends the test with 77, and why.
export LC_ALL=C.UTF-8
PATH=$PATH:/usr/sbin:/sbin
inside=

# Ends what runs in the root, and removes the folder.
clean_root() {
    [ -z "$inside" ] || { kill -KILL "$inside" && wait "$inside"; } 2>/dev/null
    rm -rf --one-file-system "$folder"
}

skip() {
    printf 'skipped: %s\n' "$*"
    exit 77
}

# apart COMMAND...: in a namespace of mounts and processes, which a signal to the script ends
apart() {
    unshare --mount --pid --fork --kill-child "$@" </dev/null &
    inside=$!
    local status=0
    wait "$inside" || status=$?
    inside=
    return $status
}

# The first mirror of apt's sources that has the release.
mirror_of() {
    local uri
    while read -r uri; do
        /usr/lib/apt/apt-helper download-file "${uri%/}/dists/$1/InRelease" "$folder/release" >/dev/null 2>&1 &&
            grep -q '^Origin: Debian' "$folder/release" && { printf '%s\n' "$uri"; return; }
    done < <(apt-get indextargets --no-release-info --format '$(REPO_URI)' 2>/dev/null | sort -u)
    return 1
}

# make_root RELEASE PACKAGE...: in $folder/root
make_root() {
    local release=$1 from
    shift
    mkdir -p "$folder"
    trap clean_root EXIT
    trap 'exit 130' INT TERM HUP
    [ "$(id -u)" -eq 0 ] || skip 'a bare Debian needs root'
    command -v debootstrap >/dev/null || skip 'there is no debootstrap'
    apart true 2>/dev/null || skip 'mounts are not allowed'
    from=$(mirror_of "$release") || skip "none of apt's sources is a mirror of Debian's $release that can be reached"
    apart debootstrap --variant=minbase ${1:+"--include=$(IFS=,; echo "$*")"} "$release" "$folder/root" "$from" \
        >"$folder/log" 2>&1 || skip "debootstrap: $(tail -n 1 "$folder/log")"
    apt-config dump | grep -E '^Acquire::([a-z]+::Proxy|Check-)' >"$folder/root/etc/apt/apt.conf.d/90machine"
}

# use_root WHERE PACKAGE...: a root that is there already, which stays, or that of a release, made with these packages
use_root() {
    if [ -d "$1" ]; then
        mkdir -p "$folder" && ln -s "$(realpath "$1")" "$folder/root"
        trap clean_root EXIT
    else
        make_root "$@"
    fi
}

# in_root FOLDER SCRIPT: runs the text of a script there, with what this machine needs to reach package registries
in_root() {
    printf '%s\n' "$2" >"$folder/root/tmp/script"
    cp -L /etc/resolv.conf "$folder/root/etc/" 2>/dev/null
    cp /etc/ssl/certs/ca-certificates.crt "$folder/root/etc/ssl/certs/" 2>/dev/null # which this machine's own mirrors may need
    apart bash -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot "$1" /usr/bin/env -i \
        HOME=/root RUNNER_TEMP=/tmp PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${@:3}" \
        bash -c "cd \"\$1\" && bash /tmp/script" bash "$2"' bash "$folder/root" "$1" \
        ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
        ${PIP_INDEX_URL:+"PIP_INDEX_URL=$PIP_INDEX_URL"} PIP_DISABLE_PIP_VERSION_CHECK=1
}

# put_tree NAME: this tree, with what is not committed, as the folder of that name in the root
put_tree() {
    mkdir -p "$folder/root/$1" &&
        git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - -c 2>/dev/null |
        tar -x -C "$folder/root/$1"
}
