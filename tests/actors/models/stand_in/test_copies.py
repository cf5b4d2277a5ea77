"""Copies of the world: what was done is repeated in them, and the expert's way is kept to."""

import asyncio
from collections.abc import Sequence
from threading import Barrier
from typing import Any

import pytest

from quintet.environments.adapters.plain import as_world
from quintet.errors import ModelFault
from quintet.messages.environment import Task, Trail
from quintet.messages.prompts import Prompt, user
from quintet.models.stand_in.copies import Copies, Way
from quintet.models.stand_in.model import strong
from quintet.plugins.catalogue import world
from quintet.ports.model import Sampling
from quintet.ports.world import CallsIn, Outcome, World
from tests.actors.fakes import Kitchen, KitchenState

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


class Meeting(Kitchen):
    """A world in which two tasks begin together or not at all."""

    def __init__(self, blocking: CallsIn, seconds: float) -> None:
        self.blocking = blocking
        self._barrier = Barrier(2, timeout=seconds)

    def open(self, task: Task) -> KitchenState:
        self._barrier.wait()
        return super().open(task)


@pytest.mark.parametrize(("blocking", "seconds", "meet"), [("thread", 10.0, True), ("process", 0.05, False)])
def test_a_world_that_blocks_is_called_at_once_if_its_states_share_nothing(
    blocking: CallsIn, seconds: float, meet: bool
) -> None:
    meeting, copies = Meeting(blocking, seconds), Copies()

    async def ask() -> Sequence[Way | BaseException]:
        trails = [Trail(task=Task(name="supper", seed=seed)) for seed in range(2)]
        asked = (copies.way(meeting, trail, "") for trail in trails)
        return await asyncio.gather(*asked, return_exceptions=True)

    assert [isinstance(found, Way) for found in asyncio.run(ask())] == [meet] * 2


def test_a_model_around_the_stand_in_that_hides_its_questions_is_told_so() -> None:
    with pytest.raises(ModelFault, match=r"sim-strong \(simulated\): .*a model around it needs `answer` too"):
        asyncio.run(strong().complete(Prompt(user("Go on.")), Sampling()))
