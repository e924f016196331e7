# What the scripts that count failures share; they source it after they have made their arguments absolute.
# From then on the working directory is the root of the source tree, $work is a folder that is removed at the
# end, and $failed counts.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# within SECONDS COMMAND...: runs a command, each process of which may take so many seconds of the processor: by the clock, a
# busy machine would make another result
within() {
    (ulimit -S -t "$1" && ulimit -H -t $(($1 + 5)) && exec "${@:2}") # SIGXCPU first, and no SIGKILL together with it
}

# fail TEXT: something is not as it should be
fail() {
    printf 'FAIL: %s\n' "$*"
    failed=$((failed + 1))
}
