"""Groups of attempts at one task, with the advantage of each over the others."""

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Final, NamedTuple

from quintet.journal.reader import JournalReader
from quintet.training.calls import finished_attempts

_EPSILON: Final = 1e-4


class Group(NamedTuple):
    """The attempts at a task that have a result."""

    attempts: int
    mean: float
    """Of their rewards."""
    deviation: float
    """Of their rewards, of a sample; 0 for one attempt."""

    @classmethod
    def of(cls, rewards: Sequence[float]) -> "Group":
        """The group of these rewards, at least one."""
        return cls(len(rewards), fmean(rewards), stdev(rewards) if len(rewards) > 1 else 0.0)

    def advantage(self, reward: float) -> float:
        """How much better than the group a reward is, in its standard deviations; 0 where all are alike.

        Source: GRPO (DeepSeekMath, section 4.1), with the small constant that TRL adds to the deviation.
        """
        return (reward - self.mean) / (self.deviation + _EPSILON)


def group_name(task: str, epoch: int, size: int) -> str:
    """The group of an episode: its task and the number of the group; of the task alone where none is declared.

    Args:
        size: the run's setting `run.group`; 1: all epochs are one group.
    """
    return task if size == 1 else f"{task}/{epoch // size}"


def groups_of(reader: JournalReader, size: int) -> dict[str, Group]:
    """The groups of a journal by name; `size` as in `group_name`."""
    rewards: dict[str, list[float]] = {}
    for row in finished_attempts(reader):
        rewards.setdefault(group_name(row.task, row.epoch, size), []).append(row.reward or 0.0)
    return {name: Group.of(each) for name, each in rewards.items()}
