"""Reports of large runs: seconds of CPU of whole commands, and of a resume until an episode goes on.

`python -m benchmarks.reports` measures the run of 200,000 episodes too.
"""

import asyncio
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

from benchmarks.measuring import ROUNDS, Figure
from quintet.config.settings import from_table
from quintet.journal.call_encoder import insert
from quintet.journal.codes import EPISODE_BITS
from quintet.launch.evaluation import open_evaluation
from quintet.launch.prepare import prepare
from quintet.launch.writable_run import WritableRun

_BEGAN = 1_700_000_000_000
_TEXTS = ("Thought: I look first.\nAction: get 2 diamond", "Got 2 diamond")

_Rows: TypeAlias = Iterator[tuple[str, Sequence[tuple[object, ...]]]]


def write_run(path: Path, *, epochs: int, turns: int, unfinished: int = 0) -> Path:
    """Write a run of TextCraft's 200 test tasks, row by row, since to run it would take hours.

    Args:
        path: the new run folder.
        epochs: of every task.
        turns: of every episode; each is a call and a step.
        unfinished: how many of the newest episodes have not ended.
    """
    settings = {
        "method": {"name": "react"},
        "environment": {"name": "textcraft"},
        "model": {"name": "sim-weak"},
        "run": {"epochs": epochs},
    }
    prepared = prepare([from_table(settings, "the benchmark")])
    names = [task.name for task in prepared.record.tasks]
    with WritableRun.create(path, prepared) as folder, closing(sqlite3.connect(folder.journal)) as journal:
        model = prepared.record.models["executor"]
        journal.execute(insert("_models", 5), (1, model, None, None, None))
        journal.execute(insert("_phases", 2), (1, "execute"))
        journal.execute(insert("_settings", 10), (1, 1, 1, "", 0.0, 1.0, 100, "[]", None, None))
        journal.execute(insert("_starts", 3), (1, 1, "driver"))
        journal.execute(insert("_messages", 4), (1, 0, 1, 2))
        journal.executemany(insert("_tasks", 2), enumerate(names, 1))
        journal.executemany(insert("_texts", 2), enumerate(_TEXTS, 1))
        episodes = len(names) * epochs
        for number in range(1, episodes + 1):
            epoch, task = divmod(number - 1, len(names))
            row = (number, task + 1, epoch, 0, _BEGAN + number, 1, 0)
            for table, rows in _episode(row, turns, ended=number <= episodes - unfinished):
                journal.executemany(insert(table, len(rows[0])), rows)
        journal.commit()
    return path


def _episode(begun: tuple[int, ...], turns: int, *, ended: bool) -> _Rows:
    number, solved = begun[0], begun[0] % 3 == 0
    end = (60_000, 1, 60_000_000, int(not solved), float(solved), int(solved), 1, "", None, 0, None, turns)
    yield "_episodes", [(*begun, *(end if ended else [None] * len(end)))]
    if ended:
        yield "_usage", [(number, 1, 1, turns, 700 * turns, 0, 20 * turns, 0, None)]
    first = (number << EPISODE_BITS) + 1
    common = (1, 100, 100)
    yield "_sessions", [(first, "1", *common, "1", None, 2)]
    yield (
        "_calls",
        [
            (first + 2 * turn - 1, f"2/{turn}", *common, 1, turn, 1, 1, None, 0, 700, 0, 20, 0, 0)
            for turn in range(1, turns + 1)
        ],
    )
    yield (
        "_steps",
        [
            (first + 2 * turn, f"2/{turn}/1", *common, "1", 1, 32, 13, 1, 10, 13, 2, 0.0, 0, 0, 0, None)
            for turn in range(1, turns + 1)
        ],
    )


def _cpu(*command: str, out: Path | None = None) -> float:
    """Seconds of CPU of the best of several runs of a command, from its process's start to its end.

    Args:
        out: a folder that each run makes anew.
    """
    best = float("inf")
    for _ in range(ROUNDS):
        if out is not None:
            shutil.rmtree(out, ignore_errors=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-c", "import sys; from quintet.cli import main; sys.exit(main())", *command],
            check=True,
            capture_output=True,
            env={**os.environ, "COLUMNS": "120"},
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def _reopening(path: Path) -> float:
    """Seconds of CPU until the first of a run's unfinished episodes would go on."""

    async def open_run() -> int:
        with WritableRun.open(path) as folder:
            async with open_evaluation(folder) as evaluation:
                return len(evaluation.left())

    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        assert asyncio.run(open_run()), "expected episodes that are left, got none"
        best = min(best, time.process_time() - started)
    return best


def figures(*, full: bool = False) -> Iterator[Figure]:
    """Milliseconds of CPU.

    Args:
        full: also of 200,000 episodes, which takes a minute.
    """
    with tempfile.TemporaryDirectory() as folder:
        run = str(write_run(Path(folder) / "run", epochs=20, turns=65))
        for command, before in {"report": 4.3, "resume": 8.3, "show": 6.9}.items():
            title = f"{command} of 4,000 episodes, 530,000 events, CPU"
            yield Figure(title, 1000 * _cpu(command, run), "ms", f"{before} s before")
        unfinished = write_run(Path(folder) / "unfinished", epochs=40, turns=62, unfinished=64)
        yield Figure("reopening a run of 1,000,000 events, CPU", 1000 * _reopening(unfinished), "ms")
        if full:
            large = str(write_run(Path(folder) / "large", epochs=1000, turns=2))
            for command, before in {"report": 7.5, "show": 143}.items():
                title = f"{command} of 200,000 episodes, CPU"
                yield Figure(title, 1000 * _cpu(command, large), "ms", f"{before} s before")
            out = Path(folder) / "exported"
            took = _cpu("export", large, "--parquet", str(out), out=out)
            yield Figure("export of 200,000 episodes with 6 events each, CPU", 1000 * took, "ms", "at most 10 s")


if __name__ == "__main__":
    for figure in figures(full=True):
        print(figure, flush=True)
