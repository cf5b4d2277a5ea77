"""The levels of skill against the world itself: each is weak in its one way, and none without seeing anything."""

from collections.abc import Callable

import pytest

from quintet.models.sim.model import Simulated, fallible, strong, weak
from quintet.ports.model import Sampling
from tests.actors.models.sim.answers import steps_in
from tests.actors.models.sim.textcraft.playing import Game, goals

LEVELS = pytest.mark.parametrize("level", [weak, strong])


def success(
    level: Callable[[], Simulated], depth: int, seen: Callable[[str], str] = str, most: int | None = None
) -> float:
    """The share of the first goals of a depth, `most` of them, that are reached; None: of all."""
    games = [Game(item, seen=seen) for item in goals(depth)[:most]]
    for game in games:
        game.play(level())
    return sum(game.solved for game in games) / len(games)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_strong_reaches_every_goal_and_says_so(depth: int) -> None:
    for item in goals(depth):
        game = Game(item)
        assert game.play(strong(), calls=80)[-1] == "task completed", item
        assert game.solved, item


def test_weak_gets_worse_the_longer_a_task_is() -> None:
    assert success(weak, 2, most=24) > 0.3
    assert success(weak, 3, most=24) < 0.1
    assert success(weak, 4) == 0


@pytest.mark.parametrize("level", [weak, strong, fallible])
def test_blanked_observations_drop_success_to_the_floor(level: Callable[[], Simulated]) -> None:
    assert success(level, 2, seen=lambda _: "", most=20) == 0
    assert success(level, 3, seen=lambda _: "(nothing)", most=20) == 0


@LEVELS
def test_a_single_recipe_is_within_reach_of_every_level(level: Callable[[], Simulated]) -> None:
    game = Game("beehive")
    assert game.play(level(), "fetch 6 oak planks", stated=True) == [
        "get 2 oak logs",
        "craft 4 oak planks using 1 oak logs",
        "craft 4 oak planks using 1 oak logs",
        "task completed",
    ]


@LEVELS
def test_the_last_command_is_within_reach_when_all_is_held(level: Callable[[], Simulated]) -> None:
    game = Game("beehive")
    for action in ("get 2 oak logs", *["craft 4 oak planks using 1 oak logs"] * 2, "get 3 honeycomb"):
        game.state.step(action)
    assert game.play(level(), "craft 1 beehive using 6 oak planks, 3 honeycomb", stated=True) == [
        "craft 1 beehive using 6 oak planks, 3 honeycomb",
        "task completed",
    ]
    assert game.solved


def test_weak_fetches_again_what_it_fetched_more_than_two_steps_ago() -> None:
    actions = Game("hopper minecart").play(weak(), calls=20)
    assert actions.count("get 5 iron ingot") > 4
    assert not any(action.startswith("craft 1 ") for action in actions)
    assert "inventory" not in actions


@LEVELS
def test_all_levels_plan_alike(level: Callable[[], Simulated]) -> None:
    for item in goals(3):
        game = Game(item)
        assert game.plan(level()) == game.plan(strong())
        for step in steps_in(game.plan(strong())):
            assert game.plan(level(), step) == game.plan(strong(), step)


@pytest.mark.parametrize("item", ["beehive", "lodestone", "hopper minecart"])
def test_a_plan_makes_the_goal_when_each_step_is_done(item: str) -> None:
    game = Game(item)
    steps = steps_in(game.plan(strong()))
    assert 2 <= len(steps) <= 5
    for step in steps:
        assert game.play(strong(), step, stated=True)[-1] == "task completed"
    assert game.solved


def test_what_a_category_holds_is_found_out_when_the_world_refuses() -> None:
    # By its name white wool is wool, but the game counts only dyed wool as such.
    game = Game("painting")
    actions = game.play(strong())
    assert "craft 1 painting using 8 stick, 1 white wool" in actions
    assert game.solved


def test_the_seed_varies_the_order_of_fetching_at_a_temperature_above_0() -> None:
    def played(temperature: float, seed: int) -> tuple[str, ...]:
        return tuple(Game("hopper minecart", Sampling(temperature=temperature, seed=seed)).play(strong()))

    assert len({played(0.0, seed) for seed in range(8)}) == 1
    outcomes = {played(1.0, seed) for seed in range(8)}
    assert len(outcomes) > 1
    assert all(actions[-1] == "task completed" for actions in outcomes)
    assert played(1.0, 3) == played(1.0, 3)


def test_the_seed_varies_the_order_of_a_plan_but_not_its_steps() -> None:
    plans = [Game("beehive", Sampling(temperature=1.0, seed=seed)).plan(strong()) for seed in range(12)]
    assert len(set(plans)) == 2
    assert len({tuple(sorted(steps_in(plan))) for plan in plans}) == 1
    assert all(steps_in(plan)[-1].startswith("craft 1 beehive") for plan in plans)
