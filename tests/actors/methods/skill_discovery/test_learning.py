"""What skill discovery notes: the last program of each success, found by its goal."""

from dataclasses import dataclass

from msgspec.structs import replace

from quintet.messages.learning import EpisodeRan, Learn, RunEpisode
from quintet.messages.solving import DecisionProcess
from quintet.methods.skill_discovery.learning import SkillLearner
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
