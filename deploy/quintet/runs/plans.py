"""Plans as files: the one that a run begins with, and copies of those that it learns, with their reflections.

Only the journal counts: `plan.md`, `plans/` and `reflections/` are for people, and a run goes on without them.
"""

import logging
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from quintet.config.sections import ModelSettings
from quintet.errors import UsageError
from quintet.events import Published
from quintet.journal.iterations import IterationRecord, JobReflection, iteration_records
from quintet.journal.reader import JournalReader
from quintet.messages.parts import LONGEST_PLAN
from quintet.messages.paths import LEARNER, episode_path
from quintet.plugins.files import read_limited, read_regular
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.runs.files import write_whole

PLAN = "plan.md"
"""The version that the learner chose, for a person to read and to change."""

_PLANS = "plans"
_REFLECTIONS = "reflections"

_log = logging.getLogger("quintet.driver")


class PlanFiles:
    """Keeps a run folder's copies up to date.

    Args:
        folder: the run's.
        tell: called with what a person should know, once for each text.
    """

    def __init__(self, folder: Path, tell: Callable[[str], None] = _log.warning) -> None:
        self._folder = folder
        self._tell = tell
        self._said: set[str] = set()

    def write(self, versions: Mapping[int, str], chosen: int | None = None) -> None:
        """Write what was published, unless it is written already.

        Args:
            versions: all so far.
            chosen: the version that the learner chose; None before it has ended.
        """
        with self._report_errors():
            for version, text in versions.items():
                _write(self._folder / _PLANS / f"{version}.md", text)
            if chosen is not None and chosen in versions:
                self._write_chosen(versions, chosen)

    def _write_chosen(self, versions: Mapping[int, str], chosen: int) -> None:
        file = self._folder / PLAN
        there = _read(file)
        if there is None or there in {text.strip() for text in versions.values()}:
            _write(file, versions[chosen])
        else:
            self.say(f"{file}: was edited, so it is kept; the learnt plan is {_PLANS}/{chosen}.md")

    def write_reflections(self, iteration: int, jobs: Iterable[tuple[JobReflection, bool]]) -> None:
        """Write the reflections of an iteration.

        Args:
            iteration: from 1; it led to the version of that number.
            jobs: the reflection on each job and whether the job succeeded, in the order of the batch.
        """
        paragraphs = [f"# Iteration {iteration}"]
        for reflection, succeeded in jobs:
            paragraphs += _paragraphs(reflection, succeeded=succeeded)
        with self._report_errors():
            _write(self._folder / _REFLECTIONS / f"{iteration}.md", "\n\n".join(paragraphs))

    @contextmanager
    def _report_errors(self) -> Generator[None, None, None]:
        try:
            yield
        except OSError as error:
            self.say(f"plans: expected files that can be written, got {error.strerror or error} ({self._folder})")

    def say(self, text: str) -> None:
        """Tell the user, once."""
        if text not in self._said:
            self._said.add(text)
            self._tell(text)


def discard_plans(folder: Path) -> None:
    """Remove the copies.

    Raises:
        OSError: some cannot be removed.
    """
    (folder / PLAN).unlink(missing_ok=True)
    for inner in (folder / _PLANS, folder / _REFLECTIONS):
        for file in inner.glob("*.md"):
            file.unlink()
        if inner.is_dir():
            inner.rmdir()


def _paragraphs(reflection: JobReflection, *, succeeded: bool) -> list[str]:
    parts = {
        "Summary": reflection.summary,
        "Flaws": reflection.flaws,
        "Suggested revision": reflection.revision,
        "No reflection": reflection.failed,
    }
    result = "succeeded" if succeeded else "failed"
    return [f"## {reflection.task}: {result}", *(f"{label}: {text}" for label, text in parts.items() if text)]


def _read(file: Path) -> str | None:
    return read_regular(file).decode(errors="replace").strip() if file.is_file() else None


def _write(file: Path, text: str) -> None:
    # Whole or not at all, and not again.
    if _read(file) == text.strip():
        return
    file.parent.mkdir(exist_ok=True)
    write_whole(file, f"{text}\n" if text else "")


class PlanCopies:
    """Writes a run folder's plans and reflections from its journal. A failure is reported, never raised.

    Args:
        folder: of a run that learns.
        journal: its journal's file.
        tell: called with what a person should know.
    """

    def __init__(self, folder: Path, journal: Path, tell: Callable[[str], None]) -> None:
        self._journal = journal
        self._files = PlanFiles(folder, tell)

    def add(self, published: Published) -> None:
        """Write a version that was just published; cheap enough for the event loop."""
        self._files.write({published.version: published.content})
        with self._report_errors(), closing(JournalReader.open(self._journal)) as reader:
            if found := iteration_records(reader.records(LEARNER)).get(published.version):
                self._write_reflections(reader, published.version, found)

    def complete(self) -> None:
        """Write everything that the journal has, the chosen plan too."""
        with self._report_errors(), closing(JournalReader.open(self._journal)) as reader:
            self._files.write(reader.published(), reader.chosen_version())
            for number, found in iteration_records(reader.records(LEARNER)).items():
                self._write_reflections(reader, number, found)

    @contextmanager
    def _report_errors(self) -> Generator[None, None, None]:
        try:
            yield
        except UsageError as error:
            self._files.say(f"plans: expected to copy the learnt plans, got {error}")

    def _write_reflections(self, reader: JournalReader, number: int, found: IterationRecord) -> None:
        jobs = [(each, _succeeded(reader, each.task, number - 1, found)) for each in found.reflections]
        if jobs:
            self._files.write_reflections(number, jobs)


def _succeeded(reader: JournalReader, task: str, version: int, found: IterationRecord) -> bool:
    attempt = found.attempts.get((task, version), 0)
    end = reader.end(episode_path(task, version, attempt))
    return end is not None and end.fault is None and end.reward >= 1


_PER_TOKEN = 8
"""Bytes of text in a token: more than any model has, so nothing is refused that might fit."""


def read_plan_file(file: Path, reader: ModelSettings) -> str:
    """Read a plan that a person names.

    Args:
        file: text, written by a person or copied from a run that learnt it.
        reader: the model that will read it.

    Returns:
        The text, never empty, without white space around it.

    Raises:
        UsageError: the file cannot be read, is empty, is no text, or is longer than a plan may be or the model takes.
    """
    try:
        content = read_limited(file, LONGEST_PLAN)
    except OSError as error:
        raise UsageError(f"method.plan: expected a text file, got {error.strerror or error} ({file})") from error
    except ValueError as error:
        raise UsageError(f"method.plan: {error} ({file})") from error
    text = _text(content, file)
    if not text:
        raise UsageError(f"method.plan: expected a plan, got an empty file ({file})")
    _refuse_too_long(text, reader, file)
    return text


def _text(content: bytes, file: Path) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"method.plan: expected UTF-8 text, got other bytes ({file})") from error
    if "\0" in text:
        raise UsageError(f"method.plan: expected text, got null characters ({file})")
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _refuse_too_long(text: str, reader: ModelSettings, file: Path) -> None:
    if reader.context is None:
        return
    answer = reader.longest(EXECUTOR_ROLE.name)
    most = max(0, reader.context - answer) * _PER_TOKEN
    size = len(text.encode())
    if size > most:
        raise UsageError(
            f"method.plan: expected at most {most:,} bytes, since the executor's context of {reader.context:,} tokens "
            f"holds a completion of {answer:,} too, got {size:,} ({file})"
        )
