"""An allowance: the most that a run or an episode may spend."""

from dataclasses import dataclass

from quintet.quota.cost import Cost
from quintet.quota.prices import NANODOLLARS


@dataclass(frozen=True)
class Allowance:
    """The most that may be spent; None: no limit."""

    nanodollars: int | None = None
    tokens: int | None = None

    @property
    def unlimited(self) -> bool:
        """Whether nothing is limited."""
        return self.nanodollars is None and self.tokens is None

    def holds(self, cost: Cost) -> bool:
        """Whether this much may be spent."""
        return (self.nanodollars is None or (cost.nanodollars or 0) <= self.nanodollars) and (
            self.tokens is None or cost.tokens <= self.tokens
        )

    def limited_part(self, cost: Cost) -> "Allowance":
        """The limited part of what was spent."""
        return Allowance(
            None if self.nanodollars is None else cost.nanodollars, None if self.tokens is None else cost.tokens
        )

    def __str__(self) -> str:
        parts = [] if self.nanodollars is None else [f"{self.nanodollars / NANODOLLARS:.6g} USD"]
        return " and ".join(parts if self.tokens is None else [*parts, f"{self.tokens:,} tokens"])
