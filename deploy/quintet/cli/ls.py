"""`ls`: the runs and studies below a folder."""

import json as json_text
from collections.abc import Iterator
from pathlib import Path

from quintet.cli.console import console
from quintet.cli.flags import Switch
from quintet.cli.progress import duration
from quintet.reports.text_tables import NONE, TextTable, plural, print_notes, print_tables, share
from quintet.runs.listing import RunEntry, entry_content, list_runs

_COLUMNS = ("run", "what", "state", "episodes", "success", "faulted", "tokens", "USD", "ETA")


def ls_command(folder: Path = Path(), *, json: Switch = False) -> None:
    """List runs and studies, the newest first.

    Args:
        folder: Where to look: in it, and up to three folders below.
        json: For programs, with each study's arms.
    """
    entries, unread = list_runs(folder)
    print_notes(unread, console(stderr=True))
    if json:
        print(json_text.dumps([entry_content(entry) for entry in entries], indent=2))
        return
    out = console()
    if not entries:
        print_notes([f"no runs in {folder.absolute()} or up to three folders below"], out)
        return
    rows = tuple(_row(folder, entry) for entry in entries)
    print_tables([TextTable(f"{plural(len(entries), 'run')} in {folder.absolute()}", _COLUMNS, rows)], out)
    print_notes([note for entry in entries for note in _notes(folder, entry)], out)


def _row(folder: Path, entry: RunEntry) -> tuple[str, ...]:
    totals, spent = entry.totals, entry.spent
    arms = f" ({len(entry.arms)}/{len(entry.arms) + entry.waiting} arms)" if entry.kind == "study" else ""
    return (
        _name(folder, entry),
        entry.label + arms,
        entry.state,
        f"{totals.ended}/{entry.episodes}",
        NONE if entry.success is None else share(entry.success),
        str(totals.faulted),
        f"{spent.tokens:,}",
        NONE if spent.usd is None else f"{spent.usd:.4f}",
        NONE if entry.eta is None else duration(entry.eta),
    )


def _name(folder: Path, entry: RunEntry) -> str:
    return str(entry.path.relative_to(folder)) if entry.path != folder else entry.path.absolute().name


def _notes(folder: Path, entry: RunEntry) -> Iterator[str]:
    if entry.holder is not None:
        yield f"{_name(folder, entry)}: process {entry.holder.process} on {entry.holder.host}"
    if entry.reason:
        yield f"{_name(folder, entry)}: {entry.reason}"
