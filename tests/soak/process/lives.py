"""Plays the lives of a scenario, one process after the other, until the run has ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.soak.process.draw import Life, Scenario
from tests.soak.process.found import NOTHING, Came, Found, find

SECONDS = 300
"""A process that takes longer hangs."""
_FURTHER = 6
"""How many undisturbed processes may be needed for the rest: one, and some for budgets and an endpoint that refused."""
USD = 1e-6
"""Of a token."""
_ENOUGH = 50
"""The last budget, in runs."""
_CALL = 2_500
"""Tokens that the smallest budget has room for beside its share."""
_PRICES = "prices.toml"

ENDED, SPENT, USAGE, INTERRUPTED = (0, 1), 3, 2, 130


class Ending(NamedTuple):
    """How a process ended."""

    code: int
    """Negative: the signal that killed it."""
    hung: bool


@dataclass
class Played:
    """What happened in a scenario."""

    endings: list[int] = field(default_factory=list[int])
    """Exit codes, in order."""
    left: list[Found] = field(default_factory=list[Found])
    """After every process."""
    budgets: list[int | None] = field(default_factory=list[int | None])
    """Of every process, in tokens."""
    deaths: int = 0
    endpoint_died_last: bool = False
    """In the last process: completions that it made and did not send are in no journal."""
    requeued: bool = False
    broken: list[str] = field(default_factory=list[str])


class Lives:
    """Plays one scenario in a folder. Subclasses say what a process is.

    Args:
        whole: what the undisturbed run came to; None: this is that run.
    """

    def __init__(self, scenario: Scenario, folder: Path, whole: Came | None) -> None:
        self.scenario = scenario
        self.folder = folder
        self.run = folder / "run"
        self.whole = whole
        self.played = Played()
        self._budgets = self._all_budgets()

    def play(self) -> Played:
        """Run processes until the run has ended."""
        for life in (*self.scenario.lives, *[Life()] * _FURTHER):
            if self._live(life) in ENDED:
                return self.played
        codes = self.played.endings
        self.played.broken.append(f"end: expected the run to end in {_FURTHER} undisturbed processes, got {codes}")
        return self.played

    def live(self, life: Life, budget: int | None) -> Ending:
        """Begin the run, or resume it, in a process, and wait for its end.

        Args:
            budget: of the run, in tokens; None: none.
        """
        raise NotImplementedError

    def commit_of(self, share: float) -> int:
        """The commit at a share of those that are left, about; from 1."""
        assert self.whole is not None
        now = self.played.left[-1] if self.played.left else NOTHING
        left = 1 - len(now.content) / max(len(self.whole.found.content), 1)
        return 1 + int(share * max(left, 0.0) * self.whole.commits)

    def limits(self, budget: int | None) -> Mapping[str, int | float | str]:
        """The settings of a budget."""
        if budget is None:
            return {}
        if self.scenario.budget_usd:
            return {"limits.budget_usd": round(budget * USD, 6), "limits.prices": str(self.folder / _PRICES)}
        return {"limits.budget_tokens": budget, "limits.prices": str(self.folder / _PRICES)}

    def _all_budgets(self) -> list[int]:
        if self.whole is None or not self.scenario.budget:
            return []
        shares = [_CALL + int(share * self.whole.tokens) for share in self.scenario.budget]
        return [*shares, (self.whole.tokens + _CALL) * _ENOUGH]

    def _live(self, life: Life) -> int:
        budget = self._budgets[0] if self._budgets else None
        ending = self.live(life, budget)
        self._note(ending, budget)
        if ending.code == SPENT and len(self._budgets) > 1:
            del self._budgets[0]
        return ending.code

    def _note(self, ending: Ending, budget: int | None) -> None:
        played = self.played
        played.endings.append(ending.code)
        played.budgets.append(budget)
        played.deaths += ending.code < 0 and not ending.hung
        if ending.hung:
            played.broken.append(f"process {len(played.endings)}: expected it to end within {SECONDS} s, got none")
        played.left.append(find(self.run, self.folder))


def new_folder(folder: Path, models: tuple[str, ...]) -> Path:
    """A scenario's folder, with the prices of models."""
    folder.mkdir()
    tables = (f'["{name}"]\ninput = {USD * 1e6}\noutput = {USD * 1e6}\n' for name in models)
    (folder / _PRICES).write_text("".join(tables))
    return folder
