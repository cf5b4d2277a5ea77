"""A run by four drivers on this machine, over the same run by one: the stand-in plays ReAct on TextCraft."""

import os
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
class _Run:
    rate: float
    """Episodes a second, from the first one's begin to the last one's end."""
    results: Mapping[str, tuple[str, float]]
    """By path, an episode's state and reward."""


def _run(shards: int | None, epochs: int, folder: Path) -> _Run:
    program = "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"
    words = ["eval", "react", "textcraft", "--model", "sim-strong", "--out", str(folder), "--epochs", str(epochs)]
    words += [f"--concurrency={_CONCURRENCY}"]
    if shards is not None:
        words += ["--set", f"runtime.shards={shards}"]
    subprocess.run([sys.executable, "-c", program, *words], check=True, capture_output=True)
    rows = read_run(folder).arrow("episodes").select(["path", "state", "reward", "started", "ended"]).to_pylist()
    window = max(row["ended"] for row in rows) - min(row["started"] for row in rows)
    return _Run(len(rows) / window.total_seconds(), {row["path"]: (row["state"], row["reward"]) for row in rows})


def figures() -> Iterator[Figure]:
    """Episodes a second of all drivers together over those of one; what the episodes came to is the same."""
    with tempfile.TemporaryDirectory() as name:
        one, all_ = _run(None, _EPOCHS, Path(name) / "one"), _run(_SHARDS, _EPOCHS, Path(name) / "shards")
    assert one.results == all_.results
    beside = f"{all_.rate:,.0f} episodes/s, {one.rate:,.0f} by one; {len(one.results):,} episodes, results equal; "
    cores = f"at least 1.8 on two cores, here {os.cpu_count()}"
    yield Figure(f"{_SHARDS} drivers of one run over one driver", all_.rate / one.rate, "x", beside + cores)


if __name__ == "__main__":
    for figure in figures():
        print(figure, flush=True)
