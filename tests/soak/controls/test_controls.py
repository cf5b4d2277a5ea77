"""Every control is found, and the real runtime is never accused."""

from collections.abc import Callable
from functools import cache

import pytest

from tests.soak.controls import CONTROLS
from tests.soak.controls.control import Control, replaced
from tests.soak.controls.hunt import SCENARIOS, Hunt, hunt, results
from tests.soak.scenario import Verdict
from tests.soak.schedules.draw import draw
from tests.soak.schedules.promises import check

SOAK = 0
SCENES = {
    "a request sent twice": "alternatives",
    "a branch's end out of order": "lats by ends",
    "a version sealed early": "memory",
    "a stale memory": "memory",
}
"""Where a control shows itself in this soak, if that is not in a contest. A whole soak, of all scenes, takes longer."""


@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control.name)
def test_a_broken_runtime_is_found_and_the_real_one_passes_the_same_scenario(control: Control) -> None:
    scene = SCENES.get(control.name, "contest")
    (found,) = hunt(control, [SOAK], lambda seed: check(seed) if draw(seed).scene == scene else quiet(seed))
    assert found.after is not None
    assert accused(SOAK * SCENARIOS + found.after - 1) == ()


@cache
def accused(seed: int) -> tuple[str, ...]:
    """What a scenario says of the real runtime."""
    return check(seed).broken


class Real:
    def answer(self) -> int:
        return 1


def one_more(original: Callable[[Real], int]) -> Callable[[Real], int]:
    return lambda real: original(real) + 1


def test_a_control_breaks_nothing_after_its_block() -> None:
    with replaced(Real, "answer", one_more) as touched:
        assert Real().answer() == 2
    assert (Real().answer(), touched.times) == (1, 1)


def test_a_control_of_code_that_is_gone_fails() -> None:
    with pytest.raises(KeyError, match="reply"), replaced(Real, "reply", one_more):
        pass


def quiet(seed: int) -> Verdict:
    return Verdict(kind="quiet", seed=seed, drawn={})


def test_a_control_whose_code_is_never_called_fails() -> None:
    control = Control("idle", "", lambda: replaced(Real, "answer", one_more))
    with pytest.raises(AssertionError, match="idle: expected the broken code to be called"):
        hunt(control, [SOAK], quiet)


def test_a_control_that_a_soak_misses_is_a_hole() -> None:
    control, *_ = CONTROLS
    hunts = [Hunt(control=control.name, soak=soak, after=after) for soak, after in enumerate([3, None, 5])]
    (result,) = results([control], hunts)
    assert (result.found, result.soaks, result.median) == (2, 3, 4)
