"""`data`: make games for worlds that are played from files, and check such files."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.text import Text

from quintet.cli.console import console
from quintet.environments.alfworld.games.dialect import DIALECTS, DialectName
from quintet.environments.alfworld.generator.layout import write
from quintet.environments.alfworld.generator.objectives import SHORT
from quintet.environments.alfworld.generator.splits import spread
from quintet.environments.alfworld.sources.checking import Checked, checked
from quintet.errors import UsageError
from quintet.reports.text_tables import NONE, TextTable, plural, print_tables

_MOST = 1_000_000


def generate(games: int, seed: int, out: Path, dialect: DialectName) -> None:
    """Write generated games in the official layout, and print how many of which.

    Raises:
        UsageError: a number or the folder is not to be had.
    """
    if not 1 <= games <= _MOST:
        raise UsageError(f"--games: expected 1 to {_MOST:,}, got {games:,}")
    counts = spread(games)
    written = write(out, counts, seed, DIALECTS[dialect])
    by_split = {split: {SHORT[kind]: number for kind, number in kinds.items()} for split, kinds in counts.items()}
    _print("games written", by_split)
    print(f"{plural(len(written), 'game')} in {out}; --set environment.data={out} plays them")


def check(path: Path) -> int:
    """Print what is in a folder of games, and every file that is not what it should be, or cannot be tried out here.

    Returns:
        The exit code: 1 where one is bad, else 0.

    Raises:
        UsageError: there are no games.
    """
    found = list(checked(path))
    _print("games that hold what they say", {each.split: each.games for each in found})
    _print_others(found)
    return 1 if any(each.bad for each in found) else 0


def _print(title: str, counts: Mapping[str, Mapping[str, int]]) -> None:
    types = list(dict.fromkeys([*SHORT.values(), *(kind for kinds in counts.values() for kind in kinds)]))
    rows = tuple(
        (split, *(str(kinds.get(kind) or NONE) for kind in types), str(sum(kinds.values())))
        for split, kinds in counts.items()
    )
    print_tables([TextTable(title, ("split", *types, "all"), rows)], console())


def _print_others(found: Sequence[Checked]) -> None:
    out = console()
    left_out: Counter[str] = Counter()
    for each in found:
        left_out.update(unsolvable=each.unsolvable, unsupported=each.left_out)
        for reason in each.foreign:
            out.print(Text(f"foreign: {reason}", style="yellow"), soft_wrap=True)
        for bad in each.bad:
            out.print(Text(f"bad: {bad.reason}", style="bold red"), soft_wrap=True)
    foreign = sum(len(each.foreign) for each in found)
    if foreign:
        print(f"not tried out: {plural(foreign, 'game')} that only the official engine can play")
    if left_out.total():
        print(f"left out: {left_out['unsolvable']} unsolvable, {left_out['unsupported']} of an unsupported kind")
