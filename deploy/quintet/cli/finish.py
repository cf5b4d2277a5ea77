"""The end of a run or study: its report, how it ended, and what to do next."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from quintet.cli.console import console, flush_at_end, notify
from quintet.cli.report import print_as
from quintet.config.resolve import as_tables
from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.journal.connection import raise_damage
from quintet.learned.kinds import CONTENT_KINDS
from quintet.reports.load import NO_EPISODES, Report, load_report
from quintet.reports.rows import RowState
from quintet.runs.ends import EXIT_CODES, RunStop
from quintet.runs.folder import read_changes, settings_of, shell_command
from quintet.studies.definition import Study
from quintet.studies.pictures import draw_picture

_RESULTS: Sequence[RowState] = ("solved", "unsolved")


def finish(
    path: Path,
    stop: RunStop,
    *,
    json: bool = False,
    drawing: Study | None = None,
    show: Callable[[], None] | None = None,
) -> int:
    """Print the report if there is anything to report, and say how the run ended, why, and where it is.

    Args:
        path: of the run or the study.
        stop: how it ended.
        json: print the report for programs.
        drawing: the study whose picture is drawn; None: none is.
        show: prints what stands in place of the report.
    """
    ended, because = stop.ended, f": {stop.why}" if stop.why else ""
    try:
        found = load_report([path], None if json else NO_EPISODES)
    except UsageError as error:  # an unreadable journal may be why the run was suspended
        notify(f"{ended}{because}; {error}")
        return EXIT_CODES[ended]
    try:
        with flush_at_end(sys.stdout):
            if json or ended in ("done", "faulted") or any(run.results.count(*_RESULTS) for run in found.runs):
                show() if show is not None else print_as(found, console(), json=json)
    except OSError as error:  # the results are on disk even if the table cannot be printed
        if not isinstance(error, BrokenPipeError):
            notify(f"report: {error}")
    if drawing is not None and drawing.has_picture and ended in ("done", "faulted"):
        draw(drawing, found, path / f"{drawing.name}.png")
    for kind in CONTENT_KINDS.values():
        if (path / kind.file).is_file():
            notify(f"{kind.name}: {path / kind.file}")
    match ended:
        case "interrupted":
            advice = f"to go on: {shell_command('resume', path)}" if stop.advice is None else stop.advice
            notify("; ".join(filter(None, [f"interrupted{because}", advice])))
        case "spent":
            larger = [word for flag in _budgets(found) for word in (flag, "N")]
            notify(f"budget spent{because}; to go on with a larger one: {shell_command('resume', path, *larger)}")
        case "stopped":
            notify(f"stopped at a bug{because}; {stop.advice}")
        case "faulted":
            [(most, _)] = _faults(found).most_common(1)
            repeat = shell_command("resume", path, "--faulted")
            notify(f"some episodes faulted; to repeat them: {repeat}; most often: {most}")
        case "done":
            notify(f"run folder: {path}")
    raise_damage(found.damage)
    return EXIT_CODES[ended]


def _budgets(found: Report) -> list[str]:
    """The flags of the budgets that some of the runs have."""
    folders = [run.results.folder for run in found.runs]
    settings = [
        {**from_table(as_tables(folder.config), "the record"), **settings_of(read_changes(folder.path), folder.path)}
        for folder in folders
    ]
    budgets = {"--budget-usd": "limits.budget_usd", "--budget-tokens": "limits.budget_tokens"}
    return [flag for flag, key in budgets.items() if any(each[key].value is not None for each in settings)]


def _faults(found: Report) -> Counter[str]:
    return sum((run.results.faults for run in found.runs), Counter[str]())


def draw(study: Study, found: Report, file: Path) -> None:
    """Draw a study's picture and say where it is, or why there is none."""
    try:
        draw_picture(study, found, file)
    except (UsageError, OSError) as error:  # the runs are done, with or without a picture
        notify(str(error) if isinstance(error, UsageError) else f"picture: {error}")
    else:
        notify(f"picture: {file}")
