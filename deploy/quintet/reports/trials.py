"""The trials of a run's methods, added up: success by trial, actions, plan revisions and steps per plan."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from quintet.journal.episode_rows import TrialRow
from quintet.reports.intervals import Estimate, rate


class TrialMeans(NamedTuple):
    """Means over the trials of a run."""

    trials: float
    """Per episode."""
    actions: float
    """Per trial."""
    first_actions: float
    """In the first trial of a request."""
    last_actions: float
    """In its last trial, which may be its first."""
    revisions: float | None
    """Plan revisions per episode; None without plans."""


@dataclass(slots=True)
class RunTrials:
    """The trials of one method, over the episodes that count and have a result.

    A method inside another one is asked several times in an episode; each time it makes trials from number 1 on.
    """

    method: str
    """Its name in the run; empty: the outermost one."""
    level: int
    """How deep the paths of its requests lie at least; 0: an episode's own."""
    episodes: int = 0
    """Those with a trial that ended."""
    requests: int = 0
    """Times that the method was asked."""
    trials: int = 0
    actions: int = 0
    """In all trials."""
    first_actions: int = 0
    """In the first trials of all requests."""
    last_actions: int = 0
    """In their last trials."""
    revisions: int = 0
    """Trials whose plan was made after another one had failed."""
    plan_steps: Counter[int] = field(default_factory=Counter[int])
    """By number of steps, the plans."""
    solved: dict[str, Counter[int]] = field(default_factory=dict[str, Counter[int]])
    """By task, in which trials its episodes first ended with the full reward."""
    most: int = 0
    """The greatest number of a trial."""

    def add(self, task: str, trials: Sequence[TrialRow]) -> None:
        """Add an episode with the trials of this method, in order; at least one."""
        self.episodes += 1
        by_request: dict[str, list[TrialRow]] = {}
        for trial in trials:
            by_request.setdefault(trial.solve, []).append(trial)
            self.actions += trial.actions
            self.revisions += trial.revised
            if trial.steps:
                self.plan_steps[trial.steps] += 1
            self.most = max(self.most, trial.number)
        self.trials += len(trials)
        self.requests += len(by_request)
        self.first_actions += sum(each[0].actions for each in by_request.values())
        self.last_actions += sum(each[-1].actions for each in by_request.values())
        successes = [trial.number for trial in trials if trial.reward >= 1]
        if successes:
            self.solved.setdefault(task, Counter[int]())[min(successes)] += 1

    def join(self, other: "RunTrials") -> None:
        """Add the trials of the same method in another run."""
        self.level = min(self.level, other.level)
        self.episodes += other.episodes
        self.requests += other.requests
        self.trials += other.trials
        self.actions += other.actions
        self.first_actions += other.first_actions
        self.last_actions += other.last_actions
        self.revisions += other.revisions
        self.plan_steps += other.plan_steps
        for task, solved in other.solved.items():
            self.solved[task] = self.solved.get(task, Counter[int]()) + solved
        self.most = max(self.most, other.most)

    @property
    def means(self) -> TrialMeans:
        """What a trial, a request and an episode have on average."""
        return TrialMeans(
            trials=self.trials / self.episodes,
            actions=self.actions / self.trials,
            first_actions=self.first_actions / self.requests,
            last_actions=self.last_actions / self.requests,
            revisions=self.revisions / self.episodes if self.plan_steps else None,
        )

    def success(self, ended: Mapping[str, int]) -> list[Estimate]:
        """For each trial, the share of tasks in which one up to it ended with the full reward.

        `ended` has by task the episodes with a result, also those without a trial that ended.
        """
        counted = [(self.solved.get(task, Counter[int]()), episodes) for task, episodes in ended.items() if episodes]
        return [
            rate([sum(solved[number] for number in range(1, trial + 1)) / episodes for solved, episodes in counted])
            for trial in range(1, self.most + 1)
        ]


class TrialTally:
    """Adds up trials, one episode at a time, for each method of a run."""

    def __init__(self) -> None:
        self._methods: dict[str, RunTrials] = {}

    def add(self, task: str, trials: Iterable[TrialRow]) -> None:
        """Add an episode with a result."""
        own: dict[str, list[TrialRow]] = {}
        for trial in trials:
            own.setdefault(trial.method, []).append(trial)
        for method, each in own.items():
            level = min(trial.solve.count("/") + 1 if trial.solve else 0 for trial in each)
            known = self._methods.setdefault(method, RunTrials(method, level))
            known.level = min(known.level, level)
            known.add(task, each)

    def counted(self) -> RunTrials | None:
        """The trials of the method whose requests lie highest; None without any."""
        return min(self._methods.values(), key=lambda trials: trials.level, default=None)
