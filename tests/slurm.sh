#!/usr/bin/env bash
# A suite of 500 tests as 20 tasks of Slurm on this machine: Debian's slurmctld, slurmd and munged are started
# for it. One task is killed; the script then submits that one alone, and the merged results are those of one
# process. Skipped (77) without Slurm, and where its daemons cannot run.
#
# usage: slurm.sh PROGRAM GENERATE
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: slurm.sh PROGRAM GENERATE}") || exit 2
generate=$(realpath "${2:?usage: slurm.sh PROGRAM GENERATE}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
script=$PWD/install/suite-slurm.sh
skip() {
    echo "$*: skipped"
    exit 77
}
PATH=$PATH:/usr/sbin
for tool in slurmctld slurmd munged sbatch squeue scancel sinfo; do
    command -v $tool >/dev/null || skip "no $tool (apt-get install slurmctld slurmd slurm-client munge)"
done
[ "$(id -u)" -eq 0 ] || skip 'slurmd needs root'
daemons=()
stop() {
    [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$work"
}
trap stop EXIT

# --- The daemons, with sockets, keys and states of their own -----------------------------------------
chmod 755 "$work"
mkdir -m 755 "$work/munge" "$work/state" "$work/spool" "$work/bin"
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 600 "$work/munge/key"
cat >"$work/bin/ptxlitmus" <<END
#!/bin/sh
# Task 7 takes for ever when it is run for the first time.
if [ "\${SLURM_ARRAY_TASK_ID:-}" = 7 ] && [ ! -e "$work/begun" ]; then
    touch "$work/begun"
    sleep 600
fi
exec "$program" "\$@"
END
chmod +x "$work/bin/ptxlitmus"
ports=$((20000 + $$ % 20000))
cat >"$work/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmctldPort=$ports
SlurmdPort=$((ports + 1))
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1
ReturnToService=2
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$work/slurm.conf
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" >"$work/munge.out" 2>&1 &
daemons+=($!)
for ((tries = 0; tries < 6000; tries++)); do [ -S "$work/munge/socket" ] && break; sleep 0.1; done
slurmctld -D -f "$SLURM_CONF" >"$work/ctld.out" 2>&1 &
daemons+=($!)
slurmd -D -f "$SLURM_CONF" -N "$(hostname -s)" >"$work/slurmd.out" 2>&1 &
daemons+=($!)
for ((tries = 0; tries < 3000; tries++)); do
    sinfo -h -o %T 2>/dev/null | grep -q idle && break
    sleep 0.2
done
sinfo -h -o %T 2>/dev/null | grep -q idle || skip "Slurm does not start here: $(tail -n 2 "$work/slurmctld.log" "$work/slurmd.log" "$work/munge.out" 2>&1 | tr '\n' ' ')"

# --- 500 tests in 20 tasks, of which one is killed -------------------------------------------------------
mkdir "$work/tests"
"$generate" --seed 18 --count 500 --kind shapes --cap 2000 --out "$work/tests" || exit 2
PATH=$work/bin:$PATH
arguments=(--verdict "$work/tests")
ptxlitmus suite --format json "${arguments[@]}" >"$work/whole.json" 2>/dev/null
whole=$?

# await: until no task is queued or running
await() {
    for ((tries = 0; tries < 15000; tries++)); do
        [ -n "$(squeue -h -j "$(cat "$work/results/job")" 2>/dev/null)" ] || return 0
        sleep 0.2
    done
    fail 'tasks do not end'
}
"$script" 20 "$work/results" -- "${arguments[@]}" 2>"$work/err"
[ $? -eq 75 ] || fail "submitting: status $?: $(cat "$work/err")"
grep -qx '20 of 20 tasks are submitted' "$work/err" || fail "submitting: $(cat "$work/err")"
"$script" 20 "$work/results" -- "${arguments[@]}" 2>"$work/err"
grep -qE '^[0-9]+ of 20 tasks are queued or running$' "$work/err" || fail "while they are queued: $(cat "$work/err")"
job=$(cat "$work/results/job")
for ((tries = 0; tries < 15000; tries++)); do
    [ -e "$work/begun" ] && break
    sleep 0.2
done
scancel "${job}_7" || fail 'the task could not be killed'
await
[ "$(ls "$work/results"/results-*.json | wc -l)" -eq 19 ] || fail "$(ls "$work/results"/results-*.json | wc -l) tasks are done"
[ ! -e "$work/results/results-7.json" ] || fail 'the task that was killed has results'
stat -c '%n %Y.%y' "$work/results"/results-*.json >"$work/before"
"$script" 20 "$work/results" -- "${arguments[@]}" 2>"$work/err"
grep -qx '1 of 20 tasks are submitted' "$work/err" || fail "submitting again: $(cat "$work/err")"
await
stat -c '%n %Y.%y' $(sed 's/ .*//' "$work/before") | cmp - "$work/before" || fail 'tasks that were done have run again'
"$script" 20 "$work/results" -- "${arguments[@]}" >"$work/out" 2>"$work/err"
status=$?
[ $status -eq $whole ] || fail "the merged suite has status $status, and one process $whole"
without_times() { sed -E 's/"(solver_ms|total_ms)":[0-9.e-]+//g' "$1"; }
cmp <(without_times "$work/whole.json") <(without_times "$work/results/results.json") || fail 'the merged results are not those of one process'
tail -n 1 "$work/out" | grep -q '^500 tests: ' || fail "the summary: $(tail -n 1 "$work/out")"
printf '500 tests in 20 tasks, %d failures: %s\n' "$failed" "$(tail -n 1 "$work/out")"
[ "$failed" -eq 0 ]
