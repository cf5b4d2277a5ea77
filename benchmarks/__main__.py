"""`make bench`: every figure, one line each."""

from benchmarks import asks, endpoint_run, http_calls, turns, worlds

for module in (turns, asks, worlds, http_calls, endpoint_run):
    for figure in module.figures():
        print(figure, flush=True)
