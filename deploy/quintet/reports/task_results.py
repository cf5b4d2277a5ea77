"""How a task went over its epochs, added up one attempt at a time."""

from dataclasses import dataclass, field

from quintet.config.tasks import TaskEntry
from quintet.journal.cells import decode_figures
from quintet.quota.cost import NOTHING, Cost
from quintet.reports.rows import AttemptResult


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
        self.cost += attempt.cost + Cost(steps=row.steps or 0, microseconds=row.seconds or 0)
