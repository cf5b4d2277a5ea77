"""`python -m tests.soak.controls`: looks for every control in many soaks, and names those that were not found."""

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from multiprocessing import Pool
from pathlib import Path

import msgspec

from tests.soak.controls import CONTROLS
from tests.soak.controls.hunt import SCENARIOS, Hunt, hunt, results
from tests.soak.report import ControlResult

_AT_A_TIME = 5
"""Soaks that share their undisturbed runs."""


def main() -> int:
    """Go on with the hunts of a ledger; 1 if a control was not found in every soak."""
    options = argparse.ArgumentParser(prog="python -m tests.soak.controls", description=__doc__)
    options.add_argument("--soaks", type=int, default=1, help=f"how many, of {SCENARIOS} scenarios each")
    options.add_argument("--only", default="", help="controls whose names contain this")
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--ledger", type=Path, default=Path(".soak/controls.jsonl"), help="what is done already")
    options.add_argument("--json", type=Path, default=Path(".soak/controls.json"), help="what the soak's report shows")
    given = options.parse_args()
    controls = [control for control in CONTROLS if given.only in control.name]
    hunts = [each for each in _read(given.ledger) if each.soak < given.soaks]
    hunts += _hunt_all(given.ledger, _left(given.soaks, [each.name for each in controls], hunts), given.processes)
    found = results(controls, hunts)
    for each in found:
        print(_line(each))
    given.json.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")
    return int(any(each.found < each.soaks for each in found))


def _left(soaks: int, names: Sequence[str], hunts: Sequence[Hunt]) -> list[tuple[str, list[int]]]:
    """A few soaks of each control in turn, so that all have been looked for about as often whenever it is stopped."""
    done = {(each.control, each.soak) for each in hunts}
    few = (range(first, min(first + _AT_A_TIME, soaks)) for first in range(0, soaks, _AT_A_TIME))
    jobs = ((name, [soak for soak in some if (name, soak) not in done]) for some in few for name in names)
    return [(name, some) for name, some in jobs if some]


def _hunt_all(ledger: Path, jobs: Sequence[tuple[str, list[int]]], processes: int) -> Iterator[Hunt]:
    ledger.parent.mkdir(parents=True, exist_ok=True)
    with Pool(processes) as pool, ledger.open("ab") as lines:
        for hunts in pool.imap_unordered(_hunt_some, jobs):
            lines.writelines(msgspec.json.encode(each) + b"\n" for each in hunts)
            lines.flush()
            yield from hunts


def _hunt_some(job: tuple[str, list[int]]) -> list[Hunt]:
    logging.disable(logging.CRITICAL)  # a broken runtime complains without end
    name, soaks = job
    return hunt(next(control for control in CONTROLS if control.name == name), soaks)


def _read(ledger: Path) -> list[Hunt]:
    lines = ledger.read_bytes().splitlines() if ledger.exists() else []
    return [msgspec.json.decode(line, type=Hunt) for line in lines]


def _line(each: ControlResult) -> str:
    after = "" if each.median is None else f", after {each.median:g} scenarios (median)"
    hole = "" if each.found == each.soaks else "  HOLE"
    return f"{each.control}: found in {each.found} of {each.soaks} soaks{after}{hole}"


if __name__ == "__main__":
    sys.exit(main())
