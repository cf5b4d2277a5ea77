"""Groups of attempts for a trainer: `async for group in rollouts(...)` (docs/training.md)."""

from quintet.rollouts.groups import Rollout, RolloutGroup, rollouts
from quintet.rollouts.policy import TrainedPolicy

__all__ = ["Rollout", "RolloutGroup", "TrainedPolicy", "rollouts"]
