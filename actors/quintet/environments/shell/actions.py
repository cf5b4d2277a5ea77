"""Reads what the agent does: a command to run, or the end of its work."""

from typing import Final

from msgspec import Struct

from quintet.environments.shell.sandbox import LONGEST_COMMAND

SUBMIT_ACTION: Final = "submit"
_OPENING, _CLOSING = "run[", "]"


class Run(Struct, frozen=True):
    """A command for bash."""

    command: str


class Submit(Struct, frozen=True):
    """The work is done, and is to be checked."""


class UnreadAction(Struct, frozen=True):
    """Neither."""

    reply: str


def run_action(command: str) -> str:
    """The action that runs a command."""
    return f"{_OPENING}{command}{_CLOSING}"


def parse_action(action: str) -> Run | Submit | UnreadAction:
    """Read an action; any text is allowed."""
    text = action.strip()
    if text.lower() in (SUBMIT_ACTION, f"{SUBMIT_ACTION}[]"):
        return Submit()
    if not (text[: len(_OPENING)].lower() == _OPENING and text.endswith(_CLOSING)):
        return UnreadAction(f"Nothing was run: expected run[a command] or {SUBMIT_ACTION}.")
    command = text[len(_OPENING) : -len(_CLOSING)].strip()
    if not command:
        return UnreadAction("Nothing was run: expected a command between the brackets.")
    try:
        size = len(command.encode())
    except UnicodeEncodeError:
        return UnreadAction("Nothing was run: expected a command of valid Unicode.")
    if "\0" in command or size > LONGEST_COMMAND:
        return UnreadAction(f"Nothing was run: expected at most {LONGEST_COMMAND:,} bytes, and no NUL.")
    return Run(command)
