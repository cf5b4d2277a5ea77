"""`python -m tests.soak.schedules`: many schedules; or one again, shrunk."""

import argparse
import shlex
import sys
from pathlib import Path

import msgspec

from tests.soak.schedules.draw import draw
from tests.soak.schedules.night import BATCH, Batch, read_ledger, run_night, summary
from tests.soak.schedules.schedule import Schedule, as_text, from_text
from tests.soak.schedules.shrink import broken_promises, shrink

_LEDGER = Path(".soak/schedules.jsonl")
_SUMMARY = Path(".soak/schedules.json")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.schedules", description=__doc__)
    parser.add_argument("--most", type=int, default=BATCH, help="check the schedules of the first so many seeds")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--ledger", type=Path, default=_LEDGER, help="of the batches that are finished")
    parser.add_argument("--replay", metavar="SEED|JSON", help="play one schedule, and say what it broke")
    parser.add_argument("--no-shrink", action="store_true", help="do not look for a shorter schedule that breaks it")
    chosen = parser.parse_args()
    if chosen.replay is None:
        return _run_night(chosen.ledger, chosen.most, chosen.processes, shrinks=not chosen.no_shrink)
    return _replay(_schedule(chosen.replay), shrinks=chosen.replay.isdigit() and not chosen.no_shrink)


def _schedule(text: str) -> Schedule:
    return draw(int(text)) if text.isdigit() else from_text(text)


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


def _run_night(ledger: Path, most: int, processes: int, *, shrinks: bool) -> int:
    for batch in run_night(ledger, most, processes):
        print(_line(batch), flush=True)
    batches = [batch for batch in read_ledger(ledger) if batch.number * BATCH < most]
    found = summary(batches, processes)
    _SUMMARY.parent.mkdir(parents=True, exist_ok=True)
    _SUMMARY.write_bytes(msgspec.json.format(msgspec.json.encode(found)))
    print(found)
    for seed in sorted(seed for batch in batches for seed in batch.broken):
        _replay(draw(seed), shrinks=shrinks)
    return int(bool(found.broken))


def _line(batch: Batch) -> str:
    first, last = batch.number * BATCH, (batch.number + 1) * BATCH - 1
    seeds = ", ".join(f"seed {seed} broke a promise" for seed in batch.broken) or "every promise held"
    return f"{first}-{last}: {seeds}; {batch.cpu_seconds / BATCH * 1000:.0f} ms of CPU a schedule"


if __name__ == "__main__":
    sys.exit(main())
