"""`python -m tests.soak`, which `make soak` runs: play scenarios, note them in a ledger, and report."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec
from cyclopts import App, Parameter, Token
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from quintet.launch.versions import git_commit
from tests.soak.kinds import KINDS, Place, kind_of, places, split_kinds
from tests.soak.ledger import FOLDER, Ledger, Line, ledger_of, read_result
from tests.soak.process.nursery import SHOW_OUTPUT
from tests.soak.report import ControlResult, SchedulesResult, make_report, render, summary
from tests.soak.scenario import Verdict
from tests.soak.workers import CORES, Count, play_all

_DOCS: Final = Path("docs")

app = App(name="python -m tests.soak", help_format="plaintext", version_flags=())


def _place(_type: object, tokens: Sequence[Token]) -> Place:
    kind, _, seed = tokens[0].value.partition(":")
    if kind not in {each.name for each in KINDS} or not seed.isdecimal():
        names = ", ".join(each.name for each in KINDS)
        raise ValueError(f"expected KIND:SEED with a kind of {names}, got {tokens[0].value!r}")
    return Place(kind, int(seed))


@app.default
def soak(
    *,
    most: Count = 200,
    seed: int = 0,
    workers: Count = CORES,
    only: Annotated[Place | None, Parameter(converter=_place, accepts_keys=False, n_tokens=1)] = None,
    publish: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Play scenarios, go on where an earlier soak of this commit and seed was stopped, and report.

    Args:
        most: How many scenarios, those of earlier starts included.
        seed: The seed of each kind's first scenario.
        workers: Processes that play.
        only: KIND:SEED plays that scenario again and prints what it found.
        publish: Write the report to docs/ too.
    """
    if only is not None:
        os.environ[SHOW_OUTPUT] = "1"
        return _replay(kind_of(only.kind).check(only.seed))
    console = Console(stderr=True)
    kinds, left_out = split_kinds()
    for name, why in left_out.items():
        console.print(f"left out: {name}: {why}")
    commit = git_commit() or "none"
    with Ledger(ledger_of(f"scenarios-{seed}"), Line) as ledger:
        lines = _play(list(places(kinds, most, seed)), ledger, workers, console)
    report = make_report(
        lines,
        commit=commit,
        first_seed=seed,
        workers=workers,
        left_out=left_out,
        controls=read_result("controls", list[ControlResult]) or (),
        schedules=read_result("schedules", SchedulesResult),
    )
    for folder in (FOLDER, *([_DOCS] if publish else [])):
        (folder / "soak.json").write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
        (folder / "soak.md").write_text(render(report))
    console.print(f"{summary(report)} Report: {FOLDER / 'soak.md'}")
    return int(bool(report.findings or report.holes))


def _replay(found: Verdict) -> int:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n")
    return int(bool(found.broken))


def _play(wanted: Sequence[Place], ledger: Ledger[Line], workers: int, console: Console) -> Sequence[Line]:
    """Play what the ledger does not have yet; what all of it found."""
    done = {_place_of(line) for line in ledger.lines}
    left = [place for place in wanted if place not in done]
    with Progress(
        "{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
    ) as bar:
        task = bar.add_task("soak", total=len(wanted), completed=len(wanted) - len(left))
        for line in play_all(left, workers):
            ledger.add(line)
            bar.advance(task)
            found = line.verdict
            if found.broken:
                console.print(f"{found.kind}:{found.seed}: {'; '.join(found.broken)}", markup=False, highlight=False)
                console.print(f"  again: python -m tests.soak --only {found.kind}:{found.seed}", markup=False)
    places_wanted = {*wanted}
    return [line for line in ledger.lines if _place_of(line) in places_wanted]


def _place_of(line: Line) -> Place:
    return Place(line.verdict.kind, line.verdict.seed)


if __name__ == "__main__":
    sys.exit(app())
