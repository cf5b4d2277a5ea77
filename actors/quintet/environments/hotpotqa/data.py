"""HotpotQA's data commands: build a corpus, and check questions."""

import datetime
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from quintet.environments.data_commands import DataSummary
from quintet.environments.hotpotqa.corpus.corpus import CorpusPage
from quintet.environments.hotpotqa.corpus.file import build_corpus
from quintet.environments.hotpotqa.questions import QuestionRecord
from quintet.environments.hotpotqa.scoring import normalize_answer
from quintet.environments.hotpotqa.sources.files import read_dump
from quintet.environments.hotpotqa.sources.library import DATE, QuestionLibrary, question_files, question_library
from quintet.environments.hotpotqa.sources.official import read_with_pages
from quintet.errors import UsageError

_OWN_SPLITS = ("dev", "train")
_UNREADABLE = ("yes", "no")
"""Answers that stand in no page."""


def build_pages(*, out: Path, questions: Path | None = None, dump: Path | None = None, date: str = "") -> DataSummary:
    """Write a corpus: of the pages that come with questions, or of a dump of paragraphs.

    Args:
        out: The file to write, new.
        questions: A file or a folder of HotpotQA's questions, with their contexts.
        dump: A file or a folder of pages: JSON records with `title` and `text`, a list of sentences; one a line.
        date: The day of the dump, YYYY-MM-DD. Of questions, without it, 2017-10-01.

    Raises:
        UsageError: not one source is given, or it cannot be read, or the date is none, or the file cannot be written.
    """
    if (questions is None) == (dump is None):
        raise UsageError("expected either --questions or --dump, got " + ("neither" if dump is None else "both"))
    day = date or (DATE if dump is None else "none")
    if not _is_day(day):
        raise UsageError(f"--date: expected the day of the dump, such as 2017-10-01, got {day}")
    pages = read_dump(dump) if dump is not None else _contexts(questions) if questions is not None else iter(())
    built = build_corpus(out, pages, date=day, source=(dump or questions or out).name)
    return DataSummary(
        title="pages of the corpus",
        rows_are="date",
        counts={built.facts.date: {"pages": built.facts.pages}},
        notes=(f"{out}; --set environment.corpus={out} reads it",),
    )


def check_questions(path: Path, *, corpus: Path | None = None) -> DataSummary:
    """Read questions, and find the supporting facts and the answer of each in the corpus; name every bad one.

    Args:
        path: A file or a folder of questions in HotpotQA's own format.
        corpus: A corpus; without it, the pages that come with the questions.

    Raises:
        UsageError: the files cannot be read.
    """
    found = question_library(path, corpus)
    own = {split: questions for split, questions in found.questions.items() if split in _OWN_SPLITS}
    errors = [error for questions in own.values() for each in questions for error in _errors(each, found)]
    unread = [each for questions in own.values() for each in questions if not _is_read(each, found)]
    note = f"answers that no supporting fact has word for word: {len(unread)}"
    return DataSummary(
        title="questions",
        rows_are="split",
        counts={split: dict(Counter(each.type for each in questions)) for split, questions in own.items()},
        errors=tuple(errors),
        notes=(note,),
    )


def _is_day(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _contexts(questions: Path) -> Iterator[CorpusPage]:
    for file in question_files(questions).values():
        for _, pages in read_with_pages(file):
            yield from pages


def _errors(question: QuestionRecord, found: QuestionLibrary) -> Iterator[str]:
    for fact in question.facts:
        page = found.corpus.page(fact.title, exact=True)
        if page is None:
            yield f"bad: {question.name}: expected a page {fact.title!r}, got none"
        elif not 0 <= fact.sentence < len(page.sentences):
            got = f"{len(page.sentences)} sentences of {fact.title!r}"
            yield f"bad: {question.name}: expected a sentence {fact.sentence}, got {got}"


def _is_read(question: QuestionRecord, found: QuestionLibrary) -> bool:
    """Whether the answer stands in a supporting fact, or is none that could."""
    answer = normalize_answer(question.answer)
    pages = [(found.corpus.page(fact.title, exact=True), fact.sentence) for fact in question.facts]
    facts = [page.sentences[sentence] for page, sentence in pages if page and 0 <= sentence < len(page.sentences)]
    titles = [page.title for page, _ in pages if page]
    return answer in _UNREADABLE or any(answer in normalize_answer(text) for text in (*facts, *titles))
