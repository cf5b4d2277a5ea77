"""The stand-in keeps to the expert's way in copies of the world and in parts of a goal, and slips by one draw."""

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
from quintet.models.stand_in.question import left_of, part_of
from quintet.models.stand_in.slips import Slips, says, thing_of
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


def test_a_way_that_is_followed_is_kept_and_ends_with_the_task_in_any_order_of_questions() -> None:
    textcraft = world("textcraft")
    (whole,) = ways(textcraft, [()])
    assert whole
    trails = [whole[:number] for number in range(len(whole) + 1)]
    assert ways(textcraft, trails) == [whole[number:] for number in range(len(whole) + 1)]
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


@pytest.mark.real_time
@pytest.mark.parametrize(("blocking", "seconds", "meet"), [("thread", 60.0, True), ("process", 0.05, False)])
async def test_a_world_that_blocks_is_called_at_once_if_its_states_share_nothing(
    blocking: CallsIn, seconds: float, meet: bool
) -> None:
    meeting, copies = Meeting(blocking, seconds), Copies()

    trails = [Trail(task=Task(name="supper", seed=seed)) for seed in range(2)]
    asked = (copies.way(meeting, trail, "") for trail in trails)
    assert [isinstance(found, Way) for found in (await asyncio.gather(*asked, return_exceptions=True))] == [meet] * 2


def test_a_model_around_the_stand_in_that_hides_its_questions_is_told_so() -> None:
    with pytest.raises(ModelFault, match=r"sim-strong \(simulated\): .*a model around it needs `answer` too"):
        asyncio.run(strong().complete(Prompt(user("Go on.")), Sampling()))


WAY = ("get log", "craft planks", "get string", "craft planks", "craft beehive")


@pytest.mark.parametrize(
    ("goal", "part"),
    [
        ("craft it", 0),
        ("get log", 1),
        ("get log, then craft planks", 2),
        ("get string", 3),
        ("get string, then craft planks", 4),
        ("craft beehive", 5),
    ],
)
def test_a_goal_that_names_actions_ends_with_the_first_of_them_in_a_row(goal: str, part: int) -> None:
    assert part_of(goal, Way(WAY)) == part


def test_a_part_is_reached_once_the_way_is_as_short_as_it_leaves_it() -> None:
    begun = Way(WAY)
    assert left_of("get log, then craft planks", begun, begun) == WAY[:2]
    assert left_of("get log, then craft planks", begun, Way(WAY[1:])) == WAY[1:2]
    assert left_of("get log, then craft planks", begun, Way(WAY[2:])) == ()
    astray = ("go back", *WAY[1:])
    assert left_of("get log, then craft planks", begun, Way(astray)) == astray[:2], "the way back belongs to it"


def test_any_other_goal_is_the_tasks_own() -> None:
    assert left_of("do as you like", Way(WAY), Way(WAY[3:])) == WAY[3:]
    assert left_of("do as you like", Way(WAY), Way(None)) is None


BEEHIVE = Task(name="beehive", seed=7)
THINGS = [f"get {number} log" for number in range(400)]


def wrong(slips: Slips, goal: str = "craft beehive") -> set[str]:
    return {thing for thing in THINGS if slips.go_wrong(thing, goal)}


def test_a_thing_goes_wrong_at_the_rate_and_at_every_higher_one() -> None:
    few, many = (wrong(Slips(rate, "goal", BEEHIVE, None)) for rate in (0.1, 0.3))
    assert few < many
    assert 20 <= len(few) <= 60
    assert not wrong(Slips(0.0, "goal", BEEHIVE, None))
    assert len(wrong(Slips(1.0, "goal", BEEHIVE, None))) == len(THINGS)


def test_other_words_of_a_goal_are_a_new_draw_or_none() -> None:
    for draw, same in (("goal", False), ("thing", True)):
        slips = Slips(0.2, draw, BEEHIVE, None)  # type: ignore[arg-type]
        assert (wrong(slips) == wrong(slips, "fetch what a beehive needs")) is same


@pytest.mark.parametrize(
    "other", [Slips(0.2, "thing", BEEHIVE, 3), Slips(0.2, "thing", Task(name="rail", seed=7), None)]
)
def test_another_seed_or_task_is_a_new_draw(other: Slips) -> None:
    assert wrong(other) != wrong(Slips(0.2, "thing", BEEHIVE, None))
    assert wrong(other) == wrong(other)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Next time I do this: get 2 oak logs; craft a beehive.", True),
        ("Get 2 Oak\nlogs first.", True),
        ("get 12 oak logs", False),
        ("get 2 oak logstack", False),
        ("", False),
    ],
)
def test_a_text_names_an_action_by_its_words_in_a_row(text: str, named: bool) -> None:
    assert says(text, "get 2 oak logs") is named


def test_no_text_names_an_action_without_words() -> None:
    assert not says("anything", "...")


@pytest.mark.parametrize(
    ("action", "thing"),
    [("get 2 Oak logs", "get oak logs"), ("go to desk 1", "go to desk"), ("click [12]", "click 12"), ("look", "look")],
)
def test_a_thing_has_no_numbers_unless_they_are_all_that_it_has(action: str, thing: str) -> None:
    assert thing_of(action) == thing
