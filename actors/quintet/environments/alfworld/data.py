"""ALFWorld's data commands: make games, and check games."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from quintet.environments.alfworld.games.dialect import DIALECTS, DialectName
from quintet.environments.alfworld.generator.layout import write
from quintet.environments.alfworld.generator.objectives import SHORT
from quintet.environments.alfworld.generator.splits import spread_evenly
from quintet.environments.alfworld.sources.check import check_games
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
    found = list(check_games(path))
    left_out: Counter[str] = Counter()
    for each in found:
        left_out.update(unsolvable=each.unsolvable, unsupported=each.left_out)
    foreign = [reason for each in found for reason in each.foreign]
    notes = [f"not tried out: {_games(len(foreign))} that only the official engine can play"] * bool(foreign)
    if left_out.total():
        notes.append(f"left out: {left_out['unsolvable']} unsolvable, {left_out['unsupported']} of an unsupported kind")
    return DataSummary(
        title="games that hold what they say",
        rows_are="split",
        counts=_in_order({each.split: each.games for each in found}),
        warnings=tuple(f"foreign: {reason}" for reason in foreign),
        errors=tuple(f"bad: {bad.reason}" for each in found for bad in each.bad),
        notes=tuple(notes),
    )


def _games(number: int) -> str:
    return f"{number} game" + ("" if number == 1 else "s")


def _in_order(by_split: Mapping[str, Mapping[str, int]]) -> Mapping[str, Mapping[str, int]]:
    none = dict.fromkeys(SHORT.values(), 0)
    return {split: none | dict(counts) for split, counts in by_split.items()}
