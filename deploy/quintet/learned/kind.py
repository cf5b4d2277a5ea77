"""What a kind of learnt content offers to the rest of a run: to episodes, to the run's folder, and to reports."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from quintet.events import Record
from quintet.messages.parts import PromptPart, Recollection
from quintet.reports.transcript import TranscriptLine
from quintet.runs.record import RunRecord

UpdateOutcome: TypeAlias = Literal["changed", "unchanged", "update failed", "no lessons"]
"""Of an update: new content; the same content again; no usable answer; or no lessons to learn from."""


class LearntIteration(Protocol):
    """What a learner received between two versions."""

    @property
    def attempts(self) -> Mapping[tuple[str, int], int]:
        """By task and version, the number of the attempt that was reported to the learner."""
        ...

    @property
    def failed(self) -> str:
        """Why there could be no new content; empty if there was."""
        ...

    def outcome(self, content: str, before: str) -> UpdateOutcome:
        """What came of it.

        Args:
            content: of the version that it led to.
            before: of the version before.
        """
        ...

    def changes(self, content: str, before: str) -> Iterator[TranscriptLine]:
        """What it changed, for a person."""
        ...

    def failures(self) -> Iterator[str]:
        """What the learner asked for in vain."""
        ...

    def document(self, succeeded: Mapping[str, bool]) -> str:
        """Its lessons, for a person; empty: nothing that needs a file of its own.

        Args:
            succeeded: by task of its batch, whether the episode did.
        """
        ...

    def fields(self) -> dict[str, Any]:
        """Its lessons, for programs."""
        ...


class ContentKind(Protocol):
    """A kind of content that a learner publishes."""

    name: str
    """As a setting and a person call it."""
    file: str
    """In the folder of a run: the chosen version."""
    versions: str
    """The folder of all versions."""
    iterations: str
    """The folder of what led to each; empty: none."""

    def given(self, record: RunRecord) -> str:
        """The content that a run began with, as version 0 of a run that learns has it; empty: none."""
        ...

    def label(self, record: RunRecord) -> str:
        """What a run that began with some is called after its method: `plan`, `memory v3`."""
        ...

    def source(self, record: RunRecord) -> str:
        """Where that came from, in words."""
        ...

    def parts(self, version: int, content: str, recollection: Recollection | None) -> tuple[PromptPart, ...]:
        """The prompt parts that an episode gets from a version.

        Args:
            version: its number.
            content: as it was published.
            recollection: how the run recalls from a memory, of no version yet; None: it has none.
        """
        ...

    def text(self, version: int, content: str, run: Path) -> str:
        """A version, for a person.

        Args:
            version: its number.
            content: as it was published.
            run: the run's folder.

        Raises:
            UsageError: it cannot be read.
        """
        ...

    def size(self, content: str) -> str:
        """How much it is, in few words."""
        ...

    def read_iterations(self, records: Iterable[Record], run: Path) -> Mapping[int, LearntIteration]:
        """Every iteration by the number of the version that it leads to, from 0 on.

        Args:
            records: of the learner.
            run: the run's folder.
        """
        ...
