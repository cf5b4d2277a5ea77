"""What skill discovery notes, the last program of each success, and which of it helps."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from quintet.messages.learning import EpisodeRan, Learn, RunEpisode
from quintet.messages.solving import DecisionProcess
from quintet.methods.skill_discovery.learning import SkillLearner, SkillOptions
from tests.actors.methods.notebook_roles import NotebookRoles
from tests.actors.methods.training_world import lived_through

LEARN = Learn(training=("salt", "fail", "tea", "react"), held_out=(), test=("test",))


@dataclass(kw_only=True)
class Around(NotebookRoles):
    """Episodes that succeed unless their task is to fail, each by a program of its own, but for one without any."""

    spec = SkillLearner

    def ended(self, request: RunEpisode) -> EpisodeRan:
        task = request.task
        programs = ("", "") if task == "react" else ("first try", f"solution of {task}")
        processes = tuple(
            DecisionProcess(goal=f"take {task}", setting="", session="1", reward=1.0, program=program)
            for program in programs
        )
        lived = replace(lived_through(request), task_type="kitchen", processes=processes)
        return EpisodeRan(faulted=False, reward=float(task != "fail"), experience=lived)


@dataclass(kw_only=True)
class Recalling(Around):
    """Every task recalls all notes of its version.

    Args:
        needy: tasks that succeed only if they recall something; all others succeed without.
        confused: tasks that succeed only if they recall nothing.
        programs: by task, its program, where it is not its own.
    """

    needy: Set[str] = frozenset()
    confused: Set[str] = frozenset()
    programs: Mapping[str, str] = field(default_factory=dict[str, str])

    def ended(self, request: RunEpisode) -> EpisodeRan:
        task, recalled = request.task, tuple(each.id for each in self.notes(request.version))
        process = DecisionProcess(
            goal=f"take {task}", setting="", session="1", reward=1.0, program=self.programs.get(task, task)
        )
        lived = replace(lived_through(request), processes=(process,), recalled=recalled)
        succeeded = task not in self.confused if recalled else task not in self.needy
        return EpisodeRan(faulted=False, reward=float(succeeded), experience=lived)

    def learnt(self, *tasks: str, stream: bool = False, **options: Any) -> list[tuple[str, int, int, int]]:
        """What is left in the end: of each skill its program, and how often it was tried, helped and harmed."""
        version = self.learn(replace(LEARN, training=tasks), stream=stream, **options)
        return [(each.note.text, each.recalled, each.helpful, each.harmful) for each in self.notes(version)]

    @property
    def repeated(self) -> list[str]:
        """The tasks that were played with version 0 to be compared, beside those that a version is learnt from."""
        return [each.request.task for each in self.ran if each.request.for_training and not each.request.version]


def test_a_skill_with_which_more_tasks_are_solved_than_without_is_kept() -> None:
    roles = Recalling(needy={"tea", "soup"}, confused={"rice"})
    skills = roles.learnt("salt", "tea", "rice", "soup", tries=3)
    assert skills[0] == ("salt", 3, 2, 1)
    assert roles.repeated == ["salt", "tea", "rice", "soup"]


@pytest.mark.parametrize(("task", "harmed"), [("tea", 0), ("rice", 2)])
def test_a_skill_that_does_not_help_is_dropped_once_enough_tasks_tried_it(task: str, harmed: int) -> None:
    tasks = ("salt", f"{task} 1", f"{task} 2")
    roles = Recalling(confused={"rice 1", "rice 2"})
    roles.learnt(*tasks, tries=2)
    (first, *_) = (each for version in (2, 3) for each in roles.notes(version) if each.note.text == "salt")
    assert (first.recalled, first.harmful) == (1, harmed // 2)
    assert "salt" not in {each.note.text for each in roles.notes(3)}


def test_without_tries_no_task_is_repeated_and_no_skill_dropped() -> None:
    roles = Recalling(confused={"rice", "tea"})
    assert roles.learnt("salt", "rice", "tea", tries=0) == [("salt", 0, 0, 0)]
    assert roles.repeated == ["salt"]
    roles = Recalling(confused={"rice", "tea"})
    assert roles.learnt("salt", "rice", "tea", tries=1, stream=True) == [("salt", 0, 0, 0)]


def test_a_skill_is_not_tried_by_its_own_task() -> None:
    assert Recalling().learnt("salt", rounds=2, tries=1) == [("salt", 0, 0, 0)]


def test_a_program_is_stored_once() -> None:
    roles = Recalling(programs={"tea": "same", "soup": "same", "salt": "same"})
    assert [text for text, *_ in roles.learnt("tea", "soup", "salt", tries=0, window=2)] == ["same"]


def test_given_trajectories_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^learning.source: expected 'played', .* no program, got 'given'$"):
        SkillLearner(SkillOptions(source="given")).versions(0, 3)


def test_it_says_how_many_episodes_and_calls_that_takes() -> None:
    trying = SkillLearner(SkillOptions(eval_every=0, rounds=2))
    assert (trying.episodes(4, 0, 1), trying.most_calls(4)) == (4 * 3 + 1, 24)
    untried = SkillLearner(SkillOptions(eval_every=0, rounds=2, tries=0))
    assert (untried.episodes(4, 0, 1), untried.most_calls(4)) == (4 * 2 + 1, 16)


def test_the_last_program_of_a_success_is_a_note_that_its_goal_finds() -> None:
    roles = Around()
    assert roles.learn(LEARN) == 4
    assert [(version, note.text, note.about) for version, note in roles.noted] == [
        (1, "solution of salt", "take salt"),
        (3, "solution of tea", "take tea"),
    ]
    (first, *_) = (note for _, note in roles.noted)
    assert (first.title, first.section) == ("A program that solved: take salt", "skills")
    assert (first.task_type, first.episode) == ("kitchen", "salt")
    assert len(roles.notes(4)) == 2


def test_a_window_of_tasks_makes_one_version() -> None:
    roles = Around()
    assert roles.learn(LEARN, window=4) == 1
    assert [version for version, _ in roles.noted] == [1, 1]
