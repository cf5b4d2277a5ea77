"""What episodes cost: the usage of their answered calls, at the prices that the run was begun with."""

from collections.abc import Iterable, Mapping

from deploy.config.prices import Price
from deploy.quota.budget import NANODOLLARS
from protocols.models import Usage
from protocols.paths import Path


def costs_of(used: Iterable[tuple[Path, str, Usage]], prices: Mapping[str, Price]) -> dict[Path, int | None]:
    """Nano-dollars by episode; None where a model that it called has no price.

    Args:
        used: by episode and model, what answered calls used.
        prices: by model.
    """
    costs: dict[Path, int | None] = {}
    for episode, model, usage in used:
        before = costs.get(episode, 0)
        costs[episode] = None if before is None or model not in prices else before + prices[model].cost(usage)
    return costs


def dollars(nanodollars: int | None) -> float | None:
    """For people and programs; sums are made before."""
    return None if nanodollars is None else nanodollars / NANODOLLARS
