#!/usr/bin/env bash
# Starts a run or a study, or resumes the one in the folder: a scheduler may start this any number of times.
#
#     run-or-resume.sh [--nodes N] FOLDER eval METHOD ENVIRONMENT [FLAGS]       # or optimize METHOD ENVIRONMENT, or study NAME
#
# With `--shard I/N` among the flags it starts or resumes that shard of a run over several drivers.
# The flags count when a run starts; a resume takes its configuration from the folder. With --nodes it waits, for ten
# minutes at most, until the cluster has N nodes: a run starts its hosts on the nodes that it finds.
# Exit codes are quintet's own: 0 done, 1 some episodes faulted, 2 usage, 3 budget spent, 130 interrupted.
set -euo pipefail

usage() {
    echo "usage: run-or-resume.sh [--nodes N] FOLDER COMMAND ..." >&2
    exit 2
}

nodes=0
if [ "${1:-}" = --nodes ]; then
    nodes=${2:-}
    [[ "$nodes" =~ ^[0-9]+$ ]] || usage
    shift 2
fi
[ "$#" -ge 2 ] || usage
folder=$1
shift

if [ "$nodes" -gt 0 ]; then
    python - "$nodes" <<'PYTHON' || { code=$?; echo "run-or-resume.sh: the cluster is not complete" >&2; exit "$((code == 2 ? 2 : 130))"; }
import os
import sys
import time

import ray

wanted, found, until = int(sys.argv[1]), 0, time.monotonic() + 600
reason, parent = "", os.getppid()
while found < wanted:
    if os.getppid() != parent:
        sys.exit("stopped")
    if time.monotonic() > until:
        sys.exit(f"expected {wanted} nodes, got {found}{reason}")
    try:
        ray.init(address="auto", ignore_reinit_error=True, log_to_driver=False, configure_logging=False)
        found = sum(node["Alive"] for node in ray.nodes())
    except (ConnectionError, RuntimeError, ValueError) as error:
        if "AuthenticationError" in f"{error!r} {error.__cause__!r}":
            print("the cluster asks for a token: RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN or ~/.ray/auth_token", file=sys.stderr)
            sys.exit(2)
        reason = f": {' '.join(str(error).split())}"  # there is no head yet
    time.sleep(1)
PYTHON
fi

own=$folder
before=
for word in "$@"; do
    [ "$before" != --shard ] || own=$folder/shards/${word%%/*}
    before=$word
done
# `exec`, and no trap: stopping the job signals every process of it, and a second signal would end quintet at once.
if [ -e "$own/run.json" ] || [ -e "$own/study.json" ]; then
    exec quintet resume "$own" --trust  # you name your own folder; a container has no home that keeps approvals
fi
exec quintet "$@" --out "$folder"
