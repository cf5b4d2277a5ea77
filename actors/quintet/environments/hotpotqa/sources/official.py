"""Reads questions in HotpotQA's own format, as released or as the Hugging Face copy writes it."""

import html
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from quintet.environments.hotpotqa.corpus.corpus import CorpusPage, clean_line
from quintet.environments.hotpotqa.questions import QuestionRecord, QuestionType, SupportingFact
from quintet.environments.hotpotqa.sources.files import read_records
from quintet.errors import UsageError

_Sentence: TypeAlias = Annotated[int, Meta(ge=0, lt=2**31)]
"""From 0."""


class _Facts(Struct):
    title: list[str]
    sent_id: list[_Sentence]

    def __post_init__(self) -> None:
        _check_columns(self.title, self.sent_id, "sent_id")


class _Paragraphs(Struct):
    title: list[str]
    sentences: list[list[str]]

    def __post_init__(self) -> None:
        _check_columns(self.title, self.sentences, "sentences")


def _check_columns(titles: Sequence[str], others: Sequence[object], column: str) -> None:
    if len(titles) != len(others):
        raise ValueError(f"expected a `{column}` for each `title`, got {len(others)} for {len(titles)}")


class _Record(Struct):
    """A question as released (`_id`, pairs) or as the Hugging Face copy has it (`id`, columns)."""

    question: str
    answer: str
    type: QuestionType
    supporting_facts: list[tuple[str, _Sentence]] | _Facts
    level: Literal["easy", "medium", "hard"] = "hard"
    released_id: str | None = msgspec.field(default=None, name="_id")
    id: str | None = None


class _RecordWithContext(_Record, kw_only=True):
    context: list[tuple[str, list[str]]] | _Paragraphs


def read_questions(file: Path) -> Iterator[QuestionRecord]:
    """The questions of a file, without the pages that come with them.

    Raises:
        UsageError: the file cannot be read, or a record is of another schema, or has no answer.
    """
    return (_question(record, number, file) for number, record in enumerate(read_records(file, _Record, "data")))


def read_with_pages(file: Path) -> Iterator[tuple[QuestionRecord, list[CorpusPage]]]:
    """The questions of a file, each with the pages that come with it."""
    for number, record in enumerate(read_records(file, _RecordWithContext, "data")):
        yield _question(record, number, file), _pages(record)


def _question(record: _Record, number: int, file: Path) -> QuestionRecord:
    where = f"{file}, question {number + 1}"
    name = record.id if record.released_id is None else record.released_id
    if not name or "/" in name or not name.isprintable():
        raise UsageError(f"data: expected an id in `_id` or `id`, printable and without '/', got {name!r} ({where})")
    for field, text in (("question", record.question), ("answer", record.answer)):
        if not text.strip():
            raise UsageError(f"data: expected a text in `{field}` of {name}, got none ({where})")
    return QuestionRecord(
        name=name,
        text=clean_line(record.question),
        answer=clean_line(record.answer),
        type=record.type,
        level=record.level,
        facts=tuple(SupportingFact(_title(title), sentence) for title, sentence in _facts(record)),
    )


def _facts(record: _Record) -> Iterator[tuple[str, int]]:
    facts = record.supporting_facts
    return iter(zip(facts.title, facts.sent_id, strict=True) if isinstance(facts, _Facts) else facts)


def _pages(record: _RecordWithContext) -> list[CorpusPage]:
    given = record.context
    pairs = zip(given.title, given.sentences, strict=True) if isinstance(given, _Paragraphs) else given
    return [CorpusPage(_title(title), tuple(sentences)) for title, sentences in pairs]


def _title(text: str) -> str:
    """A title as people read it: the released files escape `&` and quotes."""
    return clean_line(html.unescape(text))
