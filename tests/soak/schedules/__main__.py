"""`python -m tests.soak.schedules`: play many schedules; or one again, shrunk."""

import shlex
import sys
from typing import Annotated

import msgspec
from cyclopts import App, Parameter

from tests.soak.ledger import Ledger, ledger_of, write_result
from tests.soak.schedules.draw import draw
from tests.soak.schedules.night import BATCH, Batch, run_night, sum_up
from tests.soak.schedules.schedule import Schedule, as_text, from_text
from tests.soak.schedules.shrink import broken_promises, shrink
from tests.soak.workers import CORES, Count

app = App(name="python -m tests.soak.schedules", help_format="plaintext", version_flags=())


@app.default
def schedules(
    *,
    most: Count = BATCH,
    workers: Count = CORES,
    replay: str | None = None,
    shrinks: Annotated[bool, Parameter(name="--shrink")] = True,
) -> int:
    """Play simulated schedules, and go on where an earlier night of this commit was stopped.

    A report of the soak at the same commit shows the result.

    Args:
        most: The schedules of the first so many seeds, in batches of 100.
        workers: Processes that play.
        replay: A seed, or a schedule as it was printed: play it again and print what it breaks.
        shrinks: Look for a shorter schedule that breaks the same promise.
    """
    if replay is not None:
        return _replay(_schedule(replay), shrinks=shrinks and replay.isdecimal())
    return _run_night(most, workers, shrinks=shrinks)


def _schedule(text: str) -> Schedule:
    if text.isdecimal():
        return draw(int(text))
    try:
        return from_text(text)
    except msgspec.DecodeError as error:
        sys.exit(f"--replay: expected a seed, or a schedule as it was printed, got {text!r}: {error}")


def _replay(schedule: Schedule, *, shrinks: bool) -> int:
    found = broken_promises(schedule)
    _say(schedule, found)
    if found and shrinks:
        shortest = shrink(schedule)
        print(f"\nThe shortest schedule found that breaks it: {shortest.size} parts in place of {schedule.size}.")
        _say(shortest, broken_promises(shortest))
        print(f"Replay it: python -m tests.soak.schedules --replay {shlex.quote(as_text(shortest))}")
    return int(bool(found))


def _say(schedule: Schedule, found: list[str]) -> None:
    print(f"seed {schedule.seed}: {schedule.words()}")
    for sentence in found or ["every promise held"]:
        print(f"  {sentence}")


def _run_night(most: int, workers: int, *, shrinks: bool) -> int:
    with Ledger(ledger_of("schedules"), Batch) as ledger:
        for batch in run_night(ledger, most, workers):
            print(_line(batch), flush=True)
    batches = [batch for batch in ledger.lines if batch.number * BATCH < most]
    found = sum_up(batches, workers)
    write_result("schedules", found)
    print(found)
    for seed in sorted(seed for batch in batches for seed in batch.broken):
        _replay(draw(seed), shrinks=shrinks)
    return int(bool(found.broken))


def _line(batch: Batch) -> str:
    first, last = batch.number * BATCH, (batch.number + 1) * BATCH - 1
    seeds = ", ".join(f"seed {seed} broke a promise" for seed in batch.broken) or "every promise held"
    return f"{first}-{last}: {seeds}; {batch.cpu_seconds / BATCH * 1000:.0f} ms of CPU a schedule"


if __name__ == "__main__":
    sys.exit(app())
