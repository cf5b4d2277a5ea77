"""Copies in a run's folder of what it learns, and of what led to each version.

Only the journal counts: the copies are for people, and a run goes on without them.
"""

import logging
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from quintet.errors import UsageError
from quintet.events import Published
from quintet.journal.reader import JournalReader
from quintet.journal.schema import JOURNAL_FILE
from quintet.learned.iterations import LearntIteration, read_iterations
from quintet.learned.kinds import ContentKind
from quintet.messages.paths import LEARNER, episode_path
from quintet.plugins.files import read_regular
from quintet.reports.learning.lessons import document, version_text
from quintet.runs.files import LARGEST_RECORD, write_whole

_log = logging.getLogger("quintet.driver")


class VersionFiles:
    """Keeps a run folder's copies up to date. A failure is told once, never raised."""

    def __init__(self, kind: ContentKind, folder: Path, tell: Callable[[str], None] = _log.warning) -> None:
        self._kind = kind
        self._folder = folder
        self._journal = folder / JOURNAL_FILE
        self._tell = tell
        self._said: set[str] = set()

    def write(self, versions: Mapping[int, str], chosen: int | None = None) -> None:
        """Write what was published, unless it is written already, and the version that the learner chose, if it has."""
        with self._report_errors():
            texts = {
                number: version_text(self._kind.name, number, content, self._folder)
                for number, content in versions.items()
            }
            for number, text in texts.items():
                _write(self._folder / self._kind.versions / f"{number}.md", text)
            if chosen is not None and chosen in texts:
                self._write_chosen(texts, chosen)

    def _write_chosen(self, texts: Mapping[int, str], chosen: int) -> None:
        file = self._folder / self._kind.file
        there = _read(file)
        if there is None or there in {text.strip() for text in texts.values()}:
            _write(file, texts[chosen])
        else:
            kept = f"{self._kind.versions}/{chosen}.md"
            self._say(f"{file}: was edited, so it is kept; the learnt {self._kind.name} is {kept}")

    def add(self, published: Published) -> None:
        """Write a version that was just published; cheap enough for the event loop."""
        self.write({published.version: published.content})
        with self._report_errors(), closing(JournalReader.open(self._journal)) as reader:
            self._write_iteration(reader, published.version, self._iterations(reader)[published.version])

    def complete(self) -> None:
        """Write everything that the journal has, the chosen version too."""
        with self._report_errors(), closing(JournalReader.open(self._journal)) as reader:
            self.write(reader.published(), reader.chosen_version())
            for number, found in self._iterations(reader).items():
                self._write_iteration(reader, number, found)

    def _iterations(self, reader: JournalReader) -> Mapping[int, LearntIteration]:
        return read_iterations(self._kind.name, reader.records(LEARNER), self._folder)

    def _write_iteration(self, reader: JournalReader, number: int, found: LearntIteration) -> None:
        succeeded = {
            task: _succeeded(reader, task, version, found) for task, version in found.attempts if version == number - 1
        }
        if text := document(found, succeeded):
            _write(self._folder / self._kind.iterations / f"{number}.md", f"# Iteration {number}\n\n{text}")

    @contextmanager
    def _report_errors(self) -> Generator[None, None, None]:
        what = self._kind.versions
        try:
            yield
        except OSError as error:
            self._say(f"{what}: expected files that can be written, got {error.strerror or error} ({self._folder})")
        except UsageError as error:
            self._say(f"{what}: expected to copy the learnt {what}, got {error}")

    def _say(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self._tell(text)


def _read(file: Path) -> str | None:
    try:
        return read_regular(file, LARGEST_RECORD).decode(errors="replace").strip() if file.is_file() else None
    except ValueError:
        return None  # larger than any text of ours


def _write(file: Path, text: str) -> None:
    # Whole or not at all, and not again.
    if _read(file) == text.strip():
        return
    file.parent.mkdir(exist_ok=True)
    write_whole(file, f"{text}\n" if text else "")


def _succeeded(reader: JournalReader, task: str, version: int, found: LearntIteration) -> bool:
    end = reader.end(episode_path(task, version, found.attempts[task, version]))
    return end is not None and end.fault is None and end.reward >= 1
