"""Data commands: what a world does with its game files, `quintet data COMMAND WORLD`.

A world's factory declares them as `data_commands`, functions by name. Positional parameters become arguments, keyword
parameters become flags, and docstrings become the help. One of the same form, `record_command`, keeps what its sessions
show: `quintet record WORLD`.
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
    """The command that keeps what a world's sessions show, if its factory declares one."""
    found: DataCommand | None = getattr(world, "record_command", None)
    return found
