"""Checks games: reads each, and carries out the actions that should solve it."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from quintet.environments.alfworld.engine.household import household
from quintet.environments.alfworld.expert import expert_plan, verify_plan
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.sources.folder import HOW, roots, type_of
from quintet.environments.alfworld.sources.listing import BadFile, Listing, list_games, read_whole_game
from quintet.errors import UsageError


class CheckedSplit(Struct, frozen=True):
    """A split of a folder."""

    split: str
    games: dict[str, int]
    """The number of good games, by task type."""
    left_out: int
    unsolvable: int
    foreign: tuple[str, ...]
    """Why games can only be checked by the official engine; each text names the file."""
    bad: tuple[BadFile, ...]


def check_games(path: Path) -> Iterator[CheckedSplit]:
    """Check every split of a folder of games, in order.

    Raises:
        UsageError: there are no games, or two with one name.
    """
    found = {split: list_games(root) for split, root in roots(path).items()}
    if not any(listing.files or listing.bad for listing in found.values()):
        raise UsageError(f"data: expected games, got none; {HOW} ({path})")
    return (_check_split(split, listing) for split, listing in found.items())


def _check_split(split: str, found: Listing) -> CheckedSplit:
    games: dict[str, int] = {}
    bad, foreign = list(found.bad), list[str]()
    for name, file in found.files.items():
        try:
            reason = game_error(read_whole_game(file))
        except ForeignGameError as error:
            foreign.append(f"game: {error} ({file})")
            continue
        if reason is None:
            kind = type_of(name, file)
            games[kind] = games.get(kind, 0) + 1
        else:
            bad.append(BadFile(file, f"{reason} ({file})"))
    return CheckedSplit(split, games, found.left_out, found.unsolvable, tuple(foreign), tuple(bad))


def game_error(game: Game) -> str | None:
    """Why a game is bad; None if its walkthrough solves it, or the expert does where it has none.

    Raises:
        ForeignGameError: only the official engine can play it.
    """
    try:
        house = household(game)
    except ValueError as error:
        return f"game: {error}"
    if house.goal.reached(house.begin):
        return "game: expected a goal still to be reached, got one that is reached at the start"
    if game.walkthrough is None:
        solved = expert_plan(house, house.begin)
        return None if solved else "game: expected a way to the goal, got none that the expert knows"
    solved = verify_plan(house, house.begin, game.walkthrough)
    return None if solved else "walkthrough: expected actions that reach the goal, got some that do not"
