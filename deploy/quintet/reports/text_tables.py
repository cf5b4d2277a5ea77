"""Tables of text: how figures are written, and how tables are printed, without a terminal as plain columns."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quintet.reports.intervals import Estimate
from quintet.runs.record import NO_MODEL

NONE = "-"


@dataclass(frozen=True)
class TextTable:
    """Headings, and rows of as many cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 1
    """How many columns, from the first one, are names."""


def model_label(model: str) -> str:
    """`model NAME`; `no model` as it is."""
    return model if model == NO_MODEL else f"model {model}"


def plural(number: int, what: str) -> str:
    """`1 task`, `2 tasks`."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def cut(text: str, longest: int) -> str:
    """A text on one line, cut to a length."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def percent(estimate: Estimate | None) -> str:
    """`52.0 (45, 59)`; `0.0 (0, 56), no step` if no episode took one; `-` if there is none."""
    if estimate is None:
        return NONE
    return f"{share(estimate.value)} ({100 * estimate.low:.0f}, {100 * estimate.high:.0f}){_mark(estimate)}"


def share(value: float) -> str:
    """A share in percent: `52.0`; `100`."""
    return "100" if value == 1 else f"{100 * value:.1f}"


def percentage_points(estimate: Estimate | None) -> str:
    """`+33 (+26, +40)`; `-` if there is none."""
    if estimate is None:
        return NONE
    return f"{100 * estimate.value:+.0f} ({100 * estimate.low:+.0f}, {100 * estimate.high:+.0f}){_mark(estimate)}"


def _mark(estimate: Estimate) -> str:
    return ", no step" if estimate.stepless else ""


def p_value(p: float) -> str:
    """`0.012`; `< 0.001`."""
    return f"{p:.3f}" if p >= 0.001 else "< 0.001"


def number(value: float | None, form: str) -> str:
    """A number in a format; `-` if there is none."""
    return NONE if value is None else f"{value:{form}}"


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
        made.add_column(column, justify="left" if position < table.left else "right", no_wrap=position < table.left)
    for row in table.rows:
        made.add_row(*map(Text, row))
    return made


def _width(table: TextTable) -> int:
    """The table's width on a terminal: two characters between columns, and one at each edge."""
    columns = zip(table.columns, *table.rows, strict=True)
    widths = [max(len(line) for cell in column for line in cell.split("\n")) for column in columns]
    return sum(widths) + 2 * len(widths)
