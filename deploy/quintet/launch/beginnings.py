"""What the episodes of a fork take from the run that they go on from."""

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial

from msgspec.structs import replace

from quintet.errors import JournalFault, UsageError
from quintet.events import CallMade, Recalled, Record
from quintet.journal.connection import raise_damage
from quintet.journal.reader import JournalReader
from quintet.messages.continuations import Continuation
from quintet.messages.parts import FreeText, PromptPart
from quintet.messages.paths import Path, attempt_of
from quintet.ports.model import Completion, SamplingOverride
from quintet.runs.fork_record import Continued, ForkRecord
from quintet.runs.run_folder import RunFolder
from quintet.runtime.incarnation import Beginning


class Beginnings(ExitStack):
    """The beginnings of a run's episodes. The journals of the other run are opened when the first one is needed.

    Args:
        fork: of the run's record; None: its episodes begin by themselves.
    """

    def __init__(self, fork: ForkRecord | None) -> None:
        super().__init__()
        self._fork = fork
        self._journals: dict[int, JournalReader] = {}
        """By the number of the other run's part."""

    @property
    def parts(self) -> tuple[PromptPart, ...]:
        """What is shown beside every task."""
        return () if self._fork is None or not self._fork.note else (FreeText(text=self._fork.note),)

    def of(self, task: str, epoch: int) -> Beginning | None:
        """What an episode goes on from; None: it begins by itself."""
        found = None if self._fork is None else self._fork.by_episode.get((task, epoch))
        if self._fork is None or found is None:
            return None
        begun = found.begun
        continues = Continuation(
            epoch=begun.epoch,
            draw=begun.draw,
            at=found.at,
            observed=begun.observed,
            compares=self._fork.compares,
        )
        sampling = begun.temperature
        return Beginning(
            continues,
            partial(self._records, self._fork, found),
            world=begun.world,
            purpose=begun.purpose,
            sampling=None if sampling is None else SamplingOverride(temperature=sampling, top_p=begun.top_p),
        )

    def _records(self, fork: ForkRecord, found: Continued, path: Path) -> Sequence[Record]:
        try:
            journal = self._journal(fork, found.of)
            row = journal.episode(Path(found.of))
            if row is None:
                raise UsageError(f"fork: expected the episode {found.of}, got none ({journal.file})")
            records = journal.beginning(row, found.before, path)
            raise_damage(journal.damage)
        except UsageError as error:
            raise JournalFault(f"{path}: {error}") from error
        if fork.recalls:
            records = [each for each in records if not isinstance(each.event, Recalled)]
        return records if found.said is None else [*records[:-1], _with_completion(records[-1], found)]

    def _journal(self, fork: ForkRecord, episode: str) -> JournalReader:
        run = RunFolder.open_to_read(fork.run)
        number = run.record.shard_of(attempt_of(Path(episode)).task) if run.record.sharded else 0
        if number not in self._journals:
            journal = run.part_with(episode).read_journal()
            if journal is None:
                raise UsageError(f"fork: expected a run that has begun, got one that has not ({fork.run})")
            self.callback(journal.close)
            self._journals[number] = journal
        return self._journals[number]


def _with_completion(record: Record, found: Continued) -> Record:
    event = record.event
    if not isinstance(event, CallMade) or not event.path.endswith(f"/{found.at}"):
        raise JournalFault(f"{found.of}: expected a call at {found.at}, got {event.kind} at {event.path}")
    completion = Completion(text=found.said or "")
    return replace(record, event=replace(event, completion=completion, legibility="read", bounded=False))
