"""`make conformance`: both engines on every game of a folder, in both dialects. What the official one said is kept."""

import argparse
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.conformance.games import PUBLISHED, problems, wordings
from tests.conformance.jobs import Job, Result, carry_out

_ROOT = Path(__file__).parents[2]
_GAMES_A_PROCESS = 10
"""The official engine's memory grows; then its process is replaced."""


def main(arguments: Sequence[str]) -> int:
    """Compare, and say how it went: 0 where both engines play every game, and never part."""
    asked = _parser().parse_args(arguments)
    jobs = _jobs(asked)
    if not jobs:
        print(f"conformance: skipped, no games in {asked.games}; name a folder of games: make conformance GAMES=FOLDER")
        return 0
    started, results = time.monotonic(), list[Result]()
    for result in _carried_out(jobs, asked.processes):
        results.append(result)
        for line in (*result.differences, *filter(None, [result.left_out])):
            print(line, flush=True)
        if len(results) % 50 == 0:
            print(f"{len(results)} of {len(jobs)}, {time.monotonic() - started:,.0f} s", file=sys.stderr, flush=True)
    print(_summary(results, time.monotonic() - started))
    return int(any(result.differences or result.left_out for result in results))


def _jobs(asked: argparse.Namespace) -> list[Job]:
    found = problems(asked.games)
    numbers: Sequence[int] = asked.only or range(len(found))
    said = wordings(asked.games)
    return [
        Job(found[number], wording, asked.steps, asked.walks, asked.kept)
        for number in numbers
        for wording in found[number].played(said)
    ]


def _summary(results: Sequence[Result], seconds: float) -> str:
    played = [each for each in results if not each.left_out]
    walks, steps = sum(each.walks for each in played), sum(each.steps for each in played)
    now, differences = sum(each.recorded for each in played), sum(len(each.differences) for each in played)
    return (
        f"{len(played):,} games, either dialect counted, {len(results) - len(played):,} left out; "
        f"{sum(each.solved for each in played):,} solved by their walkthroughs; {walks:,} walks, {steps:,} steps "
        f"({now:,} of them played by the official engine now, {seconds:,.0f} s): {differences:,} walks differ"
    )


def _carried_out(jobs: Sequence[Job], processes: int) -> Iterator[Result]:
    spawning = multiprocessing.get_context("spawn")
    with spawning.Pool(processes, maxtasksperchild=_GAMES_A_PROCESS) as pool:
        yield from pool.imap_unordered(carry_out, jobs)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make conformance", description=__doc__)
    parser.add_argument(
        "games", nargs="?", type=Path, default=PUBLISHED, help="folder with games.jsonl.gz or game.tw-pddl files"
    )
    parser.add_argument("--steps", type=int, default=50, help="of a random walk")
    parser.add_argument("--walks", type=int, default=1, help="random ones, for every game and dialect")
    parser.add_argument("--only", type=_numbers, default=(), help="numbers of games, as 0,17")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--kept", type=Path, default=_ROOT / ".conformance", help="where the official answers are kept")
    return parser


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
