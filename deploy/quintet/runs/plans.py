"""The plans of a run that learns, and what led to them, as files that a person reads.

The journal is what counts; `plan.md`, `plans/` and `reflections/` are copies, without which a run goes on.
"""

import logging
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path

from quintet.journal.iterations import JobReflection
from quintet.runs.files import read_regular, write_whole

PLAN = "plan.md"
"""The version that the learner stands by, for a person to read and to change."""

_PLANS = "plans"
_REFLECTIONS = "reflections"

log = logging.getLogger("quintet.driver")


class PlanFiles:
    """Keeps a run folder's copies up to date.

    Args:
        folder: the run's.
        tell: told what a person should know, each once.
    """

    def __init__(self, folder: Path, tell: Callable[[str], None] = log.warning) -> None:
        self._folder = folder
        self._tell = tell
        self._told: set[str] = set()

    def write(self, versions: Mapping[int, str], chosen: int | None = None) -> None:
        """Write what was published. What is written already stays as it is.

        Args:
            versions: all so far.
            chosen: the version that the learner stands by; None before it has ended.
        """
        with self._forgiven():
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
            self.say(f"{file}: was changed, and is left so; what was learnt is {_PLANS}/{chosen}.md")

    def write_reflections(self, iteration: int, jobs: Iterable[tuple[JobReflection, bool]]) -> None:
        """Write what the jobs of an iteration taught.

        Args:
            iteration: from 1; it led to the version of that number.
            jobs: what was said of each and whether it succeeded, in the order of the batch.
        """
        paragraphs = [f"# Iteration {iteration}"]
        for reflection, succeeded in jobs:
            paragraphs += _paragraphs(reflection, succeeded=succeeded)
        with self._forgiven():
            _write(self._folder / _REFLECTIONS / f"{iteration}.md", "\n\n".join(paragraphs))

    @contextmanager
    def _forgiven(self) -> Generator[None, None, None]:
        try:
            yield
        except OSError as error:
            self.say(f"plans: expected files that can be written, got {error.strerror or error} ({self._folder})")

    def say(self, text: str) -> None:
        """Tell a person, once."""
        if text not in self._told:
            self._told.add(text)
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
