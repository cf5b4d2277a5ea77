"""A run folder, to look at: its record, its journal and its logs."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from quintet.config.sections import RunConfig
from quintet.errors import UsageError
from quintet.journal.reader import JournalReader
from quintet.journal.schema import JOURNAL_FILE
from quintet.journal.writer import is_prepared
from quintet.memory.schema import MEMORY_FILE
from quintet.quota.cost import NOTHING, Cost
from quintet.quota.prices import Price
from quintet.runs.folder import ResumeChanges, read_changes, read_record, shell_command
from quintet.runs.record import RUN_RECORD, RunRecord

SHARDS = "shards"
"""The folder of the shards of a run over several drivers: each is a run folder, named by its number from 0."""


class PartJournal(NamedTuple):
    """A journal of a run, to look at."""

    part: "RunFolder"
    reader: JournalReader

    @property
    def damage(self) -> tuple[str, ...]:
        """What of both could not be read so far."""
        return *self.part.damage, *self.reader.damage


class ReadJournals(NamedTuple):
    """The journals of a run, to look at."""

    journals: Sequence[PartJournal]
    unread: Sequence[str]
    """Which shards cannot be read at all, each with the reason."""

    @property
    def damage(self) -> tuple[str, ...]:
        """What could not be read so far."""
        return *self.unread, *(each for journal in self.journals for each in journal.damage)


class RunFolder:
    """One run on disk.

    Args:
        prices: by model: the record's, or those of the newest resume that changed them.
        damage: which of its changes cannot be read.
    """

    def __init__(self, path: Path, record: RunRecord, prices: Mapping[str, Price], damage: Sequence[str] = ()) -> None:
        self.path = path
        self.record = record
        self.prices = prices
        self.damage = tuple(damage)

    @classmethod
    def open_to_read(cls, path: Path, *, created: datetime | None = None) -> "RunFolder":
        """A run to look at, also while it is being written.

        Args:
            created: when the run was made that is meant; None: whichever is there.

        Raises:
            UsageError: there is none that can be read, or it is another one.
        """
        record = read_record(path / RUN_RECORD, RunRecord)
        if created not in (None, record.created):
            got = f"got one made at {record.created.isoformat()}"
            raise UsageError(f"run: expected the one that was made at {created.isoformat()}, {got} ({path})")
        changes = read_changes(path)
        damage = [*changes.damage, *([changes.torn] if changes.torn else [])]
        return cls(path, record, newest_prices(record, changes), damage)

    @property
    def config(self) -> RunConfig:
        """What it runs under: the record's configuration, with the changes of resumes if it is open to write."""
        return self.record.configuration

    @property
    def journal(self) -> Path:
        """The journal's file."""
        return self.path / JOURNAL_FILE

    @property
    def memory(self) -> Path:
        """The file of the store, if it has a memory; of a run over several drivers, the first of equal copies."""
        return (self.shard_path(0) if self.record.sharded else self.path) / MEMORY_FILE

    @property
    def parts(self) -> "tuple[RunFolder, ...]":
        """The run folders that have its journals: itself, or of a run over several drivers its shards that began.

        Raises:
            UsageError: as `part`, of any shard.
        """
        found = (self.part(number) for number in self.part_numbers)
        return tuple(part for part in found if part is not None)

    @property
    def part_numbers(self) -> range:
        """The numbers of its parts: of a run over several drivers, of its shards."""
        return range(self.record.configuration.runtime.shards if self.record.sharded else 1)

    def part(self, number: int) -> "RunFolder | None":
        """A part, to look at; None: a shard that has not begun.

        Raises:
            UsageError: its record cannot be read, or its folder has something else.
        """
        if not self.record.sharded:
            return self
        path = self.shard_path(number)
        if not (path / RUN_RECORD).is_file():
            return None
        found = RunFolder.open_to_read(path)
        if found.record.shard != number:
            got = "a whole run" if found.record.shard is None else f"shard {found.record.shard}"
            raise UsageError(f"run folder: expected shard {number}, got {got} ({path})")
        return found

    def shard_path(self, shard: int) -> Path:
        """The run folder of a shard; not there before the shard begins. A `UsageError` if a link lies there."""
        path = self.path / SHARDS / str(shard)
        for place in (path.parent, path):
            if place.is_symlink():
                raise UsageError(f"run folder: expected files of its own, got a link ({place})")
        return path

    def part_with(self, episode: str) -> "RunFolder":
        """The part that plays an episode, by its path or by its task's name; a `UsageError` if that has not begun."""
        number = self.record.shard_of(episode.strip("/").partition("/")[0])
        part = self.part(number)
        if part is None:
            path = self.shard_path(number)
            raise UsageError(f"episode: expected one of a shard that has begun, got {episode!r} ({path})")
        return part

    @contextmanager
    def read_journals(self) -> Generator[ReadJournals, None, None]:
        """The journals of its parts, each in one state, without those of parts that have not begun to run.

        Raises:
            UsageError: it has one journal, which cannot be read. One of several is left out and named.
        """
        with ExitStack() as opened:
            found: list[PartJournal] = []
            unread: list[str] = []
            for number in self.part_numbers:
                try:
                    part = self.part(number)
                    reader = None if part is None else part.read_journal()
                    if part is not None and reader is not None:
                        opened.enter_context(closing(reader))
                        opened.enter_context(reader.snapshot())
                        found.append(PartJournal(part, reader))
                except UsageError as error:
                    if not self.record.sharded:
                        raise
                    unread.append(f"shard {number}: {error}")
            yield ReadJournals(found, unread)

    def read_journal(self) -> JournalReader | None:
        """Its own journal, to look at; None before the run begins."""
        prepared = is_prepared(self.journal)  # looked for first, since it is a journal a moment later
        if self.journal.exists():
            return JournalReader.open(self.journal)
        if not prepared:
            raise self.lost_journal()
        return None

    def spent(self) -> Cost:
        """What its own journal says, reservations included; nothing before it begins. Raises as `read_journal`."""
        reader = self.read_journal()
        if reader is None:
            return NOTHING
        with closing(reader):
            return reader.spent(self.prices)

    def lost_journal(self) -> UsageError:
        """The error that says so."""
        return UsageError(
            f"journal: expected {JOURNAL_FILE}, which has every answer of the run, got none ({self.journal}); "
            f"put it back, or make and pay every call again: {shell_command('resume', self.path, '--anew')}"
        )

    @property
    def logs(self) -> Path:
        """The folder of logs, one file per host; made with the first line."""
        return self.path / "logs"


def shard_folders(run: Path) -> list[Path]:
    """What lies where the shards of a run do, in order, without a look inside; none of a run with one driver."""
    return sorted((run / SHARDS).glob("*"))


def run_of_shard(shard: Path) -> RunFolder | None:
    """The run over several drivers of which a folder is a shard; None: it is none of any."""
    whole = shard.absolute().parent.parent
    if shard.absolute().parent.name != SHARDS or not (whole / RUN_RECORD).is_file():
        return None
    found = RunFolder.open_to_read(whole)
    return found if found.record.sharded else None


def newest_prices(record: RunRecord, changes: ResumeChanges) -> Mapping[str, Price]:
    """By model: the record's, or those of the newest resume that changed them."""
    return next((change.prices for change in reversed(changes.sound) if change.prices), record.prices)
