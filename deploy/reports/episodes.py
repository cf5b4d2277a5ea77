"""One row per task and epoch of a run, read from its journal."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from deploy.attempts import newest
from deploy.ending import HowEnded
from deploy.folders.record import shown
from deploy.folders.run import RunFolder
from deploy.journal.reader import JournalReader, Spending
from deploy.prices.costs import Charged, charged, costs_of
from protocols.events import EpisodeEnded, EpisodeState
from protocols.paths import Path, episode_path

RowState: TypeAlias = EpisodeState | Literal["unfinished", "not begun"]

_NOTHING = Spending()

SIMULATED = "simulated"
"""The fingerprint of an endpoint behind which no language model is, and what is added to a model's name."""


@dataclass(frozen=True)
class EpisodeRow:
    """How a task went in one epoch: its last attempt."""

    task: str
    epoch: int
    attempt: int
    facts: Mapping[str, str]
    state: RowState
    """By the method's own account."""
    reward: float = 0.0
    claimed: bool | None = None
    """The model's own claim about the task; None where it made none."""
    depth: int = 0
    """The deepest recursion level, 1 being the task itself; 0 where the episode did not end."""
    spent: Spending = _NOTHING
    nanodollars: int | None = None
    """What its answered calls cost; None where a model that it called has no price."""
    seconds: float = 0.0
    """Wall time of the start that ended it."""
    reason: str = ""
    """Why the method gave up, or what the fault was."""

    @property
    def path(self) -> Path:
        """The episode's path in the journal."""
        return episode_path(self.task, self.epoch, self.attempt)

    @property
    def ended(self) -> bool:
        """Whether it came to a result, good or bad. A fault is none."""
        return self.state in ("solved", "unsolved")

    @property
    def success(self) -> bool:
        """Whether the reward was earned in full."""
        return self.ended and self.reward >= 1


@dataclass(frozen=True)
class RunResults:
    """A run's rows, and what all its attempts spent together."""

    folder: RunFolder
    rows: tuple[EpisodeRow, ...]
    spent: Spending
    nanodollars: int | None = None
    """What the answered calls of all attempts cost; None where a model has no price."""
    charged: Charged | None = None
    """What the run's attempts at calls were charged; None where it kept no books."""
    fingerprints: tuple[tuple[str, str], ...] = ()
    """Which models answered, and what their endpoints call the system behind them; "" for nothing."""

    @property
    def model(self) -> str:
        """The run's models as they are shown: one that was simulated says so, behind an endpoint too."""
        simulated = {model for model, fingerprint in self.fingerprints if fingerprint == SIMULATED}
        models = self.folder.record.models
        return shown({role: f"{name} ({SIMULATED})" if name in simulated else name for role, name in models.items()})

    def count(self, *states: RowState) -> int:
        """How many rows are in one of the states."""
        return sum(row.state in states for row in self.rows)

    @property
    def begun(self) -> bool:
        """Whether any episode was."""
        return self.count("not begun") < len(self.rows)

    @property
    def finished(self) -> bool:
        """Whether every episode ended, by a result or a fault."""
        return self.ended != "interrupted"

    @property
    def ended(self) -> HowEnded:
        """How the run stands."""
        if self.count("unfinished", "not begun"):
            return "interrupted"
        return "faulted" if self.count("faulted") else "done"


def results(folder: RunFolder) -> RunResults:
    """Read a run, also while it goes on."""
    if not folder.journal.is_file():
        return RunResults(folder, tuple(_rows(folder, {}, {}, {})), _NOTHING)
    reader = JournalReader.open(folder.journal)
    try:
        spent = reader.spending()
        costs = costs_of(reader.used(), folder.prices)
        ended = {record.event.path: (record.event, record.seconds) for record in reader.ended()}
        rows = _rows(folder, newest(reader.incarnations()), ended, spent)
        known = [cost for cost in costs.values() if cost is not None]
        return RunResults(
            folder,
            rows=tuple(replace(row, nanodollars=costs.get(row.path, 0)) for row in rows),
            spent=Spending(*map(sum, zip(*spent.values(), strict=True))),
            nanodollars=sum(known) if len(known) == len(costs) else None,
            charged=charged(reader.charged(), folder.prices),
            fingerprints=tuple(reader.fingerprints()),
        )
    finally:
        reader.close()


def _rows(
    folder: RunFolder,
    attempts: Mapping[tuple[str, int], int],
    ended: Mapping[Path, tuple[object, float]],
    spent: Mapping[Path, Spending],
) -> list[EpisodeRow]:
    rows: list[EpisodeRow] = []
    for epoch, task in folder.record.repeated():
        attempt = attempts.get((task.name, epoch))
        path = episode_path(task.name, epoch, attempt or 0)
        event, seconds = ended.get(path, (None, 0.0))
        row = EpisodeRow(
            task=task.name,
            epoch=epoch,
            attempt=attempt or 0,
            facts=task.facts,
            state="not begun" if attempt is None else "unfinished",
            spent=spent.get(path, _NOTHING),
        )
        rows.append(_ended(row, event, seconds) if isinstance(event, EpisodeEnded) else row)
    return rows


def _ended(row: EpisodeRow, event: EpisodeEnded, seconds: float) -> EpisodeRow:
    return EpisodeRow(
        task=row.task,
        epoch=row.epoch,
        attempt=row.attempt,
        facts=row.facts,
        state=event.state,
        reward=event.reward,
        claimed=event.claimed,
        depth=event.depth,
        spent=row.spent,
        seconds=seconds,
        reason=event.why,
    )
