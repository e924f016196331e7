#!/usr/bin/env bash
# Runs a suite as an array of Slurm jobs. Call it until it prints the results: it submits the tasks that have
# no complete results yet, says how many are queued or running, and at last merges the results of all.
#
# usage: suite-slurm.sh TASKS FOLDER [SBATCH_OPTION...] -- ARGUMENT...
#   TASKS      into how many tasks the suite is divided; the same in each call
#   FOLDER     for the results, seen by all nodes
#   ARGUMENT   of 'ptxlitmus suite': files, folders, manifests, options
#
# exit status: that of 'ptxlitmus suite' for the whole, once all tasks are done; 75 while they are not
set -u
usage() {
    sed -n 's/^# \{0,1\}//; 2,11p' "$0" >&2
    exit 2
}
[ $# -ge 4 ] && [ "$1" -gt 0 ] 2>/dev/null || usage
tasks=$1 folder=$2
shift 2
options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
done
[ $# -ge 2 ] || usage
shift

# A task of the array. Its results get their name once they are complete.
if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
    i=$SLURM_ARRAY_TASK_ID
    ptxlitmus suite --jobs "${SLURM_CPUS_PER_TASK:-1}" --format json --shard "$i/$tasks" "$@" >"$folder/part-$i.json"
    tail -n 1 "$folder/part-$i.json" | grep -q '"complete":true' || exit 1
    mv "$folder/part-$i.json" "$folder/results-$i.json"
    exit
fi

mkdir -p "$folder" && folder=$(realpath "$folder") || exit 2
if [ -e "$folder/job" ] && [ -n "$(squeue --noheader --array --jobs "$(cat "$folder/job")" 2>/dev/null)" ]; then
    echo "$(squeue --noheader --array --jobs "$(cat "$folder/job")" | wc -l) of $tasks tasks are queued or running" >&2
    exit 75
fi
missing=()
for ((i = 1; i <= tasks; i++)); do
    [ -e "$folder/results-$i.json" ] || missing+=("$i")
done
if [ ${#missing[@]} -gt 0 ]; then
    array=$(IFS=,; echo "${missing[*]}")
    sbatch --parsable --job-name ptxlitmus --array "$array" --output "$folder/log-%a.txt" "${options[@]}" \
        "$0" "$tasks" "$folder" -- "$@" >"$folder/job" || exit 2
    echo "${#missing[@]} of $tasks tasks are submitted" >&2
    exit 75
fi
ptxlitmus merge "$folder"/results-*.json >"$folder/results.json"
exec ptxlitmus suite --results "$folder/results.json"
