"""The kinds of what is learnt. A new kind is a module that declares it, and its name here."""

from collections.abc import Mapping
from typing import Final

from quintet.learned.kind import ContentKind
from quintet.learned.memory.kind import MemoryKind
from quintet.learned.plan.kind import PlanKind
from quintet.messages.learning import LearntKind
from quintet.messages.parts import PromptPart, Recollection
from quintet.runs.record import RunRecord

CONTENT_KINDS: Final[Mapping[LearntKind, ContentKind]] = {"plan": PlanKind(), "memory": MemoryKind()}


def method_label(record: RunRecord) -> str:
    """What a run runs, as tables name it: `OUTER(INNER) + memory v3`."""
    given = (kind.label(record) for kind in CONTENT_KINDS.values() if kind.given(record))
    return " + ".join((record.method, *given))


def given_parts(record: RunRecord, recollection: Recollection | None) -> tuple[PromptPart, ...]:
    """The prompt parts of everything that a run was given: a plan, then a memory.

    Args:
        record: of the run.
        recollection: how it recalls from a memory; None: it has none.
    """
    given = {kind: kind.given(record) for kind in CONTENT_KINDS.values()}
    return tuple(part for kind, content in given.items() if content for part in kind.parts(0, content, recollection))
