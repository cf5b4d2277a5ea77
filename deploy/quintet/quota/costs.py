"""What episodes cost: the usage of their answered calls, at the prices that the run was begun with."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from quintet.messages.paths import Path
from quintet.ports.model import Usage
from quintet.quota.prices import NANODOLLARS, Nanodollars, Price


def costs_of(used: Iterable[tuple[Path, str, Usage]], prices: Mapping[str, Price]) -> dict[Path, Nanodollars | None]:
    """Nano-dollars by episode; None where a model that it called has no price.

    Args:
        used: by episode and model, what answered calls used.
        prices: by model.
    """
    costs: dict[Path, Nanodollars | None] = {}
    for episode, model, usage in used:
        before = costs.get(episode, 0)
        costs[episode] = None if before is None or model not in prices else before + prices[model].cost(usage)
    return costs


@dataclass(frozen=True)
class Charged:
    """What attempts at calls were charged, those that brought no answer included."""

    tokens: int
    nanodollars: Nanodollars | None
    """None where a model has no price."""


def charged(charges: Sequence[tuple[str, Usage]], prices: Mapping[str, Price]) -> Charged | None:
    """The sum of a run's books; None where there is nothing in them.

    Args:
        charges: of every attempt, its model and what it was charged for.
        prices: by model.
    """
    if not charges:
        return None
    priced = all(model in prices for model, _ in charges)
    return Charged(
        tokens=sum(usage.prompt_tokens + usage.completion_tokens for _, usage in charges),
        nanodollars=sum(prices[model].cost(usage) for model, usage in charges) if priced else None,
    )


def dollars(nanodollars: Nanodollars | None) -> float | None:
    """For people and programs; sums are made before."""
    return None if nanodollars is None else nanodollars / NANODOLLARS
