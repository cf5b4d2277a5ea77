"""What AutoPlan's two ablations have in common: the first three plans for heat tasks, five runs of each kind."""

from collections.abc import Iterable, Mapping
from typing import Any

from quintet.reports.load import Reported
from quintet.reports.published import PUBLISHED, Published, agrees, of_one_type

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


def ablation(source: str, **learning: Any) -> Published:
    """What the paper's ablations had in common, as an entry without figures.

    Args:
        source: the table or figure.
        learning: options of how it learns that it did not vary.
    """
    learnt = next(each for each in PUBLISHED["autoplan", "alfworld"] if each.apart)
    return of_one_type(learnt, "heat")._replace(source=source, groups={}, learning={"select": "last", **learning})


def repeat(paper: Published, arms: Iterable[Reported]) -> bool:
    """Whether all runs of an ablation are on the paper's tasks, with its budget and options."""
    return all(agrees(paper, run.summary.record) for run in arms)
