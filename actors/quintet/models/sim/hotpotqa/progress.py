"""How far the work on a question has come: the pages that are read, and the answer that is found."""

from collections.abc import Iterator

from quintet.models.sim.hotpotqa.view import ReaderView


def parts_of(view: ReaderView) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The parts of the goal, each with its words, and whether it is done."""
    if view.task.aim == "page":
        yield ("find the page of", view.task.name), view.is_open(view.task.name)
        return
    for name in dict.fromkeys((*(view.question.pair or ()), *view.question.names)):
        yield ("find the page of", name), view.is_open(name)
    best = next(iter(view.answers()), None)
    yield ("find out:", view.question.text), best is not None and best.complete


def believes_answered(view: ReaderView) -> bool:
    """Whether the goal is thought to be reached. An answer that was given is judged by what was read."""
    if view.task.aim == "fact":
        return view.believes_found()
    if view.task.aim == "page":
        return view.is_open(view.task.name)
    given = view.known.answer
    if given is None:
        return False
    return view.supports(given) != view.mind.misreading.wrong(view.task.wording, "reached")


def share_found(view: ReaderView) -> float:
    """The share of the parts that are done, each a question that may be misread; the answer is still to be given."""
    parts = list(parts_of(view))
    wrong = view.mind.misreading.wrong
    done = sum(is_done != wrong(view.task.wording, "is done", *part) for part, is_done in parts)
    return done / (len(parts) + 1)
