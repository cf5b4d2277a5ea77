"""One row per task and epoch: how an attempt went, by the journal; mostly the newest attempt."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeAlias

from quintet.config.tasks import TaskEntry
from quintet.events import EpisodeEnded, EpisodeState
from quintet.journal.decoder import finishes_of
from quintet.journal.reader import JournalReader, Spending
from quintet.messages.paths import Path, episode_path
from quintet.ports.model import Finish
from quintet.quota.prices import Nanodollars, Price, costs_of
from quintet.runs.attempts import is_result, newest

RowState: TypeAlias = EpisodeState | Literal["unfinished", "not begun"]

_NOTHING = Spending()


class Repeats(NamedTuple):
    """How often an operator had a task repeated (`quintet ctl requeue`)."""

    times: int = 0
    discarded: int = 0
    """How many of those attempts had a result, which no longer counts."""


_NEVER = Repeats()


@dataclass(frozen=True)
class TaskRow:
    """How a task went in one epoch: its newest attempt, or the one that counts."""

    task: str
    epoch: int
    attempt: int
    metadata: Mapping[str, str]
    state: RowState
    """As the method reported it."""
    reward: float = 0.0
    claimed: bool | None = None
    """Whether the model claimed success; None if it made no claim."""
    depth: int = 0
    """The deepest recursion level, 1 being the task itself; 0 if the episode did not end."""
    spent: Spending = _NOTHING
    nanodollars: int | None = None
    """Cost of its answered calls; None if a model has no price."""
    seconds: float = 0.0
    """Wall time of all its starts; of one that was killed, until the last that it recorded."""
    reason: str = ""
    """Why the method gave up, or what the fault was."""
    unanswered: Mapping[Finish, int] = field(default_factory=dict[Finish, int])
    """How many of its completions were cut off or empty, by how they ended."""
    repeats: Repeats = _NEVER

    @property
    def path(self) -> Path:
        """The episode's path in the journal."""
        return episode_path(self.task, self.epoch, self.attempt)

    @property
    def ended(self) -> bool:
        """Whether it has a result, good or bad. A fault is no result."""
        return self.state in ("solved", "unsolved")

    @property
    def success(self) -> bool:
        """Whether the reward was earned in full."""
        return self.ended and self.reward >= 1


@dataclass(frozen=True)
class Bill:
    """What several attempts spent together."""

    spent: Spending
    nanodollars: Nanodollars | None
    """Cost of their answered calls; None if a model has no price."""


def total(bills: Collection[Bill]) -> Bill:
    """The sum of bills."""
    known = [bill.nanodollars for bill in bills if bill.nanodollars is not None]
    return Bill(
        Spending(*map(sum, zip(*(bill.spent for bill in bills), strict=True))),
        sum(known) if len(known) == len(bills) else None,
    )


@dataclass(frozen=True)
class Attempts:
    """All attempts in a journal. Empty before the run begins."""

    newest: Mapping[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    """The newest attempt that has begun, by task and epoch."""
    ended: Mapping[Path, tuple[EpisodeEnded, float]] = field(default_factory=dict[Path, tuple[EpisodeEnded, float]])
    """Its end, and after how many seconds."""
    spent: Mapping[Path, Spending] = field(default_factory=dict[Path, Spending])
    costs: Mapping[Path, Nanodollars | None] = field(default_factory=dict[Path, Nanodollars | None])
    unanswered: Mapping[Path, Mapping[Finish, int]] = field(default_factory=dict[Path, Mapping[Finish, int]])
    """How many completions were cut off or empty, by how they ended."""
    bounded: int = 0
    """How many completions were too long or reported impossible token counts."""
    requeued: frozenset[Path] = frozenset()
    """Attempts that an operator asked for."""

    @classmethod
    def read(cls, reader: JournalReader, prices: Mapping[str, Price]) -> "Attempts":
        """Read all attempts.

        Args:
            reader: of the journal.
            prices: by model.
        """
        rows = reader.episodes()
        paths = {row.number: row.path for row in rows}
        ends = ((record.event, record.seconds) for record in reader.ended())
        spent: dict[Path, Spending] = {}
        unanswered: dict[Path, Counter[Finish]] = {}
        used = [use for use in reader.used() if use.episode in paths]
        for use in used:
            path = paths[use.episode]
            before = spent.get(path, _NOTHING)
            spent[path] = Spending(
                before.calls + use.calls,
                before.prompt_tokens + use.prompt_tokens,
                before.completion_tokens + use.completion_tokens,
            )
            unanswered.setdefault(path, Counter()).update(finishes_of(use))
        return cls(
            newest=newest(paths.values()),
            ended={event.path: (event, seconds) for event, seconds in ends if isinstance(event, EpisodeEnded)},
            spent=spent,
            costs=costs_of(((paths[use.episode], use.model, use.usage) for use in used), prices),
            unanswered=unanswered,
            bounded=sum(use.bounded for use in used),
            requeued=reader.requeued(),
        )

    def row(self, task: TaskEntry, epoch: int, attempt: int | None = None) -> TaskRow:
        """How a task went in an epoch.

        Args:
            task: of the run.
            epoch: from 0.
            attempt: at it; None: the newest.
        """
        attempt = self.newest.get((task.name, epoch)) if attempt is None else attempt
        path = episode_path(task.name, epoch, attempt or 0)
        row = TaskRow(
            task=task.name,
            epoch=epoch,
            attempt=attempt or 0,
            metadata=task.metadata,
            state="not begun" if attempt is None else "unfinished",
            spent=self.spent.get(path, _NOTHING),
            nanodollars=self.costs.get(path, 0),
            unanswered=self.unanswered.get(path, {}),
            repeats=self._repeats(task.name, epoch, attempt or 0),
        )
        if path not in self.ended:
            return row
        event, seconds = self.ended[path]
        return replace(
            row,
            state=event.state,
            reward=event.reward,
            claimed=event.claimed,
            depth=event.depth,
            seconds=seconds,
            reason=event.why,
        )

    def _repeats(self, task: str, epoch: int, attempt: int) -> Repeats:
        numbers = [number for number in range(1, attempt + 1) if episode_path(task, epoch, number) in self.requeued]
        before = (self.ended.get(episode_path(task, epoch, number - 1)) for number in numbers)
        return Repeats(len(numbers), sum(end is not None and is_result(end[0]) for end in before))

    def bill(self, counts: Callable[[Path], bool] = lambda _: True) -> Bill:
        """What attempts spent, faulted ones included.

        Args:
            counts: which attempts; all by default.
        """
        return total([Bill(spent, self.costs[path]) for path, spent in self.spent.items() if counts(path)])
