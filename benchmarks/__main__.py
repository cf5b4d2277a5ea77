"""`make bench`: every figure, one line each."""

from benchmarks import asks, turns, worlds

for module in (turns, asks, worlds):
    for figure in module.figures():
        print(figure, flush=True)
