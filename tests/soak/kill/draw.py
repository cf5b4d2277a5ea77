"""Draws a scenario from its seed: a short run, and the commits at which its processes are killed."""

from random import Random

from msgspec.structs import replace

from tests.soak.process.configurations import Configuration, configuration
from tests.soak.process.draw import MOMENTS, Death, Life, Scenario, draw_budget

_NUMBER = 168
"""So few configurations are drawn from that a nursery plays each undisturbed once, whatever the soak's size."""
_MOST_TASKS = 2


def draw(seed: int) -> Scenario:
    """The scenario of a seed."""
    chance = Random(f"kill {seed}")
    number = chance.choice((1, 1, 1, 2))
    return Scenario(
        seed=seed,
        configuration=_short(configuration(chance.randrange(_NUMBER))),
        concurrency=chance.randint(1, 4),
        budget=draw_budget(chance),
        budget_usd=chance.random() < 0.4,
        lives=tuple(Life(death=_death(chance)) for _ in range(number)),
    )


def _short(drawn: Configuration) -> Configuration:
    return replace(drawn, tasks=min(drawn.tasks, _MOST_TASKS))


def _death(chance: Random) -> Death:
    return Death(blow="SIGKILL", moment=chance.choice(MOMENTS), share=chance.random())
