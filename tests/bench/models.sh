#!/usr/bin/env bash
# Compares a text of a model with another one that says the same: verdicts must be equal, and the ratio of
# their times is printed.
#
# usage: models.sh PROGRAM FOLDER MODEL=TEXT [OPTION...]     TEXT is another model's name or path; `closure`
#                                                            is MODEL with `let co = co+` at its head
#
# All tests under FOLDER run in one process a model, in turn, three times; options go to PROGRAM.
set -u
export LC_ALL=C
usage="usage: models.sh PROGRAM FOLDER MODEL=TEXT [OPTION...]"
program=$(realpath "${1:?$usage}") || exit 2
folder=${2:?$usage}
model=${3:?$usage}
text=${model#*=}
model=${model%%=*}
shift 3
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 2
TIMEFORMAT='%U' # of the process, which a busy machine does not lengthen much

if [ "$text" = closure ]; then
    text=$scratch/$model.cat
    awk '{ print } /^"/ && !done { print "let co = co+"; done = 1 }' "$root/model/$model.cat" >"$text" || exit 2
fi
mapfile -t files < <(find "$folder" -name '*.litmus' | sort)
[ ${#files[@]} -gt 0 ] || { echo "$folder: no tests"; exit 2; }

# Prints the seconds of a run, and leaves the verdicts in a file.
run() {
    local name=$1 choice=$2
    shift 2
    { time "$program" --verdict --timeout 60000 --model "$choice" "$@" "${files[@]}" >"$scratch/log" 2>"$scratch/messages"; } 2>"$scratch/time"
    grep '^Test ' "$scratch/log" | sort >"$scratch/$name"
    tail -n 1 "$scratch/time"
}

for _ in 1 2 3; do
    run own "$model" "$@" >>"$scratch/own.times"
    run other "$text" "$@" >>"$scratch/other.times"
done
median() { sort -g "$1" | sed -n 2p; }
tests=$(wc -l <"$scratch/own")
awk -v own="$(median "$scratch/own.times")" -v other="$(median "$scratch/other.times")" -v tests="$tests" \
    -v model="$model" -v text="${text##*/}" \
    'BEGIN { printf "%d tests: %s %.2f s, %s %.2f s, ratio %.2f\n", tests, model, own, text, other, (own > 0 ? other / own : 0) }'
[ "$tests" -gt 0 ] || { echo "no verdicts"; cat "$scratch/messages"; exit 1; }
diff "$scratch/own" "$scratch/other" || { echo "the verdicts differ"; exit 1; }
