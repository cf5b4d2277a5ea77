"""The questions and the corpus of a run, the user's or the shipped ones, and the orders in which papers play them."""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from random import Random

from msgspec import Struct

from quintet.environments.hotpotqa.corpus.corpus import Corpus, CorpusPage
from quintet.environments.hotpotqa.corpus.file import corpus_of, open_corpus
from quintet.environments.hotpotqa.questions import QuestionRecord, QuestionSet
from quintet.environments.hotpotqa.shipped.encyclopedia import shipped_corpus, shipped_questions
from quintet.environments.hotpotqa.sources.official import read_questions, read_with_pages
from quintet.errors import UsageError

DATE = "2017-10-01"
"""Of the Wikipedia that HotpotQA's questions and pages are from."""
_SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz", ".json.bz2", ".jsonl.bz2")
_MOST = 10_000
"""Questions whose pages are kept in memory; the official `dev` has 7,405."""


class QuestionLibrary(Struct, frozen=True):
    """Questions by split, and the pages that they are answered from."""

    questions: QuestionSet
    corpus: Corpus


def question_library(data: Path | None, corpus: Path | None) -> QuestionLibrary:
    """The questions and pages of a run.

    Args:
        data: a file or a folder of questions; None: the shipped ones.
        corpus: a file of pages; None: those that come with the questions.
    """
    if data is None:
        if corpus is not None:
            raise UsageError(f"corpus: expected `data` with it, since the shipped questions have pages, got {corpus}")
        questions = shipped_questions()
        return QuestionLibrary({**with_paper_splits(questions), "reflexion": questions["dev"]}, shipped_corpus())
    found = question_files(data)
    if corpus is not None:
        own = {split: _distinct(list(read_questions(file)), file) for split, file in found.items()}
        return QuestionLibrary(with_paper_splits(_disjoint(own, data)), open_corpus(corpus))
    pages: list[CorpusPage] = []
    own = {split: _distinct(list(_collect(file, pages)), file) for split, file in found.items()}
    return QuestionLibrary(with_paper_splits(_disjoint(own, data)), corpus_of(pages, date=DATE, source=str(data)))


def question_files(data: Path) -> dict[str, Path]:
    """By split, the file of its questions, `dev` first: `train` where the name has that word, else `dev`.

    In a folder files with `test` in their name are passed over, as their questions have no answers.

    Raises:
        UsageError: there are none, or several of one split.
    """
    files = [data]
    if data.is_dir():
        files = [file for file in sorted(data.iterdir()) if file.name.endswith(_SUFFIXES) and "test" not in file.name]
    found: dict[str, Path] = {}
    for file in files:
        split = "train" if "train" in file.name else "dev"
        if (other := found.setdefault(split, file)) is not file:
            raise UsageError(f"data: expected one file of {split} questions, got {other.name} and {file.name} ({data})")
    if not found:
        raise UsageError(f"data: expected a file such as hotpot_dev_distractor_v1.json, got none ({data})")
    return dict(sorted(found.items()))


def _collect(file: Path, pages: list[CorpusPage]) -> Iterator[QuestionRecord]:
    """The questions of a file; their pages are added to a list."""
    for number, (question, own) in enumerate(read_with_pages(file)):
        if number >= _MOST:
            raise UsageError(
                f"corpus: expected a file for more than {_MOST:,} questions, got none; "
                f"`quintet data build hotpotqa` makes one ({file})"
            )
        pages += own
        yield question


def _distinct(questions: list[QuestionRecord], file: Path) -> tuple[QuestionRecord, ...]:
    if not questions:
        raise UsageError(f"data: expected questions, got none ({file})")
    places: dict[str, int] = {}
    for number, question in enumerate(questions, start=1):
        if (first := places.setdefault(question.name, number)) != number:
            raise UsageError(f"data: expected one question {question.name}, got numbers {first} and {number} ({file})")
    return tuple(questions)


def _disjoint(own: QuestionSet, data: Path) -> QuestionSet:
    """The splits, once it is clear that no question is in two of them: a task has its question's id."""
    splits: dict[str, str] = {}
    for split, questions in own.items():
        for question in questions:
            if (first := splits.setdefault(question.name, split)) != split:
                raise UsageError(
                    f"data: expected question {question.name} in one split, got {first} and {split} ({data})"
                )
    return own


_REACT_SEED = 233
_REACT = 500
_AUTOPLAN = 200
_AUTOPLAN_TRAIN = 50
_LATS = 100
_ID_BYTES = 4


def with_paper_splits(own: QuestionSet) -> QuestionSet:
    """A data set's own splits, `dev` and `train`, and after them those of papers.

    `react`: the first 500 of `dev` in the order that its code shuffles them into. `lats`: the first 100 of `train`.
    `autoplan`: the first 200 of `dev`; `autoplan-train`: the first 50 hard ones of `train`. The paper samples both
    from the first 300 whose pages could be found, and does not say how. `reflexion`: the 100 of its released file,
    where `dev` has them all. Each is shorter where there are fewer questions; an empty one is left out.
    """
    dev, train = own.get("dev", ()), own.get("train", ())
    papers = {
        "react": react_order(dev)[:_REACT],
        "autoplan": dev[:_AUTOPLAN],
        "autoplan-train": tuple(question for question in train if question.level == "hard")[:_AUTOPLAN_TRAIN],
        "reflexion": _of_reflexion(dev),
        "lats": train[:_LATS],
    }
    return {**own, **{split: found for split, found in papers.items() if found}}


def react_order(questions: Sequence[QuestionRecord]) -> tuple[QuestionRecord, ...]:
    """The questions as ReAct's code shuffles them."""
    order = list(range(len(questions)))
    Random(_REACT_SEED).shuffle(order)
    return tuple(questions[number] for number in order)


def _of_reflexion(questions: Sequence[QuestionRecord]) -> tuple[QuestionRecord, ...]:
    listed = (files("quintet.environments.hotpotqa.sources") / "reflexion.txt").read_text(encoding="utf-8").split()
    found = {id_digest(question.name): question for question in questions}
    return tuple(found[digest] for digest in listed) if found.keys() >= set(listed) else ()


def id_digest(name: str) -> str:
    """By which `reflexion.txt` names a question."""
    return blake2b(name.encode(), digest_size=_ID_BYTES).hexdigest()
