"""Tables as LaTeX, with the rules of the package booktabs."""

from collections.abc import Iterable, Sequence
from typing import Final

from quintet.reports.text_tables import TextTable

_SPECIAL: Final = str.maketrans(
    {
        **{each: f"\\{each}" for each in "#$%&_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "\n": " ",
    }
)
"""What LaTeX reads as a command, or prints as another sign."""


def as_latex(tables: Iterable[TextTable], notes: Sequence[str] = ()) -> str:
    """A tabular for each table, with its title and the notes as comments; a document needs the package booktabs."""
    comments = "".join(f"% {' '.join(note.split())}\n" for note in notes)
    return comments + "\n".join(map(_tabular, tables))


def _tabular(table: TextTable) -> str:
    columns = "l" * table.left + "r" * (len(table.columns) - table.left)
    title = " ".join(table.title.split())  # a line break would end the comment
    lines = [f"% {title}", rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _row(table.columns), r"\midrule"]
    return "\n".join([*lines, *map(_row, table.rows), r"\bottomrule", r"\end{tabular}", ""])


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cell.translate(_SPECIAL) for cell in cells) + r" \\"
