from collections.abc import Mapping
from typing import Any

import pytest

from actors.catalogue import method, world
from actors.prompts import Prompts
from deploy.runtime.assembly import Assembly
from protocols.environment import Task
from protocols.errors import UsageError
from protocols.models import Sampling


def assembled(name: str, place: str, prompts: Mapping[str, str] | None = None, **values: Any) -> Assembly:
    chosen = method(name)
    found = Prompts(chosen.prompt_folders, place)
    return Assembly(
        method=chosen,
        config=chosen.config(**{**chosen.defaults(place), **values}),
        world=world(place),
        models={},
        sampling=dict.fromkeys(chosen.roles, Sampling()),
        prompts={name: found.text(name) for name in found.names} if prompts is None else prompts,
        seed=0,
    )


def shown(assembly: Assembly, task: str) -> list[str]:
    return [demonstrations.text for demonstrations in assembly.shown(Task(name=task, seed=0))]


def test_a_world_of_one_set_shows_it_whatever_the_task() -> None:
    assembly = assembled("react", "textcraft")
    assert shown(assembly, "beehive") == [assembly.prompts["demonstrations"]]


@pytest.mark.parametrize("name", ["react", "adapt"])
def test_the_set_is_chosen_task_by_task(name: str) -> None:
    tasks = world("alfworld")
    for task in tasks.tasks("valid_unseen")[::30]:
        kind = tasks.facts(task)["task type"].replace(" ", "-")
        assembly = assembled(name, "alfworld", demonstrations="task")
        assert shown(assembly, task) == [assembly.prompts[f"{kind}-1"], assembly.prompts[f"{kind}-2"]]
        assembly = assembled(name, "alfworld")
        assert shown(assembly, task) == [assembly.prompts[each] for each in ("skills", "heat-1", "look-1")]


def test_a_method_that_asks_no_executor_shows_nothing() -> None:
    assembly = assembled("random", "alfworld")
    assert shown(assembly, assembly.world.tasks("valid_unseen")[0]) == []


def test_a_set_that_the_world_does_not_have_is_refused_by_name() -> None:
    with pytest.raises(
        UsageError, match="prompt: expected one of demonstrations, executor for textcraft, got 'skills'"
    ):
        shown(assembled("react", "textcraft", demonstrations="atomic"), "beehive")


@pytest.mark.parametrize(("kind", "skills"), [("hybrid", "planner-skills"), ("paper", "planner-paper-skills")])
def test_the_planner_is_told_of_the_skills_that_the_executor_is_shown(kind: str, skills: str) -> None:
    assembly = assembled("adapt", "alfworld", demonstrations=kind)
    told = [assembly.prompts[name] for name in ("planner", skills)]
    assert assembly.instructions("planner") == "\n\n".join(told)
    assert assembly.instructions("executor") == assembly.prompts["executor"]


def test_a_planner_of_a_world_of_one_set_has_one_prompt() -> None:
    assembly = assembled("adapt", "textcraft")
    assert assembly.instructions("planner") == assembly.prompts["planner"]
