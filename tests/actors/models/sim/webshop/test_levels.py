"""The levels of skill against the world itself: each is weak in its one way, and none without seeing anything."""

from collections.abc import Callable
from functools import cache

import pytest

from quintet.environments.webshop.world import WebShop
from quintet.messages.environment import Task
from quintet.models.sim.model import Simulated, fallible, newcomer, strong, weak
from quintet.ports.model import Sampling
from tests.actors.environments.webshop.demonstration_shop import customer
from tests.actors.models.sim.webshop.playing import BARE, Game

SOCKS = "i need women's wool hiking socks in plum, size large, and price lower than 20.00 dollars"


@cache
def world() -> WebShop:
    return WebShop()


def games(most: int, seen: Callable[[str], str] = str) -> list[Game]:
    return [Game(world().open(Task(name=task, seed=0)), seen=seen) for task in world().tasks("eval")[:most]]


def score(level: Callable[[], Simulated], most: int, shown: str = "") -> float:
    """The mean reward of the first goals, `most` of them, in percent."""
    played = games(most)
    for game in played:
        game.shown = shown or game.shown
        game.play(level())
    return 100 * sum(game.reward for game in played) / most


@pytest.mark.slow
def test_the_levels_differ_as_they_should() -> None:
    assert score(strong, 60) > score(weak, 60) > score(weak, 60, BARE) > 0
    assert score(strong, 60) == score(newcomer, 60)
    assert score(strong, 60) > score(lambda: fallible(0.3), 60)


@pytest.mark.parametrize("level", [weak, strong, fallible])
@pytest.mark.parametrize("blank", ["", "(nothing)", "Invalid action!"])
def test_blanked_observations_drop_every_level_to_the_floor(level: Callable[[], Simulated], blank: str) -> None:
    game = Game(customer(SOCKS), seen=lambda _: blank)
    actions = game.play(level())
    assert not game.done
    assert actions
    assert not any(action.startswith("click[b0") for action in actions)


@pytest.mark.slow
@pytest.mark.parametrize("level", [weak, strong, fallible])
def test_nothing_is_earned_in_the_shop_without_seeing_anything(level: Callable[[], Simulated]) -> None:
    played = games(40, lambda _: "")
    for game in played:
        game.play(level())
    assert [game.reward for game in played] == [0.0] * 40


def test_weak_forgets_what_it_compared_with() -> None:
    goal = "i need caffeine free peppermint tea in a glass jar, and price lower than 20.00 dollars"
    opened = [{action for action in Game(customer(goal)).play(level()) if "[b0" in action} for level in (strong, weak)]
    assert len(opened[0]) > len(opened[1]) == 1


def test_the_seed_varies_what_is_opened_first_at_a_temperature_above_0() -> None:
    def played(temperature: float, seed: int) -> tuple[str, ...]:
        goal = "i need peppermint tea, and price lower than 20.00 dollars"
        return tuple(Game(customer(goal), sampling=Sampling(temperature=temperature, seed=seed)).play(strong()))

    assert len({played(0.0, seed) for seed in range(6)}) == 1
    assert len({played(1.0, seed) for seed in range(6)}) > 1
    assert played(1.0, 3) == played(1.0, 3)


def test_what_is_misread_costs_something_at_some_rate() -> None:
    bought = {tuple(Game(customer(SOCKS)).play(fallible(rate))) for rate in (0, 0.2, 0.4, 0.6, 0.8, 1)}
    assert len(bought) > 2
