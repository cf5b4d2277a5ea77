"""`compare` over runs that exist: reading the journals of six methods with 200 tasks each, and the whole command."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.measuring import ROUNDS, Figure
from benchmarks.reports import write_run
from quintet.studies.comparison_arms import compare_runs
from quintet.studies.findings import summarise_arms

_METHODS = 6
_TURNS = 40


def _best(work: Callable[[], object]) -> float:
    """Milliseconds of wall time of the best round."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return 1000 * best


def figures() -> Iterator[Figure]:
    """Milliseconds of wall time."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [write_run(Path(folder) / f"method-{number}", epochs=1, turns=_TURNS) for number in range(_METHODS)]

        def in_process() -> None:
            study, report = compare_runs(runs)
            summarise_arms(study, report)

        def command() -> None:
            main = "import sys; from quintet.cli import main; sys.exit(main())"
            subprocess.run([sys.executable, "-c", main, "compare", *map(str, runs)], check=True, capture_output=True)

        what = f"{_METHODS} methods x 200 tasks"
        yield Figure(f"compare: journals of {what}, read and tested", _best(in_process), "ms", "at most 2,000 ms")
        yield Figure(f"compare: the whole command over {what}", _best(command), "ms", "at most 2,000 ms")


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)
