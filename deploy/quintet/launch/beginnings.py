"""What the episodes of a fork take from the run that they go on from."""

from collections.abc import Sequence
from contextlib import closing
from functools import partial

from msgspec.structs import replace

from quintet.errors import JournalFault, ReplayMismatch, UsageError
from quintet.events import CallMade, Cancelled, CutShort, Recalled, Record, Requeued
from quintet.journal.reader import JournalReader
from quintet.messages.continuations import Continuation
from quintet.messages.parts import FreeText, PromptPart
from quintet.messages.paths import Path, attempt_of
from quintet.ports.model import Completion, SamplingOverride
from quintet.runs.fork_record import ContinuedEpisode, ForkRecord
from quintet.runs.run_folder import RunFolder
from quintet.runtime.incarnation import Beginning

_OF_ITS_OWN = (CutShort, Cancelled, Requeued)
"""What happened to the recorded attempt, and not to one that goes on from it."""


class Beginnings:
    """The beginnings of a run's episodes. The recorded run is opened when the first one is needed.

    Args:
        fork: of the run's record; None: its episodes begin by themselves.
    """

    def __init__(self, fork: ForkRecord | None) -> None:
        self._fork = fork
        self._run: RunFolder | None = None
        """The recorded run."""
        self._parts: dict[int, RunFolder] = {}
        """Those of it that were needed, by number."""

    @property
    def parts(self) -> tuple[PromptPart, ...]:
        """What is shown beside every task."""
        return () if self._fork is None or not self._fork.note else (FreeText(text=self._fork.note),)

    def of(self, task: str, epoch: int) -> Beginning | None:
        """What an episode goes on from; None: it begins by itself."""
        found = None if self._fork is None else self._fork.by_episode.get((task, epoch))
        if self._fork is None or found is None:
            return None
        start = found.start
        continues = Continuation(
            epoch=start.epoch,
            draw=start.draw,
            at=found.at,
            observed=start.observed,
            compares=self._fork.compares,
        )
        sampling = start.temperature
        return Beginning(
            continues,
            partial(self._records, self._fork, found),
            world=start.world,
            purpose=start.purpose,
            sampling=None if sampling is None else SamplingOverride(temperature=sampling, top_p=start.top_p),
        )

    def _records(self, fork: ForkRecord, found: ContinuedEpisode, path: Path) -> Sequence[Record]:
        """The records that an episode copies.

        Raises:
            ReplayMismatch: the recorded episode is damaged. That says nothing of others.
            JournalFault: the recorded run is not there, or cannot be read at all.
        """
        try:
            # Opened each time: the recorded run may be resumed meanwhile, and a reader that nobody writes beside at
            # first would miss what is written then.
            with closing(self._journal(fork, found.of)) as journal:
                row = journal.episode(Path(found.of))
                if row is None or row.began != found.recorded:
                    got = "none" if row is None else "another one in its place"
                    raise UsageError(f"fork: expected the recorded episode {found.of}, got {got} ({journal.file})")
                records = journal.beginning(row, found.before, path)
        except UsageError as error:
            raise JournalFault(f"{path}: {error}") from error
        if journal.damage:
            raise ReplayMismatch(f"{path}: expected the whole recorded episode {found.of}, got {journal.damage[0]}")
        left_out = (*_OF_ITS_OWN, Recalled) if fork.recalls else _OF_ITS_OWN
        records = [each for each in records if not isinstance(each.event, left_out)]
        return records if found.said is None else [*records[:-1], _with_completion(records[-1], found)]

    def _journal(self, fork: ForkRecord, episode: str) -> JournalReader:
        run = self._run = self._run or RunFolder.open_to_read(fork.run, created=fork.created)
        number = run.record.shard_of(attempt_of(Path(episode)).task)
        part = self._parts[number] = self._parts.get(number) or run.part_with(episode)
        journal = part.read_journal()
        if journal is None:
            raise UsageError(f"fork: expected a run that has begun, got one that has not ({fork.run})")
        return journal


def _with_completion(record: Record, found: ContinuedEpisode) -> Record:
    event = record.event
    if not isinstance(event, CallMade) or not event.path.endswith(f"/{found.at}"):
        raise JournalFault(f"{found.of}: expected a call at {found.at}, got {event.kind} at {event.path}")
    completion = Completion(text=found.said or "")
    return replace(record, event=replace(event, completion=completion, legibility="read", bounded=False))
