"""`record`: keep what sessions of a world show, to be served again, with the command that the world declares."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from cyclopts import App

from quintet.cli.data import world_commands
from quintet.environments.data_commands import DataCommand, record_command
from quintet.plugins import catalogue

_NAME: Final = "record"


def record_app() -> App:
    """The command, with a subcommand for each world that declares one: `record WORLD`."""
    found = App(name=_NAME, help="Keep what an environment's sessions show.", help_format="plaintext")
    for world in catalogue.names("environment"):
        for command in world_commands(world, _declared).values():
            found.command(command, name=world)
    return found


def _declared(world: Callable[..., Any]) -> Mapping[str, DataCommand]:
    command = record_command(world)
    return {} if command is None else {_NAME: command}


record = record_app()
