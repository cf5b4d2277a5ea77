"""Whether games are what they say: each is read, and the actions that should solve it are carried out."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from quintet.environments.alfworld.engine.household import household
from quintet.environments.alfworld.expert import expert_plan, verified
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.sources.folder import HOW, roots, type_of
from quintet.environments.alfworld.sources.listing import Bad, Listing, list_games, whole
from quintet.errors import UsageError


class Checked(Struct, frozen=True):
    """A split of a folder."""

    split: str
    games: dict[str, int]
    """Games that hold what they say, by task type."""
    left_out: int
    unsolvable: int
    foreign: tuple[str, ...]
    """Why only the official engine can tell; each names its file."""
    bad: tuple[Bad, ...]


def check_games(path: Path) -> Iterator[Checked]:
    """Every split of a folder of games, in order.

    Raises:
        UsageError: there are no games, or two with one name.
    """
    found = {split: list_games(root) for split, root in roots(path).items()}
    if not any(listing.files or listing.bad for listing in found.values()):
        raise UsageError(f"data: expected games, got none; {HOW} ({path})")
    return (_checked(split, listing) for split, listing in found.items())


def _checked(split: str, found: Listing) -> Checked:
    games: dict[str, int] = {}
    bad, foreign = list(found.bad), list[str]()
    for name, file in found.files.items():
        try:
            reason = wrong(whole(file))
        except ForeignGameError as error:
            foreign.append(f"game: {error} ({file})")
            continue
        if reason is None:
            kind = type_of(name, file)
            games[kind] = games.get(kind, 0) + 1
        else:
            bad.append(Bad(file, f"{reason} ({file})"))
    return Checked(split, games, found.left_out, found.unsolvable, tuple(foreign), tuple(bad))


def wrong(game: Game) -> str | None:
    """What is wrong with a game; None where its walkthrough, or without one the expert, solves it.

    Raises:
        ForeignGameError: only the official engine can tell.
    """
    try:
        house = household(game)
    except ValueError as error:
        return f"game: {error}"
    if house.goal.reached(house.begin):
        return "game: expected a goal still to be reached, got one that is reached at the start"
    if game.walkthrough is None:
        return (
            None
            if expert_plan(house, house.begin)
            else "game: expected a way to the goal, got none that the expert knows"
        )
    solved = verified(house, house.begin, game.walkthrough)
    return None if solved else "walkthrough: expected actions that reach the goal, got some that do not"
