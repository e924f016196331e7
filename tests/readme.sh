#!/usr/bin/env bash
# The sessions that the documentation shows are what the program prints on a terminal without colours: in each
# ```console block, the commands after "$ " that run ptxlitmus are run again, and the lines after them
# compared, times set aside. Skipped (77) where there is no `script`, which makes the terminal.
#
# usage: readme.sh [--promote] PROGRAM      (--promote rewrites the sessions for review)
set -u

promote=false
if [ "${1:-}" = --promote ]; then
    promote=true
    shift
fi
program=$(realpath "${1:?usage: readme.sh [--promote] PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
command -v script >/dev/null || { echo 'no script (util-linux): skipped'; exit 77; }
export LC_ALL=C.UTF-8 NO_COLOR=1 TERM=dumb # no progress is drawn, which a slow machine shows
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# on_terminal COMMAND: what it prints, and its status.
on_terminal() {
    script -qec "$1" /dev/null </dev/null >"$work/typescript"
    local status=$?
    tr -d '\r' <"$work/typescript"
    return $status
}

# Copies a page with the sessions as they run now.
replay() {
    local line in_session=false skipping=false last=0
    while IFS= read -r line; do
        case "$line" in
        '```console') in_session=true ;;
        '```') in_session=false skipping=false ;;
        esac
        if $in_session && [ "${line:0:2}" = '$ ' ]; then
            printf '%s\n' "$line"
            skipping=true
            case "${line:2}" in
            './dev run '*) on_terminal "'$program' ${line#'$ ./dev run '}"; last=$? ;;
            "echo \$?") printf '%d\n' "$last" ;;
            *) skipping=false ;;
            esac
        elif ! $skipping; then
            printf '%s\n' "$line"
        fi
    done
}

without_times() {
    sed -E 's/^(Time [^ ]+) [0-9.]+$/\1 -/; s/"(solver_ms|total_ms|encode_ms)":[0-9.]+/"\1":-/g' "$1"
}

status=0 sessions=0
for page in README.md docs/*.md; do
    [ -e "$page" ] || continue
    sessions=$((sessions + $(grep -cF '$ ./dev run ' "$page")))
    replay <"$page" >"$work/page"
    if ! diff -u --label "$page" --label "$page as it runs" <(without_times "$page") \
        <(without_times "$work/page") >"$work/difference"; then
        if $promote; then
            cp "$work/page" "$page"
            printf 'rewrote %s\n' "$page"
        else
            cat "$work/difference"
            status=1
        fi
    fi
done
printf '%d commands replayed\n' "$sessions"
[ "$sessions" -gt 0 ] || status=1
exit $status
