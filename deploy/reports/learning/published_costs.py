"""What papers say that a question cost, to stand beside what it cost here."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from deploy.folders.record import RunRecord
from deploy.reports.published import agree


class PublishedCost(NamedTuple):
    """A row of AutoPlan's table 4, in USD a question."""

    label: str
    inference: float
    training: float | None = None
    """None where nothing is trained."""
    method: Mapping[str, Any] = {}
    """Options that have to be as in the paper."""


SOURCE = "AutoPlan, table 4"
MODEL = "gpt-4-0314"

_TWO_SHOTS = {"demonstrations": "task"}

PUBLISHED_COSTS: Mapping[str, Sequence[PublishedCost]] = {
    "autoplan": [PublishedCost("AutoPlan", 1.6, training=1.8)],
    "react": [
        PublishedCost("ReAct (2 shots)", 3, method=_TWO_SHOTS),
        PublishedCost("Reflexion (2 shots)", 17, method=_TWO_SHOTS),
    ],
}
"""By method, those of ALFWorld. Reflexion is ReAct up to five times over. AdaPlanner's is left out: it was not run."""


def published_costs(record: RunRecord) -> tuple[PublishedCost, ...]:
    """What a question cost the paper with the same method under the same options.

    Unlike a success it stands beside generated households too, since what a question costs hardly hangs on which.
    """
    config = record.configuration
    if (config.environment.name, config.run.split, record.plan) != ("alfworld", "valid_unseen", ""):
        return ()
    if not agree({"causes": True}, config.environment.options):
        return ()
    found = PUBLISHED_COSTS.get(config.method.name, ())
    return tuple(each for each in found if agree(each.method, config.method.options))
