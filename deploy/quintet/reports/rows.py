"""Attempts as a journal has them, the row of a task in an epoch, and how a task went over its epochs."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from quintet.config.tasks import TaskEntry
from quintet.events import Ending, EpisodeEnded, EpisodeState
from quintet.journal.cells import decode_figures
from quintet.journal.codes import STATES
from quintet.journal.episode_rows import EpisodeRow, TrialRow, UseRow, end_of, endings_of
from quintet.journal.reader import JournalReader
from quintet.messages.grading import Grade
from quintet.messages.message import request_name
from quintet.messages.paths import Path, episode_path
from quintet.quota.cost import NOTHING, Cost, total
from quintet.quota.prices import Price
from quintet.runs.ends import is_result
from quintet.runs.fork_record import ContinuationKey

RowState: TypeAlias = EpisodeState | Literal["unfinished", "not begun"]

WITHOUT_END: Final[tuple[RowState, ...]] = ("unfinished", "interrupted", "not begun")
"""Of episodes that are still to end; one whose newest attempt was interrupted begins again."""

GRADE: Final = request_name(Grade)
"""The phase of a judge's calls."""

_NOTHING: Mapping[Any, Any] = MappingProxyType({})


def without_judge(phases: Mapping[str, Cost]) -> Cost:
    """What was spent on all phases but that of a judge."""
    return total(cost for phase, cost in phases.items() if phase != GRADE)


class AttemptResult(NamedTuple):
    """An attempt, and what it spent."""

    row: EpisodeRow
    phases: Mapping[str, Cost] = _NOTHING
    """What it spent, by what the calls were for."""
    unanswered: Mapping[Ending, int] = _NOTHING
    """How many of its completions hold no answer, by how they ended."""
    free: int = 0
    """How many of its completions answer a question that any text answers."""
    bounded: int = 0
    """How many of its completions were too long or reported impossible token counts."""
    trials: Sequence[TrialRow] = ()
    """Those that its methods ended, in order."""
    recalled: int = 0
    """How many tuples or notes it recalled; one that it recalled twice counts twice."""

    @property
    def cost(self) -> Cost:
        """What it spent, without a judge's part, which is not the method's."""
        return without_judge(self.phases)

    @property
    def state(self) -> EpisodeState | Literal["unfinished"]:
        """As the method reported it."""
        return "unfinished" if self.row.state is None else STATES[self.row.state]

    @property
    def end(self) -> EpisodeEnded | None:
        """Its end; None if it has not ended."""
        record = end_of(self.row)
        return record.event if record is not None and isinstance(record.event, EpisodeEnded) else None


def read_attempts(reader: JournalReader, prices: Mapping[str, Price]) -> Iterator[AttemptResult]:
    """Every attempt in a journal, in the order of their starts."""
    trials, amounts = reader.trials(), reader.recalled_amounts()
    trial = next(trials, None)
    for row, used in reader.attempts():
        own: list[TrialRow] = []
        while trial is not None and trial.episode <= row.number:
            own += [trial] * (trial.episode == row.number)
            trial = next(trials, None)
        if not used and not own and row.number not in amounts:
            yield AttemptResult(row)
            continue
        unanswered: Counter[Ending] | None = None
        for use in used:
            if use.unanswered is not None:
                unanswered = unanswered or Counter()
                unanswered.update(endings_of(use))
        free = 0 if unanswered is None else unanswered.pop("free", 0)
        bounded = sum(use.bounded for use in used)
        recalled = amounts.get(row.number, 0)
        yield AttemptResult(row, by_phase(used, prices), unanswered or _NOTHING, free, bounded, own, recalled)


def by_phase(used: Iterable[UseRow], prices: Mapping[str, Price]) -> dict[str, Cost]:
    """What an attempt spent, by what its calls were for."""
    phases: dict[str, Cost] = {}
    for use in used:
        cost = Cost.of(use.usage, prices.get(use.model), use.calls)
        phases[use.phase] = phases.get(use.phase, NOTHING) + cost
    return phases


class Repeats(NamedTuple):
    """How often an operator had a task repeated (`quintet ctl requeue`)."""

    times: int = 0
    discarded: int = 0
    """How many of those attempts had a result, which no longer counts."""

    @classmethod
    def of(cls, newest: EpisodeRow, requeued: Collection[Path], results: Collection[Path]) -> "Repeats":
        """Count the repeats of a task in an epoch: attempts that an operator asked for, and earlier results."""
        numbers = range(1, newest.attempt + 1)
        paths = [episode_path(newest.task, newest.epoch, number) for number in (0, *numbers)]
        asked = [number for number in numbers if paths[number] in requeued]
        return cls(len(asked), sum(paths[number - 1] in results for number in asked))


NEVER_REPEATED = Repeats()


class TaskRow(NamedTuple):
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
    figures: Mapping[str, float] = _NOTHING
    """Further ones by name, each in [0, 1]."""
    cost: Cost = NOTHING
    """Of its answered calls, a judge's left out."""
    phases: Mapping[str, Cost] = _NOTHING
    """What it spent, by what the calls were for."""
    seconds: float | None = None
    """Wall time of all its starts; None if it did not end."""
    steps: int = 0
    """Actions in all its sessions."""
    recalled: int = 0
    """Tuples or notes; one that it recalled twice counts twice."""
    reason: str = ""
    """Why the method gave up, or what the fault was."""
    unanswered: Mapping[Ending, int] = _NOTHING
    """How many of its completions hold no answer, by how they ended."""
    repeats: Repeats = NEVER_REPEATED

    @classmethod
    def of(cls, task: TaskEntry, attempt: AttemptResult, repeats: Repeats = NEVER_REPEATED) -> "TaskRow":
        """The row of an attempt."""
        row, end = attempt.row, attempt.end
        begun = cls(
            task=task.name,
            epoch=row.epoch,
            attempt=row.attempt,
            metadata=task.metadata,
            state=attempt.state,
            cost=attempt.cost,
            phases=attempt.phases,
            unanswered=attempt.unanswered,
            repeats=repeats,
            steps=row.steps or 0,
            recalled=attempt.recalled,
        )
        if end is None:
            return begun
        return begun._replace(
            reward=end.reward,
            figures=end.figures,
            claimed=end.claimed,
            depth=end.depth,
            seconds=(row.seconds or 0) / 1_000_000,
            reason=end.why,
        )

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


class Attempts:
    """All attempts of a run that learns, by path, in the order of their starts."""

    def __init__(self, attempts: Iterable[AttemptResult] = (), requeued: Collection[Path] = ()) -> None:
        self.by_path = {attempt.row.path: attempt for attempt in attempts}
        self.newest: dict[tuple[str, int], int] = {}
        """The newest attempt that has begun, by task and epoch."""
        for row, *_ in self.by_path.values():
            key = row.task, row.epoch
            self.newest[key] = max(row.attempt, self.newest.get(key, 0))
        self._requeued = requeued
        self._results = {path for path, attempt in self.by_path.items() if is_result(attempt.end)}

    def ended(self, path: Path) -> bool:
        """Whether an attempt has begun and ended."""
        return path in self.by_path and self.by_path[path].state != "unfinished"

    def row(self, task: TaskEntry, epoch: int, attempt: int | None = None) -> TaskRow:
        """How a task went in an epoch, at an attempt or else at the newest."""
        number = self.newest.get((task.name, epoch), 0) if attempt is None else attempt
        found = self.by_path.get(episode_path(task.name, epoch, number))
        if found is None:
            return TaskRow(task.name, epoch, number, task.metadata, "not begun")
        return TaskRow.of(task, found, Repeats.of(found.row, self._requeued, self._results))

    def cost(self, counts: Callable[[Path], bool]) -> Cost:
        """What attempts spent, faulted ones included, without a judge's part."""
        return total(attempt.cost for path, attempt in self.by_path.items() if counts(path))


@dataclass(slots=True)
class TaskResult:
    """How a task went, over its epochs. Faulted and unfinished episodes are not counted."""

    task: TaskEntry
    rewards: dict[int, float] = field(default_factory=dict[int, float])
    """By epoch, from 0 in a version too, of the episodes with a result, good or bad; each in [0, 1]."""
    figures: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """Further ones by name, of the episodes that have them."""
    claimed: int = 0
    """Episodes whose model claimed success."""
    unclaimed: int = 0
    """Episodes without a claim."""
    depth: int = 0
    """The sum of the recursion levels of those that succeeded."""
    recalled: dict[int, int] = field(default_factory=dict[int, int])
    """By epoch, as in `rewards`, how many tuples or notes the episode recalled, if any."""
    versions: dict[int, int] = field(default_factory=dict[int, int])
    """In a run that learns, by epoch, as in `rewards`, the epoch in the journal: a version."""
    continues: Mapping[int, ContinuationKey] = field(default_factory=dict[int, ContinuationKey])
    """In a fork, what its epochs are."""
    cut_short: int = 0
    """Episodes that had spent their budget before they ended by themselves."""
    cost: Cost = NOTHING
    """Of the episodes together, without what a judge spent on them."""

    @property
    def ended(self) -> int:
        """Episodes with a result."""
        return len(self.rewards)

    @property
    def successes(self) -> dict[int, bool]:
        """By epoch, whether the episode earned its reward in full."""
        return {epoch: reward >= 1 for epoch, reward in self.rewards.items()}

    @property
    def succeeded(self) -> int:
        """Episodes that succeeded."""
        return sum(reward >= 1 for reward in self.rewards.values())

    def pairs(self, other: "TaskResult") -> list[tuple[int, int]]:
        """The epochs of the same episodes, ours and theirs: of the same number, recorded and continued, or continued.

        In two forks a continuation has the same place among those of its episode, whatever was changed in each.
        """
        if bool(self.continues) == bool(other.continues):
            theirs = {other.continues.get(epoch, epoch): epoch for epoch in other.rewards}
            ours = ((epoch, self.continues.get(epoch, epoch)) for epoch in self.rewards)
            return [(epoch, theirs[key]) for epoch, key in ours if key in theirs]
        if not self.continues:
            return [(ours, theirs) for theirs, ours in other.pairs(self)]
        recorded = {other.versions.get(epoch, epoch): epoch for epoch in other.rewards}
        continued = ((epoch, self.continues[epoch].epoch) for epoch in self.rewards)
        return [(epoch, recorded[of]) for epoch, of in continued if of in recorded]

    def add(self, attempt: AttemptResult, epoch: int, *, cut_short: bool) -> None:
        """Add the episode of an epoch, with a result."""
        row = attempt.row
        self.rewards[epoch] = reward = row.reward or 0.0
        if row.epoch != epoch:
            self.versions[epoch] = row.epoch
        for name, figure in decode_figures(row.figures).items():
            self.figures.setdefault(name, []).append(figure)
        self.claimed += row.claimed == 1
        self.unclaimed += row.claimed is None
        self.depth += (row.depth or 0) if reward >= 1 else 0
        if attempt.recalled:
            self.recalled[epoch] = attempt.recalled
        self.cut_short += cut_short
        self.cost += attempt.cost + Cost(steps=row.steps or 0, microseconds=row.seconds or 0)


def stepless(tasks: Iterable[TaskResult]) -> bool:
    """Whether none of the episodes with a result took a step."""
    return not any(task.cost.steps for task in tasks)
