"""Game files: one household problem with the domain and the grammar that it is played by."""

from pathlib import Path

import msgspec
from msgspec import Struct

from quintet.errors import UsageError
from quintet.plugins.files import read_regular

_LARGEST = 10_000_000
"""Bytes. The official files have about 75,000."""


class ForeignGameError(Exception):
    """A game whose rules or start only the official engine supports."""


class Game(Struct, frozen=True, kw_only=True):
    """The content of a `game.tw-pddl` file; the names are the format's."""

    pddl_domain: str
    grammar: str
    """The texts, in TextWorld's grammar language, objective included."""
    pddl_problem: str
    walkthrough: tuple[str, ...] | None = None
    """Actions that solve it."""
    solvable: bool | None = None
    """None: not tried yet."""


def read_game(file: Path) -> Game:
    """The game in a file; a `UsageError` if the file cannot be read, or holds no game."""
    try:
        content = read_regular(file, _LARGEST)
    except OSError as error:
        raise UsageError(f"game: expected a readable file, got {error.strerror or error} ({file})") from error
    except ValueError as error:
        raise UsageError(f"game: {error} ({file})") from error
    try:
        return msgspec.json.decode(content, type=Game)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"game: expected a game.tw-pddl file, got something else: {error} ({file})") from error


def to_bytes(game: Game) -> bytes:
    """The game as the bytes of a file."""
    return msgspec.json.encode(game)
