from collections.abc import Mapping
from typing import Any

import pytest

from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.methods.base.prompts import Prompts
from quintet.plugins.catalogue import method, world
from quintet.ports.model import Sampling
from quintet.runtime.method_spec import MethodSpec
from quintet.runtime.spec import RunSpec


def spec_of(name: str, place: str, prompts: Mapping[str, str] | None = None, **values: Any) -> RunSpec:
    chosen = method(name)
    found = Prompts(chosen.prompt_folders, place)
    return RunSpec(
        methods=(
            MethodSpec(
                name=chosen.name,
                method=chosen(chosen.options.model_validate({**chosen.worlds.get(place, {}), **values})),
                models={},
                sampling=dict.fromkeys(("executor", "planner"), Sampling()),
                prompts={name: found.text(name) for name in found.names} if prompts is None else prompts,
            ),
        ),
        world=world(place),
        seed=0,
    )


def own(spec: RunSpec) -> Mapping[str, str]:
    """The innermost method's prompts."""
    return spec.methods[-1].prompts


def demonstrations_of(spec: RunSpec, task: str) -> list[str]:
    shown = spec.methods[-1].demonstrations(spec.world, Task(name=task, seed=0))
    return [demonstrations.text for demonstrations in shown]


def texts_of(spec: RunSpec) -> Mapping[str, str]:
    """The outermost method's prompts, as its actors have them."""
    return spec.methods[0].prompt_texts(spec.requests(spec.methods[0]), spec.world)


def test_a_world_with_one_set_of_demonstrations_shows_it_for_every_task() -> None:
    spec = spec_of("react", "textcraft")
    assert demonstrations_of(spec, "beehive") == [own(spec)["demonstrations"]]


@pytest.mark.parametrize("name", ["react", "adapt"])
def test_demonstrations_are_chosen_by_task(name: str) -> None:
    tasks = world("alfworld")
    for task in tasks.tasks("valid_unseen")[::30]:
        kind = tasks.metadata(task)["task type"].replace(" ", "-")
        spec = spec_of(name, "alfworld", demonstrations="task")
        assert demonstrations_of(spec, task) == [
            own(spec)[f"{kind}-1"],
            own(spec)[f"{kind}-2"],
        ]
        spec = spec_of(name, "alfworld")
        assert demonstrations_of(spec, task) == [own(spec)[each] for each in ("skills", "heat-1", "look-1")]


def test_a_method_without_an_executor_shows_no_demonstrations() -> None:
    spec = spec_of("random", "alfworld")
    assert demonstrations_of(spec, spec.world.tasks("valid_unseen")[0]) == []


def test_demonstrations_that_the_world_lacks_are_refused_by_name() -> None:
    with pytest.raises(UsageError, match="prompt: expected one of demonstrations, execute for textcraft, got 'skills'"):
        demonstrations_of(spec_of("react", "textcraft", demonstrations="atomic"), "beehive")


@pytest.mark.parametrize(("kind", "skills"), [("hybrid", "decompose.skills"), ("paper", "decompose.paper-skills")])
def test_the_planners_prompt_lists_the_skills_of_the_executors_demonstrations(kind: str, skills: str) -> None:
    spec = spec_of("adapt", "alfworld", demonstrations=kind)
    expected = [own(spec)[name] for name in ("decompose", skills)]
    assert texts_of(spec)["decompose"] == "\n\n".join(expected)
    assert texts_of(spec)["execute"] == own(spec)["execute"]


def test_in_a_world_with_one_set_of_demonstrations_the_planner_has_one_prompt() -> None:
    spec = spec_of("adapt", "textcraft")
    assert texts_of(spec)["decompose"] == own(spec)["decompose"]
