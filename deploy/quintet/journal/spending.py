"""Sums what model calls cost, in SQL: each rounded up like `Price.cost`, and without a look at every row in Python."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from quintet.journal.cells import Count
from quintet.quota.cost import Cost
from quintet.quota.prices import Price

_COUNTS: Final = ("prompt_tokens", "cached_tokens", "completion_tokens")
_SOUND: Final = " AND ".join(f"typeof(used.{count}) = 'integer' AND used.{count} >= 0" for count in _COUNTS)
_FRESH: Final = "max(used.prompt_tokens - used.cached_tokens, 0)"
_CACHED: Final = "min(used.cached_tokens, used.prompt_tokens)"


class SpentRow(NamedTuple):
    """What calls used and cost together."""

    group: int
    """What they have in common."""
    calls: Count
    prompt_tokens: Count | None
    completion_tokens: Count | None
    nanodollars: Count | None
    """Of those to models with a price; None: there are none."""
    unpriced: int
    """How many were to a model without a price."""
    damaged: int
    """How many have counts that cannot be read; they are not counted otherwise."""

    @property
    def cost(self) -> Cost:
        """Of those to models with a price."""
        return Cost(self.calls, self.prompt_tokens or 0, self.completion_tokens or 0, self.nanodollars or 0)


def spent_query(group: str, used: str, prices: Mapping[str, Price]) -> tuple[str, list[str | int]]:
    """A query for rows of `SpentRow`, and its values.

    Args:
        group: an expression of `used`.
        used: a table or a query, with `model` and counts of tokens, one row a call.
        prices: by model.
    """
    rates = ", ".join(["(NULL, NULL, NULL, NULL, NULL)", *("(?, ?, ?, ?, ?)" for _ in prices)])
    query = f"""
    WITH rates (name, input, cached_input, output, unit) AS (VALUES {rates})
    SELECT {group},
        count(*), sum(used.prompt_tokens) FILTER (WHERE {_SOUND}), sum(used.completion_tokens) FILTER (WHERE {_SOUND}),
        sum(({_FRESH} * rate.input + {_CACHED} * rate.cached_input + used.completion_tokens * rate.output
            + rate.unit - 1) / rate.unit) FILTER (WHERE {_SOUND}),
        count(*) FILTER (WHERE rate.unit IS NULL), count(*) FILTER (WHERE NOT ({_SOUND}))
    FROM {used} AS used LEFT JOIN (SELECT id, rates.* FROM _models JOIN rates USING (name)) AS rate
    ON rate.id = used.model GROUP BY 1
    """
    return query, [value for name, price in prices.items() for value in (name, *price.rates)]
