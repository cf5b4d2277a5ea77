#!/usr/bin/env bash
# A run on Slurm: a Ray cluster on the job's nodes, the run on the first node's own disk, and a copy of it that stays.
#
#     source /shared/quintet/.venv/bin/activate       # the same path on every node
#     sbatch slurm.sh KEEP eval METHOD ENVIRONMENT [FLAGS]
#     sbatch slurm.sh KEEP optimize METHOD ENVIRONMENT [FLAGS]
#     sbatch slurm.sh KEEP study NAME [FLAGS]
#     sbatch --array=0-3 slurm.sh KEEP eval METHOD ENVIRONMENT [FLAGS]
#     SHARDS=4 sbatch --array=2 slurm.sh KEEP eval METHOD ENVIRONMENT [FLAGS]       # one shard of the four again
#
# KEEP is the permanent folder of this run, on any file system: SQLite's journal may not lie on NFS or Lustre, so all of
# KEEP is copied to the node, and back every ten minutes and at the end. Submitted again, it resumes. The node's folder is
# removed only when every file of it was copied and its copy read back; otherwise the job says where it is, and fails.
# As an array, each task is one driver of the run, with nodes and a Ray of its own, and copies its own shard alone.
#SBATCH --job-name=quintet
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@300
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=quintet-%j.log
set -euo pipefail

keep=$(realpath -m "${1:?usage: sbatch slurm.sh KEEP COMMAND ...}")
shift
part=
if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
    # Another number of shards would be another run, with other tasks in each.
    if [ -z "${SHARDS:-}" ] && { [ "$SLURM_ARRAY_TASK_MIN" -ne 0 ] || [ "$SLURM_ARRAY_TASK_COUNT" -le "$SLURM_ARRAY_TASK_MAX" ]; }; then
        echo "slurm.sh: expected --array=0-N, or SHARDS beside a part of it, got $SLURM_ARRAY_TASK_COUNT tasks from $SLURM_ARRAY_TASK_MIN to $SLURM_ARRAY_TASK_MAX" >&2
        exit 2
    fi
    shards=${SHARDS:-$SLURM_ARRAY_TASK_COUNT}
    [ "$shards" -gt 1 ] || { echo "slurm.sh: expected an array of several tasks, or SHARDS beside one, got one task" >&2; exit 2; }
    part=/shards/$SLURM_ARRAY_TASK_ID
    set -- "$@" --shard "$SLURM_ARRAY_TASK_ID/$shards"
fi
recipes=$(python -c 'import quintet.recipes; print(quintet.recipes.__path__[0])')

# On this node's own disk. Short: Ray's sockets are below it, and their paths may have 107 characters.
scratch=$(mktemp -d "${SLURM_TMPDIR:-/tmp}/q-$SLURM_JOB_ID-XXXX")
mkdir "$scratch/run"
run=$scratch/run/$(basename "$keep")

kept() {
    [ -f "$1/run.json" ] || [ -f "$1/study.json" ]
}

# Fails where a file could not be copied, or its copy reads otherwise; what is in KEEP stays whole.
save() {
    kept "$run$part" || return 0
    TMPDIR=$scratch python -m quintet.runs.copy "$run$part" "$keep$part" || return 1
    [ -z "$part" ] || kept "$keep" || cp "$run/run.json" "$keep/run.json"
}

# What ended before its time says why in its log, which goes with the node's folder.
report() {
    kill -0 "$1" 2>/dev/null && return
    echo "slurm.sh: $2 ended; the last lines of its log:" >&2
    tail -n 20 "$3" >&2
    return 1
}

background=()
finish() {
    code=$?
    trap - EXIT
    if [ "${#background[@]}" -gt 0 ]; then
        kill -TERM "${background[@]}" 2>/dev/null || true
        wait "${background[@]}" 2>/dev/null || true
    fi
    if save; then
        if kept "$keep$part"; then
            echo "slurm.sh: kept in $keep" >&2
        else
            echo "slurm.sh: nothing has begun, so nothing is kept in $keep" >&2
        fi
        rm -rf "$scratch"
    else
        echo "slurm.sh: could not be copied to $keep as a whole; it is in $run on $(hostname)" >&2
        code=2
    fi
    # Interrupted by Slurm, for the time limit or another job: to be continued.
    if [ "$stopped" = yes ] && { [ "$code" -eq 130 ] || [ "$code" -eq 143 ]; }; then
        scontrol requeue "$SLURM_JOB_ID"
    fi
    exit "$code"
}
stopped=no
driver=
trap finish EXIT
trap 'stopped=yes; [ -n "$driver" ] || exit 143; kill -TERM "$driver" 2>/dev/null || true' TERM

# Whole or not at all: what is in $run is copied back at the end.
if kept "$keep$part"; then
    cp -r "$keep$part" "$scratch/begun"
    [ -z "$part" ] || { mkdir -p "$run/shards" && cp "$keep/run.json" "$run/run.json"; }
    mv "$scratch/begun" "$run$part"
fi

# Others on the network may reach this Ray: without the token they cannot use it.
RAY_AUTH_TOKEN=$(python -c 'import secrets; print(secrets.token_hex(32))')
head=$(python -c 'import ray; print(ray.util.get_node_ip_address())')
export RAY_AUTH_MODE=token RAY_AUTH_TOKEN RAY_ADDRESS="$head:${PORT:-6379}" RAY_USAGE_STATS_ENABLED=0

RAY_ADDRESS='' ray start --head --block --node-ip-address="$head" --port="${PORT:-6379}" --temp-dir="$scratch/ray" \
    --include-dashboard=false --num-cpus="${SLURM_CPUS_ON_NODE:-1}" > "$scratch/head.log" 2>&1 &
head_process=$!
background+=($!)
workers_process=
if [ "$SLURM_JOB_NUM_NODES" -gt 1 ]; then
    workers=$((SLURM_JOB_NUM_NODES - 1))
    srun --relative=1 --nodes="$workers" --ntasks="$workers" --ntasks-per-node=1 \
        ray start --block --address="$RAY_ADDRESS" --num-cpus="${SLURM_CPUS_ON_NODE:-1}" > "$scratch/workers.log" 2>&1 &
    workers_process=$!
    background+=($!)
fi
(trap 'kill "$!"; exit' TERM; while sleep 600 & wait "$!"; do save || echo "slurm.sh: will be tried again" >&2; done) &
background+=($!)

bash "$recipes/run-or-resume.sh" --nodes "$SLURM_JOB_NUM_NODES" "$run" "$@" &
driver=$!
lost=
failed=
while kill -0 "$driver" 2>/dev/null; do
    if [ -z "$lost" ] && ! report "$head_process" "Ray's head" "$scratch/head.log"; then
        lost=head
    elif [ -z "$lost" ] && [ -n "$workers_process" ] && ! report "$workers_process" "Ray on other nodes" "$scratch/workers.log"; then
        lost=workers
    fi
    # Without workers a run that has begun goes on: what they did is done again. It has begun if the script became quintet.
    if [ "$lost" = head ] || { [ "$lost" = workers ] && grep -q run-or-resume.sh "/proc/$driver/cmdline" 2>/dev/null; }; then
        failed=yes
        kill -TERM "$driver" 2>/dev/null || true
    fi
    sleep 1 &
    wait "$!" || true
done
code=0
wait "$driver" || code=$?
[ -z "$failed" ] || code=2
exit "$code"
