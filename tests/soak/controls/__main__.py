"""`python -m tests.soak.controls`: looks for every control in many soaks, and names those that were missed."""

import sys
from collections.abc import Sequence

from cyclopts import App

from tests.soak.controls import CONTROLS
from tests.soak.controls.hunt import Hunt, hunt_by_name, results
from tests.soak.ledger import Ledger, ledger_of, write_result
from tests.soak.report import ControlResult
from tests.soak.workers import CORES, Count, work_off

_AT_A_TIME = 25
"""Soaks that share their undisturbed runs, which cost more than those on the broken runtime."""

app = App(name="python -m tests.soak.controls", help_format="plaintext", version_flags=())


@app.default
def controls(*, soaks: Count = 1, only: str = "", workers: Count = CORES) -> int:
    """Look for each broken runtime in soaks of 200 schedules, and go on where this commit's last start was stopped.

    The exit code is 1 if a soak missed one. A report of the soak at the same commit shows the result.

    Args:
        soaks: How many.
        only: Look for the controls whose names have this in them.
        workers: Processes that look.
    """
    names = [control.name for control in CONTROLS if only in control.name]
    if not names:
        sys.exit(f"--only: expected a part of a control's name, got {only!r}; there are:\n{_names()}")
    with Ledger(ledger_of("controls"), Hunt) as ledger:
        for hunts in work_off(hunt_by_name, _left(soaks, names, ledger.lines), workers):
            for each in hunts:
                ledger.add(each)
    found = results(CONTROLS, ledger.lines)
    for result in found:
        print(_line(result))
    write_result("controls", found)
    return int(any(each.found < each.soaks for each in found))


def _names() -> str:
    return "\n".join(f"  {control.name}" for control in CONTROLS)


def _left(soaks: int, names: Sequence[str], hunts: Sequence[Hunt]) -> list[tuple[str, list[int]]]:
    """A few soaks of each control in turn, so that all have been looked for about as often whenever it is stopped."""
    done = {(each.control, each.soak) for each in hunts}
    few = (range(first, min(first + _AT_A_TIME, soaks)) for first in range(0, soaks, _AT_A_TIME))
    jobs = ((name, [soak for soak in some if (name, soak) not in done]) for some in few for name in names)
    return [(name, some) for name, some in jobs if some]


def _line(each: ControlResult) -> str:
    after = "" if each.median is None else f", after {each.median:g} scenarios (median)"
    hole = "" if each.found == each.soaks else "  HOLE"
    return f"{each.control}: found in {each.found} of {each.soaks} soaks{after}{hole}"


if __name__ == "__main__":
    sys.exit(app())
