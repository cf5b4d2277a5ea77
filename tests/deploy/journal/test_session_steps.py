from collections.abc import Iterable, Sequence

from quintet.events import AnyEvent, CutShort, Exchanged, Offer, Record, SessionForked, StepTaken
from quintet.journal.session_steps import answer_steps, steps_by_session
from quintet.messages.paths import Path

EPISODE = Path("beehive/0/0")


def records(events: Sequence[AnyEvent]) -> list[Record]:
    return [Record(event=event, incarnation=1, host="here", at=0, seconds=0) for event in events]


def step(session: str, action: str) -> StepTaken:
    return StepTaken(path=EPISODE, session=session, action=action, observation="", reward=0, done=False, rejected=False)


def fork(copy: str, origin: str) -> SessionForked:
    return SessionForked(path=EPISODE, session=copy, origin=origin)


def answer(path: str, session: str | None) -> Exchanged:
    return Exchanged(path=Path(path), request="solve", subject="", session=session, reply="{}")


EVENTS: list[AnyEvent] = [
    step("a", "a1"),
    fork("b", "a"),
    step("a", "a2"),
    step("b", "b2"),
    fork("c", "b"),
    fork("d", "unknown"),
    step("c", "c3"),
]


def actions(steps: Iterable[StepTaken]) -> list[str]:
    return [each.action for each in steps]


def test_a_copy_has_the_steps_that_its_origin_had_when_it_was_copied() -> None:
    found = {session: actions(steps) for session, steps in steps_by_session(records(EVENTS)).items()}
    assert found == {"a": ["a1", "a2"], "b": ["a1", "b2"], "c": ["a1", "b2", "c3"], "d": []}


def test_the_answers_session_counts_and_not_one_that_a_subtask_named() -> None:
    asked = [*EVENTS, answer(f"{EPISODE}/1", "c"), answer(EPISODE, "b")]
    assert actions(answer_steps(records(asked))) == ["a1", "b2"]


def test_without_an_answer_it_is_the_offered_session_and_else_the_one_acted_in_last() -> None:
    offer = Offer(state="unsolved", session="a", reward=0, done=False)
    assert actions(answer_steps(records([*EVENTS, CutShort(path=EPISODE, reason="time limit", offer=offer)]))) == [
        "a1",
        "a2",
    ]
    assert actions(answer_steps(records([*EVENTS, CutShort(path=EPISODE, reason="time limit")]))) == ["a1", "b2", "c3"]
    assert actions(answer_steps(records([*EVENTS, answer(EPISODE, None)]))) == ["a1", "b2", "c3"]
    assert answer_steps([]) == []
