"""Copies of what a run learns, for people: kept up to date while it runs, whole when it is left."""

from collections.abc import Callable, Generator
from contextlib import closing, contextmanager

from quintet.errors import UsageError
from quintet.events import Published
from quintet.journal.iterations import IterationRecord, iteration_records
from quintet.journal.reader import JournalReader
from quintet.messages.paths import LEARNER, episode_path
from quintet.runs.plans import PlanFiles
from quintet.runs.run_folder import RunFolder


class PlanCopies:
    """Writes a run folder's plans and reflections from its journal. What keeps it from that is told, never raised.

    Args:
        folder: of a run that learns.
        tell: told what a person should know.
    """

    def __init__(self, folder: RunFolder, tell: Callable[[str], None]) -> None:
        self._journal = folder.journal
        self._files = PlanFiles(folder.path, tell)

    def add(self, published: Published) -> None:
        """A version was published. Cheap enough for the loop of the episodes."""
        self._files.write({published.version: published.content})
        with self._forgiven(), closing(JournalReader.open(self._journal)) as reader:
            if found := iteration_records(reader.records(LEARNER)).get(published.version):
                self._write_reflections(reader, published.version, found)

    def complete(self) -> None:
        """Write all that the journal has, the chosen plan too."""
        with self._forgiven(), closing(JournalReader.open(self._journal)) as reader:
            self._files.write(reader.published(), reader.learned())
            for number, found in iteration_records(reader.records(LEARNER)).items():
                self._write_reflections(reader, number, found)

    @contextmanager
    def _forgiven(self) -> Generator[None, None, None]:
        try:
            yield
        except UsageError as error:
            self._files.say(f"plans: expected to copy what was learnt, got {error}")

    def _write_reflections(self, reader: JournalReader, number: int, found: IterationRecord) -> None:
        jobs = [(each, _succeeded(reader, each.task, number - 1, found)) for each in found.reflections]
        if jobs:
            self._files.write_reflections(number, jobs)


def _succeeded(reader: JournalReader, task: str, version: int, found: IterationRecord) -> bool:
    attempt = found.attempts.get((task, version), 0)
    end = reader.end(episode_path(task, version, attempt))
    return end is not None and end.fault is None and end.reward >= 1
