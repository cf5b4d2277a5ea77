"""Copies of the world: what was done is repeated in them, and the expert's way is kept to."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from quintet.environments.adapters.plain import as_world
from quintet.errors import ModelFault
from quintet.messages.environment import Task, Trail
from quintet.models.stand_in.copies import Copies
from quintet.plugins.catalogue import world
from quintet.ports.world import Outcome, World

TASK = Task(name="beehive", seed=0)


def ways(played: World, trails: Sequence[tuple[str, ...]], task: Task = TASK) -> list[tuple[str, ...] | None]:
    copies = Copies()

    async def ask() -> list[tuple[str, ...] | None]:
        return [(await copies.way(played, Trail(task=task, actions=actions), "")).actions for actions in trails]

    return asyncio.run(ask())


def test_a_way_that_is_followed_is_kept_and_ends_with_the_task() -> None:
    textcraft = world("textcraft")
    (whole,) = ways(textcraft, [()])
    assert whole
    trails = [whole[:number] for number in range(len(whole) + 1)]
    assert ways(textcraft, trails) == [whole[number:] for number in range(len(whole) + 1)]


def test_the_order_of_questions_does_not_matter() -> None:
    textcraft = world("textcraft")
    (whole,) = ways(textcraft, [()])
    assert whole
    trails = [whole[:number] for number in (3, 1, 2, 3, 0)] + [("get 1 diamond", *whole[:1]), whole[:1]]
    assert ways(textcraft, trails) == [ways(textcraft, [trail])[0] for trail in trails]


def test_a_refused_action_changes_nothing_and_another_one_asks_the_expert_again() -> None:
    textcraft = world("textcraft")
    whole, refused, astray = ways(textcraft, [(), ("fly",), ("get 1 diamond",)])
    assert refused == whole
    assert astray
    assert len(astray) == len(whole or ())


class Broken:
    """A world whose states cannot step."""

    name, version, forks, exact = "broken", "1", "none", True

    def open(self, task: Task) -> Any:
        return self

    def expert(self) -> tuple[str, ...]:
        return ("go",)

    def step(self, action: str) -> Outcome:
        raise RuntimeError("no way")


def test_a_world_that_fails_is_a_fault_of_the_model() -> None:
    with pytest.raises(ModelFault, match="the stand-in's copy of broken failed: RuntimeError: no way"):
        ways(as_world(Broken()), [("go",)])
