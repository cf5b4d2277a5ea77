"""Tables on a terminal, and as plain columns where there is none."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quintet.reports.learning.costs import cost_notes
from quintet.reports.learning.tables import learning_tables
from quintet.reports.load import Report
from quintet.reports.published_block import published_tables
from quintet.reports.tables import notes, report_tables, title
from quintet.reports.wording import TextTable


def print_report(report: Report, out: Console) -> None:
    """All tables of a report, and its notes."""
    if report.runs:
        out.print(Text(title(report), style="bold"))
    print_tables([*report_tables(report), *learning_tables(report), *published_tables(report)], out)
    print_notes([*notes(report), *cost_notes(report)], out)


def print_notes(notes: Sequence[str], out: Console) -> None:
    """Each on a line of its own, however long."""
    for note in notes:
        out.print(Text(note, style="dim"), soft_wrap=True)


def print_tables(tables: Sequence[TextTable], out: Console) -> None:
    """Each table under its title."""
    for table in tables:
        out.print()
        out.print(Text(table.title, style="italic"))
        out.print(_rich(table, out))
    out.print()


def _rich(table: TextTable, out: Console) -> Table:
    # Together with the difference of two arms, eighty columns are just enough for the demo, and 120 for six types of
    # task if only one space is between two of them.
    tight = out.is_terminal and _width(table) > out.width
    made = Table(
        box=box.SIMPLE_HEAD if out.is_terminal else None,
        pad_edge=False,
        show_edge=not tight,
        padding=0 if tight else (0, 1),
        collapse_padding=out.is_terminal,
        header_style="bold",
    )
    for position, column in enumerate(table.columns):
        made.add_column(column, justify="left" if position == 0 else "right", no_wrap=position == 0)
    for row in table.rows:
        made.add_row(*map(Text, row))
    return made


def _width(table: TextTable) -> int:
    """Of the table on a terminal, where two columns are between two of its own and one at each edge."""
    columns = zip(table.columns, *table.rows, strict=True)
    widths = [max(len(line) for cell in column for line in cell.split("\n")) for column in columns]
    return sum(widths) + 2 * len(widths)
