"""The viewer on a large run: from the first request to what a page shows first, by a server that has read nothing.

`python -m benchmarks.view`. The browser's part is timed by `make test-web`.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import ROUNDS, Figure
from benchmarks.reports import write_run
from quintet.journal.schema import JOURNAL_FILE
from quintet.view.folder import ViewedFolder
from quintet.view.resources import answer

_FIRST: tuple[tuple[str, dict[str, str]], ...] = (
    ("runs", {}),
    ("run", {"run": "run"}),
    ("episodes", {"run": "run", "first": "0", "most": "1000"}),
)
"""What the page of a run asks before it shows its first rows."""


def _open(runs: Path) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        (runs / "run" / JOURNAL_FILE).touch()  # so that nothing read before holds
        started = time.perf_counter()
        viewed = ViewedFolder(runs)
        for name, query in _FIRST:
            answer(viewed, name, query)
        best = min(best, time.perf_counter() - started)
    return best


def _again(runs: Path, name: str, query: dict[str, str]) -> float:
    viewed = ViewedFolder(runs)
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        answer(viewed, name, query)
        best = min(best, time.perf_counter() - started)
    return best


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        write_run(Path(folder) / "run", epochs=40, turns=62)
        yield Figure("view opens a run of 1,000,000 events, 8,000 episodes", 1000 * _open(Path(folder)), "ms")
        unchanged = _again(Path(folder), "run", {"run": "run"})
        yield Figure("view asks for it again, unchanged", 1000 * unchanged, "ms")
        episode = {"run": "run", "episode": "acacia boat/0/0"}
        yield Figure("view opens an episode of it", 1000 * _again(Path(folder), "episode", episode), "ms")
    with tempfile.TemporaryDirectory() as folder:
        write_run(Path(folder) / "run", epochs=50, turns=1)
        yield Figure("view opens a run of 10,000 episodes", 1000 * _open(Path(folder)), "ms")


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)
