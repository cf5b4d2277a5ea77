"""Questions: what is asked, the answer, and where it is found."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

QuestionType: TypeAlias = Literal["bridge", "comparison"]


class SupportingFact(Struct, frozen=True):
    """A sentence that the answer follows from."""

    title: str
    sentence: int
    """From 0."""


class QuestionRecord(Struct, frozen=True, kw_only=True):
    """One question of a data set."""

    name: str
    """The task's name: the question's id."""
    text: str
    answer: str
    type: QuestionType
    level: str = "hard"
    """`easy`, `medium` or `hard`."""
    facts: tuple[SupportingFact, ...]
    """In the order in which they are found."""


QuestionSet: TypeAlias = Mapping[str, tuple[QuestionRecord, ...]]
"""Questions by split, the default split first."""
