"""The kinds of content that a learner publishes, and what each offers to episodes. A new kind is an entry here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from quintet.messages.learning import LearntKind, MemoryKind
from quintet.messages.parts import Notebook, PromptPart, Recollection
from quintet.messages.store import Sealed
from quintet.runs.record import RunRecord
from quintet.runtime.episode_requests import learnt_parts


@dataclass(frozen=True)
class ContentKind:
    """A kind of content that a learner publishes."""

    name: LearntKind
    """As a setting and a person call it."""
    file: str
    """In the folder of a run: the chosen version."""
    versions: str
    """The folder of all versions."""
    iterations: str
    """The folder of what led to each; empty: none."""
    given: Callable[[RunRecord], str]
    """The content that a run began with, as version 0 of a run that learns has it; empty: none."""
    source: Callable[[RunRecord], str]
    """Where that came from, in words."""


def _in_store(name: MemoryKind, versions: str) -> ContentKind:
    def given(record: RunRecord) -> str:
        if record.memory is None or record.memory.kind != name:
            return ""
        return msgspec.json.encode(record.memory.sealed).decode()

    def source(record: RunRecord) -> str:
        return "" if record.memory is None else f"{record.memory.file}, version {record.memory.version}"

    return ContentKind(name, f"{name}.md", versions, "", given=given, source=source)


CONTENT_KINDS: Final[Mapping[LearntKind, ContentKind]] = {
    "plan": ContentKind(
        "plan",
        "plan.md",
        "plans",
        "reflections",
        given=lambda record: record.plan,
        source=lambda record: str(record.configuration.method.plan),
    ),
    "memory": _in_store("memory", "memories"),
    "notebook": _in_store("notebook", "notebooks"),
}
"""A plan is a text that the executor sees before every task. The content of a memory or a notebook has its counts and
its digest; what it says is in the run's store."""


def discard_versions(folder: Path) -> None:
    """Remove all copies of versions in a run's folder; an `OSError` if some cannot be removed."""
    for kind in CONTENT_KINDS.values():
        (folder / kind.file).unlink(missing_ok=True)
        for inner in (folder / name for name in (kind.versions, kind.iterations) if name):
            for file in inner.glob("*.md"):
                file.unlink()
            if inner.is_dir():
                inner.rmdir()


def read_sealed(content: str) -> Sealed:
    """The counts and the digest of a version of a memory or a notebook, as it was published."""
    return msgspec.json.decode(content, type=Sealed)


def given_parts(record: RunRecord, recollection: Recollection | Notebook | None) -> tuple[PromptPart, ...]:
    """The prompt parts of all that a run was given: a plan, then what is recalled from as `recollection` says."""
    given = {kind: kind.given(record) for kind in CONTENT_KINDS.values()}
    return tuple(
        part for kind, content in given.items() if content for part in learnt_parts(kind.name, 0, content, recollection)
    )
