"""A learner's records are split at its versions."""

from quintet.events import AnyEvent, Decided, Published, Record
from quintet.learned.iterations import by_iteration
from quintet.messages.paths import LEARNER, child


def _split(*events: int | str) -> dict[int, tuple[list[str], bool]]:
    """The answers in each iteration; a number publishes a version, a text is another event."""
    made: list[AnyEvent] = []
    for place, event in enumerate(events, 1):
        path = child(LEARNER, place)
        if isinstance(event, int):
            made.append(Published(path=path, version=event, content=""))
        else:
            made.append(Decided(path=path, question="q", answer=event))
    records = [Record(event=event, incarnation=1, seconds=0.0) for event in reversed(made)]
    return {
        number: ([event.answer for event in part.events if isinstance(event, Decided)], part.followed)
        for number, part in by_iteration(records).items()
    }


def test_every_iteration_leads_to_the_version_of_its_number_and_the_last_is_under_way() -> None:
    assert _split("a", 0, "b", "c", 1, 2, "d") == {
        0: (["a"], True),
        1: (["b", "c"], True),
        2: ([], True),
        3: (["d"], False),
    }


def test_a_learner_that_has_not_begun_has_one_empty_iteration() -> None:
    assert _split() == {0: ([], False)}


def test_a_version_that_cannot_be_read_leaves_the_others_with_their_numbers() -> None:
    assert _split(0, "a", "b", 2, "c") == {
        0: ([], True),
        1: (["a", "b"], True),
        2: ([], True),
        3: (["c"], False),
    }
