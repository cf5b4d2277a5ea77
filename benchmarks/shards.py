"""A run by four drivers on this machine, over the same run by one: the stand-in plays ReAct on TextCraft."""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import Figure
from quintet.api import read_run

_SHARDS, _EPOCHS = 4, 20
_CONCURRENCY = 64
"""Episodes at a time of each driver."""


@dataclass(frozen=True)
class Played:
    """What a run came to."""

    rate: float
    """Episodes a second, from the first one's begin to the last one's end."""
    cpu: float
    """Seconds of CPU of an episode, in all processes."""
    results: Mapping[str, tuple[str, float]]
    """By path, an episode's state and reward."""


def play(folder: Path, *words: str, drivers: int = 1, concurrency: int = _CONCURRENCY) -> Played:
    """Run ReAct on TextCraft by so many drivers.

    Args:
        words: further ones of the command.
        concurrency: episodes at a time of each driver.
    """
    program = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"
    command = ["eval", "react", "textcraft", "--out", str(folder), f"--concurrency={concurrency}", *words]
    if drivers > 1:
        command += ["--set", f"runtime.shards={drivers}"]
    before = _cpu_of_children()
    subprocess.run([sys.executable, "-c", program, *command], check=True, capture_output=True)
    cpu = _cpu_of_children() - before
    rows = read_run(folder).arrow("episodes").select(["path", "state", "reward", "started", "ended"]).to_pylist()
    window = max(row["ended"] for row in rows) - min(row["started"] for row in rows)
    results = {row["path"]: (row["state"], row["reward"]) for row in rows}
    return Played(len(rows) / window.total_seconds(), cpu / len(rows), results)


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def figures() -> Iterator[Figure]:
    """Episodes a second of all drivers together over those of one; what the episodes came to is the same."""
    words = ("--model", "sim-strong", "--epochs", str(_EPOCHS))
    with tempfile.TemporaryDirectory() as name:
        one, all_ = play(Path(name) / "one", *words), play(Path(name) / "all", *words, drivers=_SHARDS)
    assert one.results == all_.results
    beside = f"{all_.rate:,.0f} episodes/s, {one.rate:,.0f} by one; {len(one.results):,} episodes, results equal; "
    cores = f"at {all_.cpu / one.cpu:.2f} of the CPU of an episode; at least 1.8 on two cores, here {os.cpu_count()}"
    yield Figure(f"{_SHARDS} drivers of one run over one driver", all_.rate / one.rate, "x", beside + cores)


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)
