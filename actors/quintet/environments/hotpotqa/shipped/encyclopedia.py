"""Reads the shipped pages and questions: `pages.txt` and `questions.tsv`.

Places, people and works in them exist nowhere else, so no model knows an answer before it reads.
"""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from quintet.environments.hotpotqa.corpus.corpus import Corpus, CorpusPage
from quintet.environments.hotpotqa.corpus.file import corpus_of
from quintet.environments.hotpotqa.questions import QuestionRecord, QuestionSet, SupportingFact

_FOLDER = "quintet.environments.hotpotqa.shipped"
_DATE = "2026-11-01"
SHIPPED_SPLITS = ("dev", "train")


@cache
def shipped_corpus() -> Corpus:
    """The shipped pages, in memory."""
    return corpus_of(shipped_pages(), date=_DATE, source="made up for Quintet")


def shipped_pages() -> Iterator[CorpusPage]:
    """The shipped pages: a title after `= `, then a sentence a line."""
    for block in _read("pages.txt").split("\n= ")[1:]:
        title, *sentences = block.strip().splitlines()
        yield CorpusPage(title, tuple(sentences))


@cache
def shipped_questions() -> QuestionSet:
    """The shipped questions by split. Columns: split, type, name, question, answer, facts as `title#sentence`."""
    rows = [line.split("\t") for line in _read("questions.tsv").splitlines() if not line.startswith("#")]
    splits: dict[str, list[QuestionRecord]] = {split: [] for split in SHIPPED_SPLITS}
    for split, kind, name, text, answer, facts in rows:
        splits[split].append(
            QuestionRecord(
                name=name,
                text=text,
                answer=answer,
                type="comparison" if kind == "comparison" else "bridge",
                facts=tuple(_fact(fact) for fact in facts.split("; ")),
            )
        )
    return {split: tuple(found) for split, found in splits.items()}


def _fact(written: str) -> SupportingFact:
    title, _, sentence = written.rpartition("#")
    return SupportingFact(title, int(sentence))


def _read(name: str) -> str:
    return (files(_FOLDER) / name).read_text(encoding="utf-8")
