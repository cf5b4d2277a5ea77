"""The splits of a data set: its own, and the orders in which papers play it."""

from collections.abc import Sequence
from hashlib import blake2b
from importlib.resources import files
from random import Random

from quintet.environments.hotpotqa.questions import QuestionRecord, QuestionSet

_REACT_SEED = 233
_REACT = 500
_AUTOPLAN = 200
_AUTOPLAN_TRAIN = 50
_ID_BYTES = 4


def with_paper_splits(own: QuestionSet) -> QuestionSet:
    """A data set's own splits, `dev` and `train`, and after them those of papers.

    `react`: the first 500 of `dev` in the order that its code shuffles them into, which LATS' code names too.
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
