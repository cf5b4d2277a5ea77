from collections.abc import Iterable, Sequence

import pytest

from quintet.events import AnyEvent, CutShort, Exchanged, Offer, Record, SessionForked, StepTaken
from quintet.journal.session_steps import EarnedRow, answer_steps, figures_of, steps_by_session
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


ROWS = [
    EarnedRow("a", None, 0.5, '{"f1":0.1}', 1),
    EarnedRow("a", None, 0.5, '{"f1":0.2}', 2),
    EarnedRow("b", "a", None, None, 3),
    EarnedRow("a", None, 1.0, None, 4),
    EarnedRow("b", None, 0.5, '{"f1":0.3}', 5),
    EarnedRow("c", "unknown", None, None, 6),
]


@pytest.mark.parametrize(
    ("session", "reward", "figures"),
    [
        ("a", 0.5, {"f1": 0.2}),
        ("a", 1.0, {}),
        ("b", 0.5, {"f1": 0.3}),
        ("b", 1.0, {}),
        ("c", 0.5, {}),
        (None, 0.5, {"f1": 0.3}),
        ("a", 0.7, {}),
    ],
)
def test_the_figures_are_those_of_the_last_step_with_the_reward(
    session: str | None, reward: float, figures: dict[str, float]
) -> None:
    assert figures_of(ROWS, session, reward) == figures


def test_a_copy_has_the_figures_that_its_origin_had_when_it_was_copied() -> None:
    assert figures_of(ROWS[:4], "b", 0.5) == {"f1": 0.2}
