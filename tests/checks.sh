# What the scripts that count failures share; they source it after they have made their arguments absolute.
# From then on the working directory is the root of the source tree, $work is a folder that is removed at the
# end, $failed counts, and $checks counts what was looked at.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0 checks=0

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

# expect STATUS WORDS ARGUMENT...: the program, with $of_command before the arguments, ends with this status and prints these words
# somewhere. What it prints stays in $work/out and $work/err.
expect() {
    local wanted=$1 words=$2 status
    shift 2
    checks=$((checks + 1))
    "$program" ${of_command:+"$of_command"} "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq "$wanted" ] || fail "$*: status $status, not $wanted: $(head -5 "$work/out" "$work/err")"
    [ -z "$words" ] || cat "$work/out" "$work/err" | grep -qF -- "$words" || fail "$*: does not say: $words: $(cat "$work/out" "$work/err")"
}

# passes NAME COMMAND...: the command succeeds
passes() {
    checks=$((checks + 1))
    "${@:2}" >"$work/said" 2>&1 || fail "$1: $(head -20 "$work/said")"
}
