"""`data` and `record`: what each world declares as commands about its files and its sessions."""

import inspect
import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, get_type_hints

from cyclopts import App
from rich.text import Text

from quintet.cli.console import console
from quintet.cli.flags import Whole
from quintet.environments.data_commands import DataCommand, DataSummary, data_commands, record_command
from quintet.errors import UsageError
from quintet.plugins import catalogue
from quintet.reports.text_tables import NONE, TextTable, print_tables

_RECORD = "record"
_NAME = re.compile(r"\w[\w.-]*")
"""Of a command or a world on the command line; a flag has another."""


def data_app() -> App:
    """The command `data`, with a subcommand for each one that a world declares: `data generate WORLD`."""
    found = App(name="data", help="Make and check the files of an environment.", help_format="plaintext")
    by_name: dict[str, App] = {}
    for world in catalogue.names("environment"):
        for name, command in _commands(world, data_commands).items():
            if name not in by_name:
                summary = f"{name.capitalize()} the files of an environment."
                by_name[name] = App(name=name, help=summary, help_format="plaintext")
                found.command(by_name[name])
            by_name[name].command(command, name=world)
    return found


def record_app() -> App:
    """The command `record`, with a subcommand for each world that declares one: `record WORLD`."""
    found = App(name=_RECORD, help="Keep what an environment's sessions show.", help_format="plaintext")
    for world in catalogue.names("environment"):
        for command in _commands(world, _recording).values():
            found.command(command, name=world)
    return found


def _recording(world: Callable[..., Any]) -> Mapping[str, DataCommand]:
    command = record_command(world)
    return {} if command is None else {_RECORD: command}


def _commands(
    world: str, declared_by: Callable[[Callable[..., Any]], Mapping[str, DataCommand]]
) -> Mapping[str, Callable[..., int]]:
    """What a world declares as commands, by name, as `declared_by` reads them from its factory.

    Empty if the world cannot be used; `quintet list environments` says why.
    """
    try:
        factory = catalogue.factory("environment", world)
        with catalogue.as_plug_in_error("environment", world, "data commands"):
            declared = declared_by(factory)
            if wrong := [name for name in (world, *declared) if not _NAME.fullmatch(name)]:
                raise ValueError(f"the name {wrong[0]!r}")
            return {name: _with_flags(function) for name, function in declared.items()}
    except UsageError:
        return {}


def _with_flags(function: DataCommand) -> Callable[..., int]:
    """Make the function a command that prints its summary, and reads whole numbers as our other commands do."""

    @wraps(function)
    def command(*args: Any, **kwargs: Any) -> int:
        return _print_summary(function(*args, **kwargs))

    hints = {name: Whole if hint is int else hint for name, hint in get_type_hints(function).items()}
    signature = inspect.signature(function)
    parameters = [each.replace(annotation=hints[each.name]) for each in signature.parameters.values()]
    command.__dict__["__signature__"] = signature.replace(parameters=parameters, return_annotation=int)
    command.__annotations__ = {**hints, "return": int}
    return command


def _print_summary(summary: DataSummary) -> int:
    """Print what a data command did or found; the exit code is 1 with any error, else 0."""
    out = console()
    columns = tuple(dict.fromkeys(column for counts in summary.counts.values() for column in counts))
    rows = tuple(
        (row, *(str(counts.get(column) or NONE) for column in columns), str(sum(counts.values())))
        for row, counts in summary.counts.items()
    )
    print_tables([TextTable(summary.title, (summary.rows_are, *columns, "all"), rows)], out)
    for style, lines in (("yellow", summary.warnings), ("bold red", summary.errors), ("", summary.notes)):
        for line in lines:
            out.print(Text(line, style=style), soft_wrap=True)
    return 1 if summary.errors else 0


data = data_app()
record = record_app()
