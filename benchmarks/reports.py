"""Reports of large runs: seconds of CPU of whole commands, and until the first turn of a run that is reopened."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from quintet.config.settings import from_table
from quintet.journal.encoder import insert
from quintet.journal.numbers import EPISODE_BITS
from quintet.runs.prepare import prepare
from quintet.runs.run_folder import RunFolder

_TASKS = 200
_BEGAN = 1_700_000_000_000
_TURN = 2
"""Events: a call and a step."""


def write_run(path: Path, *, epochs: int, turns: int, unfinished: int = 0, priced: bool = False) -> Path:
    """Write a run of 200 tasks, row by row.

    Args:
        path: the new run folder.
        epochs: of every task.
        turns: of every episode.
        unfinished: how many of the newest episodes have not ended.
        priced: whether every call was charged to a budget.
    """
    limits = {"budget_tokens": 2**31 - 1} if priced else {}
    settings = {
        "method": {"name": "react"},
        "environment": {"name": "textcraft"},
        "model": {"name": "sim-weak"},
        "run": {"epochs": epochs},
        "limits": limits,
    }
    prepared = prepare([from_table(settings, "benchmark")])
    with RunFolder.create(path, prepared) as folder, closing(sqlite3.connect(folder.journal)) as journal:
        for table, rows in _rows(
            prepared.record.models["executor"],
            [t.name for t in prepared.record.tasks],
            epochs,
            turns,
            unfinished,
            priced,
        ):
            journal.executemany(insert(table, len(rows[0])), rows)
        journal.commit()
    return path


def _rows(
    model: str, tasks: list[str], epochs: int, turns: int, unfinished: int, priced: bool
) -> Iterator[tuple[str, list[tuple[object, ...]]]]:
    yield "_models", [(1, model, None, None, None)]
    yield "_settings", [(1, 1, "", 0.0, 1.0, 100, "[]", None)]
    yield "_starts", [(1, 1, "driver")]
    yield "_tasks", [(number, name) for number, name in enumerate(tasks, 1)]
    yield (
        "_texts",
        [
            (1, "Thought: I look first.\nAction: get 2 diamond"),
            (2, "Got 2 diamond"),
            (3, "Solve"),
            (4, '{"type":"unsolved"}'),
        ],
    )
    yield "_messages", [(1, 0, 1, 2)]
    episodes = len(tasks) * epochs
    for number in range(1, episodes + 1):
        task, epoch = (number - 1) % len(tasks) + 1, (number - 1) // len(tasks)
        ended = number <= episodes - unfinished
        first = number << EPISODE_BITS
        solved = number % 3 == 0
        end = (
            (60_000, 1, 60_000_000, int(not solved), float(solved), int(solved), 1, "", None, 0, turns)
            if ended
            else (None,) * 11
        )
        yield "_episodes", [(number, task, epoch, 0, _BEGAN + number, 1, 0, *end)]
        if ended:
            yield "_usage", [(number, 1, turns, 700 * turns, 0, 20 * turns, 0, None)]
        yield "_sessions", [(first + 1, "1", 1, 0, 0, "1", 2)]
        place = first + 2
        yield (
            "_calls",
            [(place + 3 * n, f"2/{n}", 1, 100, 100, 1, n, 1, 1, None, 0, 700, 0, 20, 0, 0) for n in range(turns)],
        )
        yield (
            "_steps",
            [
                (place + 3 * n + 1, f"2/{n}/1", 1, 100, 100, "1", 1, 31, 13, 1, 10, 12, 2, 0.0, 0, 0)
                for n in range(turns)
            ],
        )
        if priced:
            yield "_charges", [(place + 3 * n + 2, f"2/{n}", f"driver/{n}", 1, 700, 0, 20, 0) for n in range(turns)]
