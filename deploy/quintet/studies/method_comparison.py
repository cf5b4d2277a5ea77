"""A comparison of methods, defined from the command line: an arm for each, under one budget."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from pydantic import ValidationError

from quintet.config.complaints import complaint
from quintet.config.method_names import parse_method
from quintet.config.runtime_sections import LimitsSection
from quintet.config.settings import from_table, parse_value
from quintet.errors import UsageError
from quintet.launch.prepare import Prepared
from quintet.learned.kinds import CONTENT_KINDS
from quintet.plugins import catalogue
from quintet.runs.folder import shell_command
from quintet.runs.study_folder import arm_name
from quintet.studies.comparison import COST_KINDS
from quintet.studies.definition import ComparisonFindings, CostPanel, Study

COMPARISON = "compare"
"""The name of every comparison."""

_BUDGETS = {"calls": "episode_calls", "tokens": "episode_tokens", "usd": "episode_usd"}
"""By what is counted, the limit of an episode."""


def comparison_study(arms: Mapping[str, Mapping[str, Any]], reference: str | None) -> Study:
    """The definition of a comparison with the reference, by default the first arm.

    Raises:
        UsageError: there is no such arm.
    """
    if reference is not None and reference not in arms:
        raise UsageError(f"--reference: expected {catalogue.one_of(arms, reference)}, got {reference!r}")
    return Study(
        name=COMPARISON,
        summary="Methods on the same tasks",
        common={},
        arms=arms,
        reference=reference or next(iter(arms)),
        findings=ComparisonFindings(),
        picture=tuple(CostPanel(title=f"Success against {cost}", cost=cost) for cost in COST_KINDS),
    )


def define_comparison(methods: Sequence[str], *, budget: str | None = None, reference: str | None = None) -> Study:
    """The definition of a comparison of methods.

    Args:
        methods: by name, with their inner methods and options (`parse_method`).
        budget: of every episode: `calls=N`, `tokens=N` or `usd=X`; None: each method has its own settings.
        reference: one of the methods; None: the first.

    Raises:
        UsageError: there are fewer than two methods, one is named twice, or something cannot be read.
    """
    names = [str(parse_method(text)) for text in methods]
    if len(names) < 2:
        raise UsageError(f"METHODS: expected at least two before the environment, got {', '.join(names) or 'none'}")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"METHODS: expected each once, got {name} {names.count(name)} times")
        try:
            arm_name(name)
        except ValueError as error:
            raise UsageError(f"METHODS: {error}; run it by itself, and compare the runs") from error
    limits = {} if budget is None else {"limits": _limit(budget)}
    reference = reference and str(parse_method(reference))
    return comparison_study({name: {"method": {"name": name}, **limits} for name in names}, reference)


def _limit(budget: str) -> dict[str, Any]:
    counted, _, most = budget.partition("=")
    if counted not in _BUDGETS or not most:
        raise UsageError(f"--budget: expected calls=N, tokens=N or usd=X, got {budget!r}")
    limit = {_BUDGETS[counted]: parse_value(most, "--budget")}
    try:
        LimitsSection.model_validate(limit)
    except ValidationError as error:
        raise complaint(error, from_table({"limits": limit}, f"--budget {budget}"), "limits.") from error
    return limit


def refuse_incomparable(arms: Mapping[str, Prepared]) -> None:
    """Refuse methods that could not be compared as they are.

    Raises:
        UsageError: two arms are the same, or one would have to learn first.
    """
    for (one, ours), (other, theirs) in combinations(arms.items(), 2):
        if ours.config == theirs.config:
            raise UsageError(f"METHODS: expected different methods, got {one} and {other}, which are the same")
    for name, arm in arms.items():
        _refuse_to_learn(name, arm)


def _refuse_to_learn(name: str, arm: Prepared) -> None:
    if arm.record.learns:
        raise UsageError("run.learn: expected methods that do not learn while they are compared, got true")
    learner = arm.spec.method.learner
    if learner is None:
        return
    kind = CONTENT_KINDS[learner.learns]
    if not kind.given(arm.record):
        raise UsageError(
            f"{name}: expected --{kind.name} with what it has learnt, got none; "
            f"{shell_command('optimize', name, arm.config.environment.name)} learns it"
        )
