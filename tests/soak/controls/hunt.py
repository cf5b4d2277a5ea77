"""Looks for a control by the scenarios of a soak: how many it takes until one says that a promise broke."""

import logging
from collections.abc import Callable, Iterable, Sequence
from statistics import median

from msgspec import Struct

from tests.soak.controls import CONTROLS
from tests.soak.controls.control import Control
from tests.soak.report import ControlResult
from tests.soak.scenario import Verdict
from tests.soak.schedules.promises import check as check_schedule
from tests.soak.schedules.promises import forget

SCENARIOS = 200
"""Of a soak."""


class Hunt(Struct, frozen=True, kw_only=True):
    """What one soak made of a control."""

    control: str
    soak: int
    after: int | None
    """Scenarios until it was found, the one that found it among them; None: it was not."""
    broken: str = ""
    """What that scenario said first."""


def hunt(control: Control, soaks: Sequence[int], check: Callable[[int], Verdict] = check_schedule) -> list[Hunt]:
    """Play soaks on a broken runtime, each until a scenario says so.

    An undisturbed run is played on it too, since a broken runtime is broken there.

    Raises:
        AssertionError: the broken code was never called.
    """
    forget()
    try:
        with control.patch() as touched:
            hunts = [_hunt(control, soak, check) for soak in soaks]
    finally:
        forget()
    assert touched.times, f"{control.name}: expected the broken code to be called, got no call of it"
    return hunts


def hunt_by_name(job: tuple[str, Sequence[int]]) -> list[Hunt]:
    """`hunt` of the control of a name, in a process of its own, whose log a broken runtime would fill without end."""
    logging.disable(logging.CRITICAL)
    name, soaks = job
    return hunt(next(control for control in CONTROLS if control.name == name), soaks)


def _hunt(control: Control, soak: int, check: Callable[[int], Verdict]) -> Hunt:
    for number in range(SCENARIOS):
        verdict = check(soak * SCENARIOS + number)
        if verdict.broken:
            return Hunt(control=control.name, soak=soak, after=number + 1, broken=verdict.broken[0])
    return Hunt(control=control.name, soak=soak, after=None)


def results(controls: Iterable[Control], hunts: Sequence[Hunt]) -> list[ControlResult]:
    """The hunts by control, of those that were looked for."""
    by_control = ((control, [each for each in hunts if each.control == control.name]) for control in controls)
    return [_result(control, own) for control, own in by_control if own]


def _result(control: Control, hunts: Sequence[Hunt]) -> ControlResult:
    found = [each.after for each in hunts if each.after is not None]
    return ControlResult(
        control=control.name,
        breaks=control.breaks,
        found=len(found),
        soaks=len(hunts),
        median=median(found) if found else None,
    )
