"""Plans for a question: what to find out of the names in it, then the answer."""

from collections.abc import Iterator

from quintet.models.sim.hotpotqa.moves import description_in
from quintet.models.sim.hotpotqa.names import in_words
from quintet.models.sim.hotpotqa.question import ParsedQuestion, read_question
from quintet.models.sim.hotpotqa.view import ReaderView
from quintet.models.sim.hotpotqa.words import FUNCTION_WORDS
from quintet.models.sim.player import Decomposition


def question_plan(view: ReaderView) -> Decomposition:
    """The pages that a goal takes, and what leads on to others; then the goal itself."""
    task = view.task
    if task.aim == "page":
        return _one_of(task.name)
    steps = [step for step in _parts(view) if step != task.wording]
    thought = "Thought: Each of the two has a page, which is read before they are compared."
    if task.question.form == "open":
        thought = (
            "Thought: What the question names is looked at first, since its page may name what the answer is about."
        )
    last = [task.wording] if task.aim == "answer" else []
    return Decomposition(thought, [*view.mind.chance.order(steps), *last] or [task.wording])


def reading_plan(view: ReaderView) -> Iterator[str]:
    """The steps that are left, with what was read."""
    if view.task.aim == "answer" or not view.is_open(view.task.name):
        yield from (step for step in _parts(view) if step != view.task.wording)
        yield view.task.wording


def _parts(view: ReaderView) -> Iterator[str]:
    question = view.question
    described = first_fact(question)
    for name in dict.fromkeys(question.pair or question.names):
        if described is not None and name == question.names[0]:
            yield f"find out: {described}"
        elif not view.is_open(name):
            yield f"find the page of {name}"


def first_fact(question: ParsedQuestion) -> str | None:
    """The question that comes before; None where the question describes nothing by its name.

    It is who the director is, where the question asks for the birthplace of `the director of The Salt Orchard`.
    """
    described = description_in(question)
    if described is None:
        return None
    head = next((token for token in in_words(described).tokens[1:] if token.lower() not in FUNCTION_WORDS), "")
    word = "who" if read_question(f"Which {head}?").asked == "person" else "what"
    fact = f"{word} is {described}?"
    return None if read_question(fact).terms == question.terms else fact


def _one_of(name: str) -> Decomposition:
    """The page of a name, or of the name without what qualifies it in brackets."""
    shorter = name.partition(" (")[0]
    names = list(dict.fromkeys((name, shorter)))
    return Decomposition(
        "Thought: It may have either name.", [f"find the page of {each}" for each in names], any_one=True
    )
