"""The episode of an ATIF file, in a journal that is stored nowhere, for what shows episodes."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path as FilePath
from typing import NamedTuple

from quintet.atif.import_run import episode_in, store
from quintet.atif.read import describe_left_out
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path


class ShownFile(NamedTuple):
    """An episode to look at."""

    reader: JournalReader
    path: Path
    title: str
    left_out: str
    """In words; empty: nothing is."""


@contextmanager
def open_file(file: FilePath) -> Generator[ShownFile, None, None]:
    """The episode of a file; raises as `read_episode`, or where it cannot be stored."""
    episode = episode_in(file)
    agent, own = episode.trajectory.agent, episode.own or {}
    with closing(SqliteJournal(":memory:")) as journal:
        store(journal, episode, file)
        title = f"{episode.path}, {own.get('method', agent.name)}, {agent.model_name or 'unknown model'}"
        yield ShownFile(journal.reader, episode.path, title, describe_left_out(episode.left_out))
