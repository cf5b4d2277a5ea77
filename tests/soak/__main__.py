"""`python -m tests.soak`, which `make soak` runs: play scenarios, note them in a ledger, and report."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from cyclopts import App
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from quintet.launch.versions import git_commit
from tests.soak.kinds import Place, cores, kind_of, places, split_kinds
from tests.soak.ledger import Ledger, Line
from tests.soak.report import ControlResult, SchedulesResult, make_report, render, summary
from tests.soak.scenario import Verdict
from tests.soak.workers import play_all

_T = TypeVar("_T")

_FOLDER: Final = Path(".soak")
_DOCS: Final = Path("docs")
_CONTROLS, _SCHEDULES = "controls.json", "schedules.json"
"""Written there by `tests.soak.controls` and `tests.soak.schedules`."""

app = App(name="python -m tests.soak", help_format="plaintext")


@app.default
def soak(
    *, most: int = 200, seed: int = 0, workers: int = cores(), only: str | None = None, publish: bool = False
) -> int:
    """Play scenarios, go on where an earlier soak of this commit and seed was stopped, and report.

    Args:
        most: How many scenarios, those of earlier starts included.
        seed: Of each kind's first scenario.
        workers: Processes that play.
        only: KIND:SEED, to play one scenario again and print what it found; nothing is noted.
        publish: Write the report to docs/ too.
    """
    if only is not None:
        kind, _, number = only.partition(":")
        return _replay(kind_of(kind).check(int(number)))
    console = Console(stderr=True)
    kinds, left_out = split_kinds()
    for name, why in left_out.items():
        console.print(f"left out: {name}: {why}")
    commit = git_commit() or "none"
    with Ledger(_FOLDER / f"{commit.replace('+', '-')}-{seed}.jsonl") as ledger:
        lines = _play(list(places(kinds, most, seed)), ledger, workers, console)
    report = make_report(
        lines,
        commit=commit,
        first_seed=seed,
        workers=workers,
        left_out=left_out,
        controls=_read(_CONTROLS, list[ControlResult]) or (),
        schedules=_read(_SCHEDULES, SchedulesResult),
    )
    for folder in (_FOLDER, *([_DOCS] if publish else [])):
        (folder / "soak.json").write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
        (folder / "soak.md").write_text(render(report))
    console.print(f"{summary(report)} Report: {_FOLDER / 'soak.md'}")
    return int(bool(report.findings or report.holes))


def _replay(found: Verdict) -> int:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n")
    return int(bool(found.broken))


def _play(wanted: Sequence[Place], ledger: Ledger, workers: int, console: Console) -> Sequence[Line]:
    """Play what the ledger does not have yet; what all of it found."""
    left = [place for place in wanted if not ledger.has(*place)]
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
    return [line for line in ledger.lines if Place(line.verdict.kind, line.verdict.seed) in places_wanted]


def _read(name: str, kind: type[_T]) -> _T | None:
    file = _FOLDER / name
    return msgspec.json.decode(file.read_bytes(), type=kind) if file.exists() else None


if __name__ == "__main__":
    sys.exit(app())
