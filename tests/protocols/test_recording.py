"""What a replay is compared with, and how a difference is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.errors import ReplayMismatch
from quintet.events import Decided, Exchanged, Record, StepTaken
from quintet.events.recording import Recording, first_difference
from quintet.messages.paths import Path

HERE = Path("task/0/0/1")


def step(observation: str, reward: float = 0.0) -> StepTaken:
    return StepTaken(
        path=HERE, session="s", action="look", observation=observation, reward=reward, done=False, rejected=False
    )


def recorded(observation: str) -> Recording:
    return Recording(HERE, [Record(event=step(observation), incarnation=1)])


def test_an_equal_step_is_recorded_and_one_of_nowhere_is_not() -> None:
    assert recorded("a\nb").has(step("a\nb"))
    assert not Recording(HERE).has(step("a\nb"))


def test_another_observation_is_a_replay_mismatch_at_its_first_differing_line() -> None:
    expected = "task/0/0/1: step_taken: observation: line 2: expected 'b', got 'c'"
    with pytest.raises(ReplayMismatch, match=expected):
        recorded("a\nb\nx").has(step("a\nc\ny"))


def test_another_reward_is_a_replay_mismatch_too() -> None:
    with pytest.raises(ReplayMismatch, match=r"reward: line 1: expected '0\.0', got '1\.0'"):
        recorded("a").has(step("a", reward=1.0))


def test_another_kind_of_event_is_a_replay_mismatch() -> None:
    with pytest.raises(ReplayMismatch, match="expected step_taken, got decided"):
        recorded("a").has(Decided(path=HERE, question="which", answer="1"))


GRADE = Exchanged(path=Path(f"{HERE}/1"), request="grade", subject="", reply="{}")


def test_a_step_may_have_a_judge_s_verdict_below_it_and_nothing_else() -> None:
    assert not Recording(HERE, [Record(event=GRADE, incarnation=1)]).has(step("a"))
    other = replace(GRADE, request="recall")
    with pytest.raises(ReplayMismatch, match="expected a request with 1 events below it, got step_taken"):
        Recording(HERE, [Record(event=other, incarnation=1)]).has(step("a"))
    with pytest.raises(ReplayMismatch, match="expected a request with 1 events below it, got decided"):
        Recording(HERE, [Record(event=GRADE, incarnation=1)]).has(Decided(path=HERE, question="which", answer="1"))


def test_a_missing_line_is_called_nothing() -> None:
    assert first_difference("a\nb", "a") == "line 2: expected 'b', got nothing"


@given(st.text(), st.text())
def test_a_difference_is_found_exactly_where_lines_differ(expected: str, got: str) -> None:
    found = first_difference(expected, got)
    assert found.startswith("line ")
    assert (found == "line ends differ") == (expected.splitlines() == got.splitlines())
