"""Sums the charges of a run in SQL, each rounded up like `Price.cost`, so that no row of them is read in Python."""

from collections.abc import Mapping
from typing import Annotated, Final, NamedTuple

from msgspec import Meta

from quintet.quota.prices import Price

_COUNTS: Final = ("prompt_tokens", "cached_tokens", "completion_tokens")
_SOUND: Final = " AND ".join(f"typeof(charge.{count}) = 'integer' AND charge.{count} >= 0" for count in _COUNTS)
_FRESH: Final = "max(charge.prompt_tokens - charge.cached_tokens, 0)"
_CACHED: Final = "min(charge.cached_tokens, charge.prompt_tokens)"


class ChargeTotalRow(NamedTuple):
    """The charges of a run together."""

    charges: int
    tokens: Annotated[int, Meta(ge=0)] | None
    nanodollars: Annotated[int, Meta(ge=0)] | None
    """Of those to models with a price; None: there are none."""
    unpriced: int
    """How many were to a model without a price."""
    damaged: int
    """How many have counts that cannot be read; they are not counted otherwise."""


def charge_total_query(prices: Mapping[str, Price]) -> tuple[str, list[str | int]]:
    """A query for the `ChargeTotalRow`, and its values.

    Args:
        prices: by model.
    """
    rates = ", ".join(["(NULL, NULL, NULL, NULL, NULL)", *("(?, ?, ?, ?, ?)" for _ in prices)])
    query = f"""
    WITH rates (name, input, cached_input, output, unit) AS (VALUES {rates})
    SELECT count(*),
        sum(charge.prompt_tokens + charge.completion_tokens) FILTER (WHERE {_SOUND}),
        sum(({_FRESH} * rate.input + {_CACHED} * rate.cached_input + charge.completion_tokens * rate.output
            + rate.unit - 1) / rate.unit) FILTER (WHERE {_SOUND}),
        count(*) FILTER (WHERE rate.unit IS NULL), count(*) FILTER (WHERE NOT ({_SOUND}))
    FROM _charges AS charge LEFT JOIN (SELECT id, rates.* FROM _models JOIN rates USING (name)) AS rate
    ON rate.id = charge.model
    """
    return query, [value for name, price in prices.items() for value in (name, *price.rates)]
