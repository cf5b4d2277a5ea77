from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.launch.prepare import prepare
from quintet.messages.environment import Task
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.plugins.catalogue import world
from quintet.runtime.spec import RunSpec


def spec_of(name: str, place: str, **values: Any) -> RunSpec:
    tables = {"method": {"name": name, **values}, "environment": {"name": place}, "run": {"tasks": 1}}
    return prepare([from_table(tables, "test")]).spec


def own(spec: RunSpec) -> Mapping[str, str]:
    """The innermost method's prompts."""
    return spec.methods[-1].prompts


def demonstrations_of(spec: RunSpec, task: str) -> list[str]:
    shown = spec.methods[-1].demonstrations(spec.world, Task(name=task, seed=0))
    return [demonstrations.text for demonstrations in shown]


def texts_of(spec: RunSpec) -> Mapping[str, str]:
    """The outermost method's prompts, as its actors have them."""
    outermost = spec.methods[0]
    return outermost.prompt_texts(spec.requests[outermost.name], spec.world)


def test_a_world_with_one_set_of_demonstrations_shows_it_for_every_task() -> None:
    spec = spec_of("react", "textcraft")
    assert demonstrations_of(spec, "beehive") == [own(spec)["demonstrations"]]


@pytest.mark.parametrize(("name", "shown"), [("react", "demonstrations"), ("adapt", "inner.demonstrations")])
def test_demonstrations_are_chosen_by_task(name: str, shown: str) -> None:
    tasks = world("alfworld")
    for task in tasks.tasks("valid_unseen")[::30]:
        kind = tasks.metadata(task)["task type"].replace(" ", "-")
        spec = spec_of(name, "alfworld", **{shown: "task"})
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
    spec = spec_of("react", "textcraft")
    method = replace(spec.methods[0], method=React(ReactConfig(demonstrations="atomic")))
    with pytest.raises(
        UsageError, match="prompts of react for textcraft: expected one of demonstrations, execute, got 'skills'"
    ):
        method.demonstrations(spec.world, Task(name="beehive", seed=0))


@pytest.mark.parametrize(("kind", "skills"), [("hybrid", "decompose.skills"), ("paper", "decompose.paper-skills")])
def test_the_planners_prompt_lists_the_skills_of_the_executors_demonstrations(kind: str, skills: str) -> None:
    spec = spec_of("adapt", "alfworld", **{"inner.demonstrations": kind})
    planner = spec.methods[0]
    assert texts_of(spec)["decompose"] == "\n\n".join(planner.prompts[name] for name in ("decompose", skills))
    assert "execute" not in planner.prompts


def test_in_a_world_with_one_set_of_demonstrations_the_planner_has_one_prompt() -> None:
    spec = spec_of("adapt", "textcraft")
    assert texts_of(spec)["decompose"] == spec.methods[0].prompts["decompose"]


def test_every_method_has_actors_prompts_and_models_of_its_own() -> None:
    spec = spec_of("adapt", "textcraft", inner={"name": "plan_execute", "model": {"planner": {"temperature": 0.5}}})
    assert [each.name for each in spec.methods] == ["adapt", "plan_execute", "react"]
    assert [*spec.models] == ["planner", "plan_execute/planner", "react/executor"]
    assert [each.sampling["planner"].temperature for each in spec.methods[:2]] == [0.0, 0.5]
    again = spec_of("adapt", "textcraft", inner={"name": "adapt", "max_depth": 2, "prompts": None})
    assert [each.name for each in again.methods] == ["adapt", "adapt-2", "react"]
