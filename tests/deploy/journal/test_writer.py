"""A disk that fills in the middle of a commit."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path as FilePath

import pytest

from quintet.events import Decided, Record
from quintet.journal.reader import JournalReader
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import child, episode_path
from tests.simulation.virtual import run

ROOT = FilePath(__file__).parents[3]
EPISODE = episode_path("beehive", 0, 0)

_WRITER = """
import asyncio, resource, sys
from pathlib import Path
from quintet.errors import JournalFault
from quintet.events import Decided, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import child, episode_path

async def main():
    journal = SqliteJournal(Path(sys.argv[1]))
    episode = episode_path("beehive", 0, 0)
    journal.begin(episode)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
    for number in range(1, 1_000):
        paths = [child(child(episode, number), part) for part in (1, 2, 3)]
        events = [Decided(path=path, question="q", answer="1" * 900) for path in paths]
        group = [Record(event=event, incarnation=1) for event in events]
        try:
            await journal.append(group)
        except JournalFault as fault:
            print(number - 1, fault)
            break
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await journal.append(group)
    journal.close()
asyncio.run(main())
"""


@pytest.mark.parametrize("size", [150_000, 200_000, 301_000])
def test_a_commit_on_a_full_disk_is_a_fault_and_leaves_nothing_half(tmp_path: FilePath, size: int) -> None:
    file = tmp_path / "journal.sqlite"
    command = [sys.executable, "-c", _WRITER, str(file), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    committed, _, said = done.stdout.partition(" ")
    assert said.startswith("journal: expected one that can be written, got ")
    assert str(file) in said
    with closing(JournalReader.open(file)) as reader:
        paths = [record.event.path for record in reader.records(EPISODE)]
        assert reader.damage == []
    groups = int(committed) + 1  # the refused one was appended again when there was room
    assert paths == [child(child(EPISODE, number), part) for number in range(1, groups + 1) for part in (1, 2, 3)]
    journal = SqliteJournal(file)
    assert journal.begin(EPISODE) == 2
    run(journal.append([Record(event=Decided(path=child(EPISODE, 9_999), question="q", answer="1"), incarnation=2)]))
    assert len(journal.reader.records(EPISODE)) == len(paths) + 1
    journal.close()
