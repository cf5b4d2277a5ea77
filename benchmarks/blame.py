"""`quintet blame` where the truth is known: a planted fatal step is to be named, and none where none is.

The world (tests/deploy/blame/vault.py) has one act after which no way leads to the goal; neither the world's answers
nor its expert, which the stand-in asks, know of it. It is planted by `--act` in a step drawn at random.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath

from benchmarks.measuring import Figure
from quintet.blame.blamed import BlamedRun
from quintet.blame.verdicts import DECIDED_BY
from quintet.messages.paths import attempt_of
from quintet.quota.cost import total
from tests.deploy.blame.planting import ABLE, blame, plant, record

CASES = 120
"""Planted steps, at most."""
_WEAK = ("--model", "sim-weak")
_POOR = ("--model", "sim-fallible", "--set", "model.error_rate=0.7")
_HOPELESS = (*ABLE, "--set", "environment.bent=true")


def _planted(
    folder: FilePath, model: str, words: tuple[str, ...], cases: int, times: Sequence[int]
) -> Iterator[Figure]:
    run, planted = plant(record(folder / model, cases * 2, *words), folder / f"{model}-planted", most=cases)
    for each in times:
        yield _named(f"{model}, --times {each}", blame(run, folder / f"{model}-{each}", times=each), planted)


def _named(label: str, run: BlamedRun, planted: Mapping[str, int]) -> Figure:
    found = run.attempts
    hits = sum(
        each.verdict.kind == "step" and each.verdict.step == planted[attempt_of(each.path).task] for each in found
    )
    others = sum(each.verdict.kind == "step" for each in found) - hits
    cost = total(each.outcomes.cost for each in found)
    beside = f"{hits} of {len(found)}; another step: {others}; {cost.calls / len(found):,.0f} live calls each"
    return Figure(f"blame, {label}: planted step named", 100 * hits / len(found), "%", beside)


def _control(folder: FilePath, name: str, words: tuple[str, ...], cases: int) -> Iterator[Figure]:
    found = blame(record(folder / name, cases, *words), folder / f"{name}-blamed").attempts
    kinds = Counter(each.verdict.kind for each in found)
    said = ", ".join(f"{words} {kinds[kind]}" for kind, words in DECIDED_BY.items() if kinds[kind])
    yield Figure(f"blame, {name}: false alarms", 100 * kinds["step"] / len(found), "%", f"of {len(found)}: {said}")


def figures(cases: int = CASES) -> Iterator[Figure]:
    """Planted steps under an able and a weaker policy; then failures without any."""
    with tempfile.TemporaryDirectory() as name:
        folder = FilePath(name)
        yield from _planted(folder, "able", ABLE, cases, (8,))
        yield from _planted(folder, "weak", _WEAK, cases, (8, 16))
        yield from _control(folder, "able, not planted", ABLE, min(400, 10 * cases))
        yield from _control(folder, "weak, not planted", _WEAK, min(400, 3 * cases))
        yield from _control(folder, "poor, not planted", _POOR, cases)
        yield from _control(folder, "hopeless from the start", _HOPELESS, cases)


if __name__ == "__main__":
    for figure in figures(int(sys.argv[1]) if len(sys.argv) > 1 else CASES):
        print(figure, flush=True)
