"""What AutoPlan's two ablations have in common: the first three plans for heat tasks, five runs of each kind."""

from collections.abc import Mapping
from typing import Any

HEAT: Mapping[str, Any] = {
    "method.name": "autoplan",
    "environment.name": "alfworld",
    "run.split": "valid_unseen",
    "run.task_type": "heat",
    "run.learn": True,
    "learning.iterations": 3,
    "learning.eval_every": 1,
}

SEEDS = 5
