"""How a task went over its epochs, and what attempts spent together, added up one attempt at a time."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from quintet.config.tasks import TaskEntry
from quintet.journal.cells import decode_figures
from quintet.quota.prices import Nanodollars
from quintet.reports.rows import AttemptResult, Bill, Spending


@dataclass(slots=True)
class Sum:
    """What attempts spent together, added up one at a time."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    nanodollars: Nanodollars | None = 0
    microseconds: int = 0
    steps: int = 0
    """Actions in environments."""

    def add(self, bill: Bill, microseconds: int = 0, steps: int = 0) -> None:
        """Add what an attempt spent."""
        (calls, prompt, completion), cost = bill
        self.calls += calls
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        self.microseconds += microseconds
        self.steps += steps
        self.nanodollars = None if cost is None or self.nanodollars is None else self.nanodollars + cost

    @classmethod
    def over(cls, parts: Iterable["Sum"]) -> "Sum":
        """The sum of sums."""
        found = cls()
        for part in parts:
            found.add(part.bill, part.microseconds, part.steps)
        return found

    @property
    def bill(self) -> Bill:
        """The calls, tokens and costs."""
        return Bill(Spending(self.calls, self.prompt_tokens, self.completion_tokens), self.nanodollars)


@dataclass(slots=True)
class TaskResult:
    """How a task went, over its epochs. Faulted and unfinished episodes are not counted."""

    task: TaskEntry
    rewards: dict[int, float] = field(default_factory=dict[int, float])
    """By epoch, of the episodes with a result, good or bad; each in [0, 1]."""
    figures: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """Further ones by name, of the episodes that have them."""
    claimed: int = 0
    """Episodes whose model claimed success."""
    unclaimed: int = 0
    """Episodes without a claim."""
    depth: int = 0
    """The sum of the recursion levels of those that succeeded."""
    cut_short: int = 0
    """Episodes that had spent their budget before they ended by themselves."""
    effort: Sum = field(default_factory=Sum)
    """What the episodes took together, without what a judge spent on them."""

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

    def add(self, attempt: AttemptResult, *, cut_short: bool) -> None:
        """Add an episode with a result."""
        row = attempt.row
        self.rewards[row.epoch] = reward = row.reward or 0.0
        for name, figure in decode_figures(row.figures).items():
            self.figures.setdefault(name, []).append(figure)
        self.claimed += row.claimed == 1
        self.unclaimed += row.claimed is None
        self.depth += (row.depth or 0) if reward >= 1 else 0
        self.cut_short += cut_short
        self.effort.add(attempt.own, row.seconds or 0, row.steps or 0)
