"""How much of a run's prompts extends earlier ones: what an endpoint's cache of prefixes can save."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

from quintet.journal.prefixes import PrefixShare, prefix_shares, total_share
from quintet.reports.load import Report, RunReport
from quintet.reports.text_tables import TextTable, share


def prefix_table(report: Report) -> TextTable:
    """A row for each run and what its calls were for. It reads all prompts of the runs."""
    rows: list[tuple[str, ...]] = []
    for run in report.runs:
        shares = _shares(run)
        for phase, found in {"all": total_share(shares.values()), **shares}.items():
            rows.append((run.label, phase, f"{found.characters:,}", share(found.share)))
    columns = ("", "calls for", "characters", "extend an earlier prompt, %")
    return TextTable("Prompts, as far as they begin like an earlier one", columns, tuple(rows), left=2)


def prefix_content(report: Report) -> dict[str, Any]:
    """The same for programs."""
    return {run.label: {phase: found._asdict() for phase, found in _shares(run).items()} for run in report.runs}


def _shares(run: RunReport) -> Mapping[str, PrefixShare]:
    with run.results.folder.read_journals() as read:
        return prefix_shares(chain.from_iterable(reader.prompted() for _, reader in read.journals))
