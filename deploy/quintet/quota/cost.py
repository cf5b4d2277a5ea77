"""What was spent: one type for a call, an episode, a run and a study, added up with `+`."""

from collections.abc import Iterable
from typing import Annotated, Final

from msgspec import Meta, Struct

from quintet.ports.model import Usage
from quintet.quota.prices import NANODOLLARS, Price

_Count = Annotated[int, Meta(ge=0)]
"""As it is read; only a difference may be less."""


class Cost(Struct, frozen=True, array_like=True):
    """What model calls spent and, of whole episodes, how many steps and how long they took."""

    calls: _Count = 0
    prompt_tokens: _Count = 0
    completion_tokens: _Count = 0
    nanodollars: _Count | None = 0
    """None if a model has no price."""
    steps: int = 0
    """Actions in environments."""
    microseconds: int = 0
    cached_tokens: _Count = 0
    """Of the prompts', how many endpoints had cached."""

    @classmethod
    def of(cls, usage: Usage, price: Price | None, calls: int = 1) -> "Cost":
        """The cost of calls that used so much together; None: their model has no price."""
        cost = None if price is None else price.cost(usage)
        return cls(calls, usage.prompt_tokens, usage.completion_tokens, cost, cached_tokens=usage.cached_tokens)

    def __add__(self, other: "Cost") -> "Cost":
        unpriced = self.nanodollars is None or other.nanodollars is None
        return Cost(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            None if unpriced else (self.nanodollars or 0) + (other.nanodollars or 0),
            self.steps + other.steps,
            self.microseconds + other.microseconds,
            self.cached_tokens + other.cached_tokens,
        )

    def __sub__(self, other: "Cost") -> "Cost":
        less = None if other.nanodollars is None else -other.nanodollars
        tokens = -other.prompt_tokens, -other.completion_tokens
        return self + Cost(-other.calls, *tokens, less, -other.steps, -other.microseconds, -other.cached_tokens)

    @property
    def tokens(self) -> int:
        """Of prompts and completions."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def usd(self) -> float | None:
        """For display; None if a model has no price. Add up costs first: nanodollars are exact."""
        return None if self.nanodollars is None else self.nanodollars / NANODOLLARS


NOTHING: Final = Cost()


def total(costs: Iterable[Cost]) -> Cost:
    """The sum of costs."""
    return sum(costs, NOTHING)
