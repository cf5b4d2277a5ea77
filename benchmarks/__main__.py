"""`make bench`: every figure, one line each."""

from benchmarks import (
    alfworld,
    asks,
    batches,
    branches,
    compare,
    devils_advocate,
    endpoint_run,
    forks,
    http_calls,
    journal,
    ldm2,
    memory,
    nesting,
    ray_hosts,
    reports,
    search,
    spread,
    trees,
    turns,
    worlds,
)

for module in (
    turns,
    nesting,
    asks,
    journal,
    reports,
    compare,
    memory,
    search,
    trees,
    worlds,
    alfworld,
    forks,
    ray_hosts,
    spread,
    branches,
    devils_advocate,
    http_calls,
    batches,
    ldm2,
    endpoint_run,
):
    for figure in module.figures():
        print(figure, flush=True)
