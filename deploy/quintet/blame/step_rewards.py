"""The change of the chance of success at every step of the blamed episodes, as rows and as a file."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from quintet.blame.blamed import BlamedAttempt, BlamedRun
from quintet.blame.chances import Chance
from quintet.errors import UsageError
from quintet.export.table_file import encode_rows, named_table, write_table
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import StudyFolder

COLUMNS: Final[Mapping[str, type]] = {
    "run": str,
    "episode": str,
    "step": int,
    "path": str,
    "action": str,
    "before": float,
    "before_low": float,
    "before_high": float,
    "before_n": int,
    "after": float,
    "after_low": float,
    "after_high": float,
    "after_n": int,
    "reward": float,
}
"""Of a row, with the type of its values. Figures of places that were not measured are empty (docs/blame.md)."""


def _rows(run: BlamedRun, attempt: BlamedAttempt) -> Iterator[Mapping[str, Any]]:
    for number in range(1, attempt.outcomes.about.steps + 1):
        before, after = attempt.outcomes.at(number - 1), attempt.outcomes.at(number)
        step = attempt.steps.get(number)
        yield {
            "run": str(run.about.run),
            "episode": attempt.path,
            "step": number,
            "path": None if step is None else step.path,
            "action": None if step is None else step.action,
            **_figures("before", before),
            **_figures("after", after),
            "reward": after.share - before.share if before and after and before.n and after.n else None,
        }


def _figures(side: str, chance: Chance | None) -> dict[str, float | int | None]:
    found = None if chance is None else chance.estimate
    value, low, high = (None, None, None) if found is None else found[:3]
    n = None if chance is None else chance.n
    return {side: value, f"{side}_low": low, f"{side}_high": high, f"{side}_n": n}


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
    file = named_table(file, option)
    if not isinstance(found, StudyFolder) or found.record.blame is None:
        raise UsageError(f"{option}: expected the folder of a search by `quintet blame`, got another ({found.path})")
    run = BlamedRun.of(found)
    rows = [row for attempt in run.attempts for row in _rows(run, attempt)]
    write_table(file, option, encode_rows(rows, COLUMNS, file.suffix))
    return len(rows)
