"""Defects of what is committed, and when: answers, acknowledgements, stale rows and replays."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from quintet.events import Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_of
from quintet.runtime.calls import JournaledModel
from quintet.runtime.host import Host
from quintet.runtime.recorder import Recorder
from tests.soak.controls.control import Control, Touched, replaced

_tasks: set[asyncio.Task[None]] = set()
"""The event loop keeps only weak references to tasks."""


def in_background(work: Any) -> None:
    """Do what the real runtime waits for, and lose what it raises."""
    task = asyncio.create_task(work)
    _tasks.add(task)
    task.add_done_callback(_end)


def _end(task: asyncio.Task[None]) -> None:
    _tasks.discard(task)
    if not task.cancelled():
        task.exception()  # read, or asyncio warns


def _without_waiting(original: Any) -> Any:
    async def commit(*args: Any, **options: Any) -> None:
        in_background(original(*args, **options))

    return commit


def _of_any_incarnation(original: Any) -> Any:
    def writable(journal: Any, record: Record) -> Any:
        return journal._find(episode_of(record.event.path)) or original(journal, record)

    return writable


def _never(_: Any) -> Any:
    def refuse_stale(*_: Any) -> None: ...

    return refuse_stale


@contextmanager
def _without_incarnations() -> Generator[Touched, None, None]:
    """Both refuse: the host, and the journal whatever comes that far."""
    with replaced(SqliteJournal, "_writable", _of_any_incarnation) as touched, replaced(Host, "refuse_stale", _never):
        yield touched


def _never_replayed(original: Any) -> Any:
    def replayed(model: Any, recording: Any, prompt: Any) -> None:
        original(model, recording, prompt)

    return replayed


JOURNAL = (
    Control(
        "an answer before its commit",
        "A completion is returned only once it is committed.",
        lambda: replaced(Recorder, "commit_call", _without_waiting),
    ),
    Control(
        "an acknowledgement before its commit",
        "What was acknowledged survives the death of the process.",
        lambda: replaced(SqliteJournal, "append", _without_waiting),
    ),
    Control(
        "an incarnation that is not refused",
        "Only the newest incarnation of an episode may write.",
        _without_incarnations,
    ),
    Control(
        "a step replayed live",
        "A committed call is never asked again.",
        lambda: replaced(JournaledModel, "_replayed", _never_replayed),
    ),
)
