"""ALFWorld's data commands: make games, and check games."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from quintet.environments.alfworld.engine.household import household
from quintet.environments.alfworld.expert import expert_plan, verify_plan
from quintet.environments.alfworld.games.dialect import DIALECTS, DialectName
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.generator.layout import write
from quintet.environments.alfworld.generator.objectives import SHORT
from quintet.environments.alfworld.generator.splits import spread_evenly
from quintet.environments.alfworld.sources.folder import HOW, roots, type_of
from quintet.environments.alfworld.sources.listing import list_games, read_whole_game
from quintet.environments.data_commands import DataSummary
from quintet.errors import UsageError

_MOST = 1_000_000


def generate_data(*, games: int, out: Path, seed: int = 0, dialect: DialectName = "new") -> DataSummary:
    """Write generated games in the layout of the official data, spread evenly over splits and task types.

    Args:
        games: How many.
        out: The folder to write, new or empty.
        seed: The same seed gives the same games.
        dialect: The games' wording: new (ALFWorld 0.4.0 and later) or classic (before).

    Raises:
        UsageError: the number is too large, or the folder cannot be written.
    """
    if not 1 <= games <= _MOST:
        raise UsageError(f"--games: expected 1 to {_MOST:,}, got {games:,}")
    counts = spread_evenly(games)
    written = write(out, counts, seed, DIALECTS[dialect])
    by_split = {split: {SHORT[kind]: number for kind, number in kinds.items()} for split, kinds in counts.items()}
    note = f"{_games(len(written))} in {out}; --set environment.data={out} plays them"
    return DataSummary(title="games written", rows_are="split", counts=_in_order(by_split), notes=(note,))


def check_data(path: Path) -> DataSummary:
    """Read every game in a folder and carry its walkthrough out; name every bad file.

    Args:
        path: A folder of games, or one game file.

    Raises:
        UsageError: there are no games.
    """
    found = {split: list_games(root) for split, root in roots(path).items()}
    if not any(listing.files or listing.bad for listing in found.values()):
        raise UsageError(f"data: expected games, got none; {HOW} ({path})")
    counts: dict[str, Counter[str]] = {split: Counter() for split in found}
    bad, foreign = list[str](), list[str]()
    for split, listing in found.items():
        bad += (each.reason for each in listing.bad)
        for name, file in listing.files.items():
            try:
                if (reason := game_error(read_whole_game(file))) is None:
                    counts[split][type_of(name, file)] += 1
                else:
                    bad.append(f"{reason} ({file})")
            except ForeignGameError as error:
                foreign.append(f"game: {error} ({file})")
    unsolvable = sum(each.unsolvable for each in found.values())
    left_out = sum(each.left_out for each in found.values())
    notes = [f"not tried out: {_games(len(foreign))} that only the official engine can play"] * bool(foreign)
    if unsolvable or left_out:
        notes.append(f"left out: {unsolvable} unsolvable, {left_out} of an unsupported kind")
    return DataSummary(
        title="games that hold what they say",
        rows_are="split",
        counts=_in_order(counts),
        warnings=tuple(f"foreign: {reason}" for reason in foreign),
        errors=tuple(f"bad: {reason}" for reason in bad),
        notes=tuple(notes),
    )


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


def _games(number: int) -> str:
    return f"{number} game" + ("" if number == 1 else "s")


def _in_order(by_split: Mapping[str, Mapping[str, int]]) -> Mapping[str, Mapping[str, int]]:
    none = dict.fromkeys(SHORT.values(), 0)
    return {split: none | dict(counts) for split, counts in by_split.items()}
