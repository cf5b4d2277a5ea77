"""How often a run's episodes recalled notes, section by section, and what the budget left out of them."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from quintet.messages.paths import LEARNER

NOTE_RECALLS: Final = f"""
SELECT section, count(*), count(*) FILTER (WHERE left_out > 0), sum(left_out) FROM recalls
WHERE batch = 0 AND path NOT LIKE '{LEARNER}/%' GROUP BY section ORDER BY min(id)
"""


class NoteRecalls(NamedTuple):
    """The recalls from a section of a notebook."""

    section: str
    """Empty: from all of it."""
    times: int
    cut: int
    """How often the budget left notes out."""
    left_out: int
    """How many those were."""


def sum_recalls(rows: Iterable[NoteRecalls]) -> tuple[NoteRecalls, ...]:
    """One row for each section, in the order in which they come first."""
    found: dict[str, NoteRecalls] = {}
    for section, *counts in rows:
        before = found.get(section, NoteRecalls(section, 0, 0, 0))[1:]
        found[section] = NoteRecalls(section, *map(sum, zip(before, counts, strict=True)))
    return tuple(found.values())
