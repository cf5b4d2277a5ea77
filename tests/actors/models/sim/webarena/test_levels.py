"""The player on a small site: what it solves in one go, what takes going back, and that all of it comes from pages."""

from collections.abc import Callable

import pytest

from quintet.models.sim.model import Simulated, fallible, strong, weak
from quintet.ports.model import Sampling
from tests.actors.models.sim.webarena.paper_site import GOING_BACK, ONE_PAGE, TASKS
from tests.actors.models.sim.webarena.playing import advocate, react


@pytest.mark.parametrize("task", ONE_PAGE)
def test_tasks_of_one_page_are_solved(task: str) -> None:
    actions, reward = react(strong(), task)
    assert reward == 1.0, actions
    assert len(actions) <= 4


@pytest.mark.parametrize("task", GOING_BACK)
def test_tasks_that_need_going_back_are_not(task: str) -> None:
    actions, reward = react(strong(), task)
    assert reward == 0.0, actions
    assert actions[-1].startswith("stop")


@pytest.mark.parametrize("task", [pytest.param(task, marks=[pytest.mark.slow] * (task != "phone")) for task in TASKS])
def test_devils_advocate_goes_back_to_a_remedy(task: str) -> None:
    assert advocate(strong(), task, remedies=2, trials=1).reward == 1.0


@pytest.mark.parametrize("task", GOING_BACK)
def test_without_remedies_devils_advocate_gains_nothing(task: str) -> None:
    assert advocate(strong(), task, remedies=0, trials=1).reward == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("task", ONE_PAGE)
def test_tasks_of_one_page_need_no_remedy(task: str) -> None:
    assert advocate(strong(), task, remedies=0, trials=1).reward == 1.0


@pytest.mark.parametrize("level", [weak, strong, fallible])
def test_with_pages_blanked_nothing_is_solved(level: Callable[[], Simulated]) -> None:
    for task in TASKS:
        with pytest.raises(AssertionError, match="I do not understand"):
            react(level(), task, seen=lambda _: "")
    assert advocate(level(), "read", blank=True, trials=1).reward == 0.0


@pytest.mark.slow
def test_what_is_misread_costs_something_at_some_rate() -> None:
    played = {rate: tuple(react(fallible(rate), task)[1] for task in ONE_PAGE) for rate in (0.0, 0.5, 1.0)}
    assert played[0.0] == (1.0,) * len(ONE_PAGE)
    assert sum(played[1.0]) < sum(played[0.0])


def test_a_seed_varies_moves_above_temperature_0_only() -> None:
    def played(temperature: float, seed: int) -> tuple[str, ...]:
        return tuple(react(strong(), "phone", sampling=Sampling(temperature=temperature, seed=seed))[0])

    assert len({played(0.0, seed) for seed in range(4)}) == 1
    assert played(1.0, 3) == played(1.0, 3)
