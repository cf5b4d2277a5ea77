"""The section `[limits]` as the quota takes it: rate limits of models, and what a run may spend."""

from collections.abc import Mapping

from quintet.config.runtime_sections import LimitsSection, PaceSection
from quintet.quota.budget import Allowance
from quintet.quota.limiter import RateLimits
from quintet.quota.prices import NANODOLLARS


def allowance(dollars: float | None, tokens: int | None) -> Allowance:
    """What may be spent; None: no limit."""
    return Allowance(None if dollars is None else round(dollars * NANODOLLARS), tokens)


def rates_of(limits: LimitsSection) -> tuple[RateLimits, Mapping[str, RateLimits]]:
    """The rate limits of every model, and by name those of the models that have their own."""
    every = RateLimits(limits.calls, limits.requests_per_minute, limits.tokens_per_minute)
    return every, {pace.model: _own(pace, every) for pace in limits.pace}


def _own(pace: PaceSection, every: RateLimits) -> RateLimits:
    return RateLimits(
        every.calls if pace.calls is None else pace.calls,
        every.requests if pace.requests_per_minute is None else pace.requests_per_minute,
        every.tokens if pace.tokens_per_minute is None else pace.tokens_per_minute,
    )
