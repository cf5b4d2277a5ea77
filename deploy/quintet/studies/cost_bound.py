"""The most that a run can cost, known before it begins: in model calls, tokens and USD."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from quintet.config.runtime_sections import LimitsSection
from quintet.launch.prepare import Prepared
from quintet.ports.model import Usage
from quintet.quota.prices import NANODOLLARS, Nanodollars
from quintet.reports.text_tables import TextTable

_UNKNOWN = "no bound"


class CostBound(NamedTuple):
    """The most that a run can cost, if no call is repeated. None: no bound is known."""

    episodes: int | None
    calls: int | None
    completion_tokens: int | None
    tokens: int | None
    """Those of prompts and completions."""
    nanodollars: Nanodollars | None


class _LongestCall(NamedTuple):
    """The most that a call of any of the run's models can take."""

    completion: int
    context: int | None
    nanodollars: Nanodollars | None
    priced: bool
    """Whether every model has a price."""


def cost_bound(run: Prepared) -> CostBound:
    """The most that a run can cost.

    The calls are the episodes times those of the method's own budget or of an episode's limit, and those of a learner
    beside its episodes. Each is taken to be the longest: a prompt and a completion that fill the model's context.
    """
    record, limits, learner = run.record, run.config.limits, run.spec.learner
    episodes = record.episodes or None
    if not run.spec.models:
        return CostBound(episodes, 0, 0, 0, 0)
    # What a memory is asked for counts beside a method's own calls.
    own = None if run.spec.recollection is not None else run.spec.method.most_calls()
    beside = 0 if learner is None else learner.most_calls(len(record.learnt_from) or record.given_trajectories)
    calls = _sum((_product(episodes, _least(own, limits.episode_calls)), beside))
    if run.spec.world_roles:  # nothing says how often an episode asks them, and its limits do not count such calls
        calls = None
    longest = _longest_call(run)
    of_episodes = None if learner is not None or run.spec.world_roles else episodes
    tokens = _least(
        _product(calls, longest.context), _product(of_episodes, limits.episode_tokens), limits.budget_tokens
    )
    return CostBound(
        episodes,
        calls,
        _least(_product(calls, longest.completion), tokens),
        tokens,
        _least(
            _product(calls, longest.nanodollars),
            _product(of_episodes, _nanodollars(limits.episode_usd)),
            _nanodollars(limits.budget_usd),
        ),
    )


def together(bounds: Iterable[CostBound]) -> CostBound:
    """The most that several runs can cost."""
    return CostBound(*(_sum(figures) for figures in zip(*bounds, strict=True)))


def _within(bound: CostBound, budget: LimitsSection) -> CostBound:
    tokens = _least(bound.tokens, budget.budget_tokens)
    usd = _least(bound.nanodollars, _nanodollars(budget.budget_usd))
    completion = _least(bound.completion_tokens, tokens)
    return bound._replace(completion_tokens=completion, tokens=tokens, nanodollars=usd)


def bound_table(bounds: Mapping[str, CostBound], budget: LimitsSection) -> TextTable:
    """A row for each arm, and one for all of them together, which share a budget."""
    every = {**bounds, "together": together(bounds.values())}
    rows = tuple((name, *_cells(_within(bound, budget))) for name, bound in every.items())
    columns = ("", "episodes", "calls", "completion tokens", "tokens", "USD")
    return TextTable("The most that it can cost", columns, rows)


def bound_notes(runs: Mapping[str, Prepared], bounds: Mapping[str, CostBound]) -> list[str]:
    """Why a bound is not known and what would give one; and what no bound counts."""
    calls = [_longest_call(run) for run in runs.values() if run.spec.models]
    unbounded = [name for name, bound in bounds.items() if bound.calls is None]
    notes: list[str] = []
    if unbounded:
        notes.append(f"{', '.join(unbounded)}: no bound on the calls is known; a budget sets one (--budget-usd)")
    if any(call.context is None for call in calls):
        notes.append("the longest prompt is not known, since model.context is not set")
    if any(not call.priced for call in calls):
        notes.append("a model has no known price; limits.prices names a file of prices")
    repeats = max((run.config.limits.repeats for run in runs.values()), default=0)
    return [
        *notes,
        *[f"a call without an answer may be charged, and is repeated up to {repeats} times"] * bool(repeats),
    ]


def _longest_call(run: Prepared) -> _LongestCall:
    models = {each.name: each.model for each in run.resolved.methods}
    settings = [models[each.name].of(role) for each in run.spec.methods for role in each.models]
    completion = max((each.sampling[role].max_tokens for each in run.spec.methods for role in each.models), default=0)
    contexts = [model.context for model in settings if model.context is not None]
    context = max(contexts) if len(contexts) == len(settings) else None
    prices = [run.prices[model.name] for model in run.spec.models.values() if model.name in run.prices]
    priced = len(prices) == len(run.spec.models)
    dearest = None
    if priced and context is not None:
        prompt = max(0, context - completion)
        longest = (
            Usage(prompt_tokens=context),
            Usage(prompt_tokens=prompt, completion_tokens=min(completion, context)),
        )
        dearest = max(price.cost(usage) for price in prices for usage in longest)
    return _LongestCall(completion, context, dearest, priced)


def _cells(bound: CostBound) -> Iterable[str]:
    *counts, nanodollars = bound
    yield from (_UNKNOWN if count is None else f"{count:,}" for count in counts)
    yield _UNKNOWN if nanodollars is None else f"{nanodollars / NANODOLLARS:,.2f}"


def _nanodollars(usd: float | None) -> Nanodollars | None:
    return None if usd is None else round(usd * NANODOLLARS)


def _sum(figures: Iterable[int | None]) -> int | None:
    """None if one of them is not known."""
    found = list(figures)
    known = [figure for figure in found if figure is not None]
    return sum(known) if len(known) == len(found) else None


def _product(number: int | None, each: int | None) -> int | None:
    """None if one of them is not known."""
    return None if number is None or each is None else number * each


def _least(*bounds: int | None) -> int | None:
    """The least of those that are known; None: none is."""
    return min((bound for bound in bounds if bound is not None), default=None)
