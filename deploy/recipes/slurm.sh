#!/usr/bin/env bash
# A run on Slurm: a Ray cluster on the job's nodes, the run on the first node's own disk, and a copy of it that stays.
#
#     source /shared/quintet/.venv/bin/activate       # the same path on every node
#     sbatch slurm.sh KEEP eval METHOD ENVIRONMENT [FLAGS]
#
# KEEP is the permanent folder of this run, on any file system: SQLite's journal may not lie on NFS or Lustre, so the
# run is copied from there to the node, and back every ten minutes and at the end. Submitted again, it resumes.
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

keep=${1:?usage: sbatch slurm.sh KEEP eval METHOD ENVIRONMENT [FLAGS]}
shift
recipes=$(python -c 'import pathlib, deploy; print(pathlib.Path(deploy.__file__).parent / "recipes")')

# On this node's own disk. Short: Ray's sockets are below it, and their paths may have 107 characters.
scratch=$(mktemp -d "${SLURM_TMPDIR:-/tmp}/q-$SLURM_JOB_ID-XXXX")
run=$scratch/$(basename "$keep")

# Returns 1 where something could not be copied; what is in KEEP stays whole. A run that has not begun is none.
save() {
    [ -f "$run/run.json" ] && [ -f "$run/journal.sqlite" ] || return 0
    # SQLite's own backup, whole at every moment, also while the run goes on.
    python - "$run/journal.sqlite" "$scratch/copy.sqlite" <<'PYTHON' || return 1
import sqlite3
import sys
from contextlib import closing

with closing(sqlite3.connect(sys.argv[1])) as source, closing(sqlite3.connect(sys.argv[2])) as copy:
    source.backup(copy)
PYTHON
    mkdir -p "$keep" \
        && cp "$scratch/copy.sqlite" "$keep/journal.sqlite.part" \
        && mv "$keep/journal.sqlite.part" "$keep/journal.sqlite" \
        && { [ ! -d "$run/logs" ] || cp -r "$run/logs" "$keep/"; } \
        && cp "$run/run.json" "$keep/run.json.part" \
        && mv "$keep/run.json.part" "$keep/run.json" \
        || return 1
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
        echo "slurm.sh: the run is kept in $keep" >&2
        rm -rf "$scratch"
    else
        echo "slurm.sh: the run could not be copied to $keep; it is in $run on $(hostname)" >&2
        [ "$code" -ne 0 ] || code=2
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

if [ -f "$keep/run.json" ]; then
    mkdir "$run"
    cp "$keep/run.json" "$keep/journal.sqlite" "$run/"
    [ ! -d "$keep/logs" ] || cp -r "$keep/logs" "$run/"
fi

# Others on the network may reach this Ray: without the token they cannot use it.
RAY_AUTH_TOKEN=$(python -c 'import secrets; print(secrets.token_hex(32))')
head=$(python -c 'import ray; print(ray.util.get_node_ip_address())')
export RAY_AUTH_MODE=token RAY_AUTH_TOKEN RAY_ADDRESS="$head:${PORT:-6379}" RAY_USAGE_STATS_ENABLED=0

RAY_ADDRESS='' ray start --head --block --node-ip-address="$head" --port="${PORT:-6379}" --temp-dir="$scratch/ray" \
    --include-dashboard=false --num-cpus="${SLURM_CPUS_ON_NODE:-1}" > "$scratch/head.log" 2>&1 &
background+=($!)
if [ "$SLURM_JOB_NUM_NODES" -gt 1 ]; then
    workers=$((SLURM_JOB_NUM_NODES - 1))
    srun --relative=1 --nodes="$workers" --ntasks="$workers" --ntasks-per-node=1 \
        ray start --block --address="$RAY_ADDRESS" --num-cpus="${SLURM_CPUS_ON_NODE:-1}" > "$scratch/workers.log" 2>&1 &
    background+=($!)
fi
(trap 'kill "$!"; exit' TERM; while sleep 600 & wait "$!"; do save || true; done) &
background+=($!)

bash "$recipes/run-or-resume.sh" --nodes "$SLURM_JOB_NUM_NODES" "$run" "$@" &
driver=$!
code=0
wait "$driver" || code=$?
# A signal ends the first wait before the driver's end.
while kill -0 "$driver" 2>/dev/null; do
    code=0
    wait "$driver" || code=$?
done
exit "$code"
