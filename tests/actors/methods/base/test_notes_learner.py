"""Learners of notes: windows of tasks, one version after each; and verdicts in place of rewards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from quintet.messages.learning import EpisodeRan, Experience, Learn, RunEpisode, Version
from quintet.messages.memory import NotesChanged, RememberNotes
from quintet.messages.message import Request, Unanswered
from quintet.messages.notes import AddNote, Note, NoteChange
from quintet.messages.reflection import AttemptJudged, JudgeAttempt
from quintet.messages.solving import DecisionProcess
from quintet.messages.store import Seal, Sealed
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.notes_learner import NotesLearner, NotesOptions
from tests.actors.methods.training_world import TrainingRoles, lived_through

LEARN = Learn(training=("one", "two", "three"), held_out=(), test=("test",))


class Diary(NotesLearner[NotesOptions]):
    """Notes how every episode went."""

    async def note(
        self, run: LearnerContext, version: Version, ran: EpisodeRan, told: Experience
    ) -> Sequence[NoteChange]:
        said = f"{told.task} of {version}: {ran.reward:g}, {told.reason or 'no reason'}"
        said += "".join(f", {process.reward:g}" for process in told.processes)
        return () if told.task == "two" else [AddNote(note=Note(text=said))]


class _Store:
    async def receive(self, request: RememberNotes | Seal) -> NotesChanged | Sealed:
        if isinstance(request, Seal):
            return Sealed(added=0, digest="")
        return NotesChanged(ids=tuple(range(len(request.changes))))


class _Judge:
    def __init__(self, verdict: Callable[[JudgeAttempt], bool | None]) -> None:
        self._verdict = verdict

    async def receive(self, request: JudgeAttempt) -> AttemptJudged | Unanswered:
        succeeded = self._verdict(request)
        return Unanswered(reason="hm") if succeeded is None else AttemptJudged(succeeded=succeeded)


@dataclass(kw_only=True)
class Around(TrainingRoles):
    """Episodes that all have half of the reward, a store that keeps nothing, and a judge."""

    spec = Diary
    faults: tuple[str, ...] = ()
    verdict: Callable[[JudgeAttempt], bool | None] = field(default=lambda _request: True)

    def ended(self, request: RunEpisode) -> EpisodeRan:
        process = DecisionProcess(session="s", goal="", setting="", reward=0.5)
        lived = replace(lived_through(request), reason="half of it", processes=(process,))
        return EpisodeRan(faulted=request.task in self.faults, reward=0.5, experience=lived)

    def actor(self, request: Request[Any]) -> Any:
        return _Judge(self.verdict) if isinstance(request, JudgeAttempt) else _Store()

    @property
    def noted(self) -> list[tuple[int, int, str]]:
        """Version, place and text of every note."""
        return [
            (each.version, each.place, change.note.text)
            for each in self.requests(RememberNotes)
            for change in each.changes
            if isinstance(change, AddNote)
        ]


def test_every_window_of_tasks_makes_a_version_and_the_last_one_may_be_shorter() -> None:
    roles = Around()
    assert roles.learn(LEARN, window=2) == 2
    assert [roles.tasks(version, for_training=True) for version in (0, 1)] == [["one", "two"], ["three"]]
    assert [roles.tasks(version, for_training=False) for version in (0, 1, 2)] == [["test"]] * 3
    assert roles.noted == [
        (1, 0, "one of 0: 0.5, half of it, 0.5"),
        (2, 0, "three of 1: 0.5, half of it, 0.5"),
    ]


def test_without_a_window_all_tasks_make_one_version_a_round() -> None:
    roles = Around()
    assert roles.learn(LEARN, window=None, rounds=2) == 2
    assert [roles.tasks(version, for_training=True) for version in (0, 1)] == [["one", "two", "three"]] * 2
    with pytest.raises(ValueError, match=r"learning.window: expected at most 0, the tasks to learn from, got 1"):
        Diary(NotesOptions(window=None)).versions(0)


def test_rounds_play_the_same_tasks_again_with_later_versions() -> None:
    roles = Around()
    assert roles.learn(LEARN, window=3, rounds=2) == 2
    assert [roles.tasks(version, for_training=True) for version in (0, 1)] == [["one", "two", "three"]] * 2


def test_nothing_is_noted_of_an_episode_that_faulted() -> None:
    roles = Around(faults=("one",))
    roles.learn(LEARN, window=3)
    assert [(version, place) for version, place, _ in roles.noted] == [(1, 2)]


def test_a_window_above_the_number_of_tasks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"learning.window: expected at most 3, the tasks to learn from, got 4"):
        Diary(NotesOptions(window=4)).versions(3)


@pytest.mark.parametrize("succeeded", [True, False])
def test_judged_feedback_shows_a_verdict_and_no_reward_to_judge_or_learner(succeeded: bool) -> None:
    roles = Around(verdict=lambda _request: succeeded)
    roles.learn(replace(LEARN, feedback="judged"), window=3)
    assert [text for _, _, text in roles.noted] == [
        f"{task} of 0: {succeeded:d}, no reason, 0" for task in ("one", "three")
    ]
    shown = [request.experience for request in roles.requests(JudgeAttempt)]
    assert [each.task for each in shown] == ["one", "two", "three"]
    assert {(each.reason, *(process.reward for process in each.processes)) for each in shown} == {("", 0.0)}


def test_nothing_is_learnt_from_an_episode_without_a_verdict() -> None:
    roles = Around(verdict=lambda request: None if request.experience.task == "one" else True)
    roles.learn(replace(LEARN, feedback="judged"), window=3)
    assert [text for _, _, text in roles.noted] == ["three of 0: 1, no reason, 0"]
