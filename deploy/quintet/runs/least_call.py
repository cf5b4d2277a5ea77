"""Refuses budgets that no call of a run fits into: each call first reserves the most that it can cost."""

from collections.abc import Mapping
from typing import NamedTuple

from quintet.config.complaints import with_origin
from quintet.config.runtime_sections import LimitsSection
from quintet.config.settings import Settings
from quintet.errors import UsageError
from quintet.ports.model import Usage
from quintet.quota.prices import NANODOLLARS, Nanodollars, Price
from quintet.roles.judge import JUDGE_ROLE
from quintet.runtime.spec import RunSpec

_SHORTEST_PROMPT = 1
"""Tokens."""


class _Least(NamedTuple):
    """What the call with the smallest reservation reserves at least."""

    tokens: int
    nanodollars: Nanodollars
    """0 if a model has no price."""


def refuse_budget_below_one_call(
    spec: RunSpec, limits: LimitsSection, prices: Mapping[str, Price], settings: Settings
) -> None:
    """Refuse a budget, of the run or of an episode, that is too small for any call of a role.

    Args:
        spec: with the models and their sampling.
        limits: with the budgets.
        prices: by the name of a model.
        settings: where values were set, for errors.

    Raises:
        UsageError: for the first such budget.
    """
    least = _least(spec, prices)
    if least is None:
        return
    for key, budget in (("budget_tokens", limits.budget_tokens), ("episode_tokens", limits.episode_tokens)):
        if budget is not None and budget < least.tokens:
            _refuse(key, f"{least.tokens:,} tokens", f"{budget:,}", settings)
    for key, usd in (("budget_usd", limits.budget_usd), ("episode_usd", limits.episode_usd)):
        if usd is not None and usd * NANODOLLARS < least.nanodollars:
            _refuse(key, f"{least.nanodollars / NANODOLLARS:.6g} USD", f"{usd:g}", settings)


def _least(spec: RunSpec, prices: Mapping[str, Price]) -> _Least | None:
    """None if no role calls a model. A judge's call is never the first."""
    calls = [
        (model.name, Usage(prompt_tokens=_SHORTEST_PROMPT, completion_tokens=each.sampling[role].max_tokens))
        for each in spec.methods
        for role, model in each.models.items()
        if role != JUDGE_ROLE.name
    ]
    if not calls:
        return None
    return _Least(
        min(usage.prompt_tokens + usage.completion_tokens for _, usage in calls),
        min(prices[name].cost(usage) if name in prices else 0 for name, usage in calls),
    )


def _refuse(key: str, least: str, got: str, settings: Settings) -> None:
    with with_origin(settings, [f"limits.{key}"]):
        raise UsageError(
            f"limits.{key}: expected at least {least}, since every call of this run reserves that much for its longest "
            f"completion and a prompt, got {got}"
        )
