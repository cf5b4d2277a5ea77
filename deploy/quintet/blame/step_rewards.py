"""The change of the chance of success at every step of the blamed episodes, as rows and as a file."""

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from quintet.blame.blamed import BlamedAttempt, BlamedRun
from quintet.blame.chances import Chance
from quintet.errors import UsageError
from quintet.export.parquet import pyarrow
from quintet.plugins.catalogue import one_of
from quintet.reports.csv_tables import to_csv
from quintet.runs.files import named_path, usable_folder, write_whole
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder

_SIDES: Final = ("before", "after")
COLUMNS: Final[Mapping[str, type]] = {
    "run": str,
    "episode": str,
    "step": int,
    "path": str,
    "action": str,
    **{
        f"{side}{of}": kind
        for side in _SIDES
        for of, kind in (("", float), ("_low", float), ("_high", float), ("_n", int))
    },
    "reward": float,
}
"""Of a row, with the type of its values. Figures of places that were not measured are empty (docs/blame.md)."""


def step_rewards(run: BlamedRun) -> list[dict[str, Any]]:
    """A row for each step of each episode."""
    return [row for attempt in run.attempts for row in _rows(run, attempt)]


def _rows(run: BlamedRun, attempt: BlamedAttempt) -> Sequence[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for number in range(1, attempt.outcomes.about.steps + 1):
        before, after = attempt.outcomes.at(number - 1), attempt.outcomes.at(number)
        step = attempt.steps.get(number)
        rows.append(
            {
                "run": str(run.about.run),
                "episode": attempt.path,
                "step": number,
                "path": None if step is None else step.path,
                "action": None if step is None else step.action,
                **_figures("before", before),
                **_figures("after", after),
                "reward": after.share - before.share if before and after and before.n and after.n else None,
            }
        )
    return rows


def _figures(side: str, chance: Chance | None) -> dict[str, float | int | None]:
    found = None if chance is None else chance.estimate
    value, low, high = (None, None, None) if found is None else found[:3]
    n = None if chance is None else chance.n
    return {side: value, f"{side}_low": low, f"{side}_high": high, f"{side}_n": n}


def check_file(file: Path, option: str) -> Path:
    """Where the rows go; a `UsageError` if its format is none that is written."""
    file = named_path(file, option)
    if file.suffix not in _FORMATS:
        raise UsageError(f"{option}: expected a name that ends in {one_of(_FORMATS, file.suffix)}, got {file.name!r}")
    return file


def write_step_rewards(found: RunFolder | StudyFolder, file: Path, option: str) -> int:
    """Write the rows, also of a search that has not ended; a file that is there is replaced.

    Args:
        found: the folder of the search.
        option: that named the file.

    Returns:
        The number of rows.

    Raises:
        UsageError: the folder is that of no search, `file` is of no known format or cannot be written, or pyarrow is
            missing.
    """
    file = check_file(file, option)
    if not isinstance(found, StudyFolder) or found.record.blame is None:
        raise UsageError(f"{option}: expected the folder of a search by `quintet blame`, got another ({found.path})")
    rows = step_rewards(BlamedRun.of(found))
    written = _FORMATS[file.suffix](rows)
    with usable_folder(file.parent, option, "made"):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, written)
    return len(rows)


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    return to_csv(list(COLUMNS), rows)


def _parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    arrow, out = pyarrow(), io.BytesIO()
    kinds: Mapping[type, Any] = {str: arrow.string(), int: arrow.int64(), float: arrow.float64()}
    schema = arrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    arrow.parquet.write_table(arrow.Table.from_pylist(list(rows), schema), out, compression="zstd")
    return out.getvalue()


_FORMATS: Final[Mapping[str, Callable[[Sequence[Mapping[str, Any]]], str | bytes]]] = {
    ".csv": _csv,
    ".parquet": _parquet,
}
