"""Commands of worlds: `quintet data COMMAND WORLD` for its files, `quintet record WORLD` for what its sessions show.

A world's factory declares `data_commands`, functions by name, and `record_command`, a function. Positional parameters
become arguments, keyword parameters become flags, and docstrings become the help.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct


class DataSummary(Struct, frozen=True, kw_only=True):
    """What a data command did or found."""

    title: str
    rows_are: str
    """The heading of the rows of `counts`: `split`."""
    counts: Mapping[str, Mapping[str, int]]
    """By row and column."""
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    """If there are any, the command exits with 1."""
    notes: tuple[str, ...] = ()


DataCommand: TypeAlias = Callable[..., DataSummary]


def data_commands(world: Callable[..., Any]) -> Mapping[str, DataCommand]:
    """The data commands by name that a world's factory declares; most declare none."""
    found: Mapping[str, DataCommand] = getattr(world, "data_commands", {})
    return found


def record_command(world: Callable[..., Any]) -> DataCommand | None:
    """The function with which a world's factory keeps a session's pages; most have none."""
    found: DataCommand | None = getattr(world, "record_command", None)
    return found
