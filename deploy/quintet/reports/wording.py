"""How tables and their figures are written."""

from dataclasses import dataclass

from quintet.quota.prices import NANODOLLARS, Nanodollars
from quintet.reports.intervals import Estimate
from quintet.runs.record import NO_MODEL

NONE = "-"


@dataclass(frozen=True)
class TextTable:
    """Headings, and rows of as many cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def called(model: str) -> str:
    """`model sim-weak (simulated)`; `no model` as it is."""
    return model if model == NO_MODEL else f"model {model}"


def counted(number: int, what: str) -> str:
    """`1 task`, `2 tasks`."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def percent(estimate: Estimate) -> str:
    """`52.0 (45, 59)`."""
    value = "100" if estimate.value == 1 else f"{100 * estimate.value:.1f}"
    return f"{value} ({100 * estimate.low:.0f}, {100 * estimate.high:.0f})"


def points(estimate: Estimate) -> str:
    """`+33 (+26, +40)`."""
    return f"{100 * estimate.value:+.0f} ({100 * estimate.low:+.0f}, {100 * estimate.high:+.0f})"


def usd(nanodollars: Nanodollars | None) -> str:
    """`0.0123`; `-` where a price is missing."""
    return NONE if nanodollars is None else f"{nanodollars / NANODOLLARS:.4f}"
