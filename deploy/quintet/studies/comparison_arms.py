"""What a comparison is of: methods that are to run under one budget, or runs that exist, on the same tasks."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from msgspec import structs
from pydantic import ValidationError

from quintet.config.complaints import complaint
from quintet.config.method_names import parse_method
from quintet.config.runtime_sections import LimitsSection
from quintet.config.settings import from_table, parse_value
from quintet.errors import UsageError
from quintet.launch.prepare import Prepared
from quintet.learned.kinds import CONTENT_KINDS
from quintet.plugins import catalogue
from quintet.plugins.catalogue import one_of
from quintet.reports.load import NO_EPISODES, Report, RunReport, comparisons, condition_difference, load_report
from quintet.runs.folder import shell_command
from quintet.runs.record import RUN_RECORD
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import arm_name, open_any
from quintet.studies.costs import COST_KINDS
from quintet.studies.definition import ComparisonFindings, Study
from quintet.studies.memory_arms import WITHOUT_MEMORY, MemoryChoice
from quintet.studies.panels import CostPanel, StreamPanel

COMPARISON = "compare"
"""The name of every comparison."""

WITH = " + "
"""Between the method and the memory of an arm."""

_AGAIN = " again"
"""Ends the name of the arm that repeats the reference."""

_BUDGETS = {"calls": "episode_calls", "tokens": "episode_tokens", "usd": "episode_usd"}
"""By what is counted, the limit of an episode."""


def comparison_study(arms: Mapping[str, Mapping[str, Any]], reference: str | None, *, noise: str = "") -> Study:
    """The definition of a comparison with the reference, by default the first arm.

    Args:
        noise: the arm that is equal to the reference but for its draws; empty: there is none.

    Raises:
        UsageError: there is no such arm.
    """
    if reference is not None and reference not in arms:
        raise UsageError(f"--reference: expected {catalogue.one_of(arms, reference)}, got {reference!r}")
    return Study(
        name=COMPARISON,
        summary="Methods and memories on the same tasks",
        common={},
        arms=arms,
        reference=reference or next(iter(arms)),
        findings=ComparisonFindings(noise=noise),
        picture=tuple(CostPanel(title=f"Success against {cost}", cost=cost) for cost in COST_KINDS),
    )


def define_comparison(
    methods: Sequence[str],
    *,
    memories: Sequence[MemoryChoice] = (WITHOUT_MEMORY,),
    product: bool = False,
    noise: bool = False,
    budget: str | None = None,
    reference: str | None = None,
) -> Study:
    """The definition of a comparison of methods, and of memories that they are given.

    Args:
        methods: by name, with their inner methods and options (`parse_method`).
        memories: what the first method is given in its arms.
        product: whether the others are given them too; without it, each of them has one arm without.
        noise: add an arm that differs from the reference in the draws of its calls alone.
        budget: of every episode: `calls=N`, `tokens=N` or `usd=X`; None: each method has its own settings.
        reference: one of the arms; None: the first method without a memory, or else the first arm.

    Raises:
        UsageError: there are fewer than two arms, a method is named twice, or something cannot be read.
    """
    names = [str(parse_method(text)) for text in methods]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"METHODS: expected each once, got {name} {names.count(name)} times")
    limits = {} if budget is None else {"limits": _limit(budget)}
    arms: dict[str, Mapping[str, Any]] = {}
    for name in names:
        for memory in memories if product or name == names[0] else (WITHOUT_MEMORY,):
            method = {"name": name, **memory.settings.get("method", {})}
            arms[_arm(name, memory.label)] = {**memory.settings, "method": method, **limits}
    if len(arms) + noise < 2 or not arms:
        raise UsageError(f"METHODS: expected at least two before the environment, got {', '.join(arms) or 'none'}")
    chosen = _with_method_names(reference) if reference else names[0] if names[0] in arms else next(iter(arms))
    again = ""
    if noise and chosen in arms:
        again = f"{chosen}{_AGAIN}"
        arms[again] = {**arms[chosen], "run": {"sampling_seed": 1}}
    for name in arms:
        try:
            arm_name(name)
        except ValueError as error:
            raise UsageError(f"METHODS: {error}; run it by itself, and compare the runs") from error
    return comparison_study(arms, chosen, noise=again)


def _arm(method: str, memory: str) -> str:
    return f"{method}{WITH}{memory}" if memory else method


def _with_method_names(arm: str) -> str:
    """An arm as a person names it, with its method as its name has it."""
    method, _, memory = arm.partition(WITH)
    return _arm(str(parse_method(method)), memory)


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
            f"{name}: expected {'--plan' if kind.name == 'plan' else '--memory'} with what it has learnt, got none; "
            f"{shell_command('optimize', name, arm.config.environment.name)} learns it"
        )


def compare_runs(
    paths: Sequence[Path], *, reference: str | None = None, listed: range | None = NO_EPISODES
) -> tuple[Study, Report]:
    """Read runs, and those of studies, as the arms of a comparison, with its definition.

    Args:
        reference: the name of one of the runs, as the tables have it; None: the first.
        listed: see `load_report`.

    Raises:
        UsageError: there are fewer than two runs, two of them are the same, one learns, or they differ in their tasks,
            their worlds or how these are drawn.
    """
    for path, number in Counter(path.resolve() for path in paths).items():
        if number > 1:
            raise UsageError(f"RUNS: expected each once, got {path} {number} times")
    found = load_report(paths, listed)
    runs = _as_arms(found.runs)
    _refuse_other_runs(runs)
    study = comparison_study({run.arm: {} for run in runs}, reference)
    if any(run.summary.record.configuration.run.stream for run in runs):
        study = structs.replace(study, picture=(*study.picture, StreamPanel(title="Success along the stream")))
    compared = tuple(comparisons(runs, study.reference))
    return study, replace(found, runs=runs, compared=compared, studies=())


def scores_of(paths: Sequence[Path]) -> Path | None:
    """Of two folders, that of the run which scores the other's stored episodes anew; None: neither does."""
    if len(paths) == 2:
        for ours, theirs in (paths, paths[::-1]):
            found = open_any(ours)
            scored = found.record.scored if isinstance(found, RunFolder) else None
            if scored is not None and scored.run.resolve() == theirs.resolve():
                return ours
    return None


def report_against(paths: Sequence[Path], against: str, listed: range | None = NO_EPISODES) -> Report:
    """Read runs, with the paired difference of each from one of them on the tasks that both ended.

    Other than `compare_runs`, the runs may differ in tasks and worlds; the report's notes then warn.

    Args:
        against: one of the runs, as the tables name it or by its folder; a folder may be given here alone.
        listed: see `load_report`.

    Raises:
        UsageError: there is no such run, no other, or none that shares a task with it.
    """
    folder = Path(against)
    given = {path.resolve() for path in paths}
    if (folder / RUN_RECORD).is_file() and folder.resolve() not in given:
        paths = [folder, *paths]
    found = load_report(paths, listed)
    runs = _as_arms(found.runs)
    theirs = [run.label for run in runs if run.label == against or _is_at(run, folder)]
    if not theirs:
        raise UsageError(f"--against: expected {one_of([run.label for run in runs], against)}, got {against!r}")
    compared = tuple(comparisons(runs, theirs[0]))
    if not compared:
        others = ", ".join(run.label for run in runs if run.label != theirs[0]) or "no other run"
        raise UsageError(f"--against: expected runs that share tasks with {theirs[0]}, got {others}")
    return replace(found, runs=runs, compared=compared, studies=())


def _is_at(run: RunReport, folder: Path) -> bool:
    return run.version_of is None and run.results.folder.path.resolve() == folder.resolve()


def _as_arms(runs: Sequence[RunReport]) -> tuple[RunReport, ...]:
    """Runs under names of their own: those of their folders or, if two share one, their paths."""
    labels = [run.label for run in runs]
    if len(set(labels)) < len(labels):
        labels = [_place(run) for run in runs]
    return tuple(replace(run, label=label, arm=label) for run, label in zip(runs, labels, strict=True))


def _refuse_other_runs(runs: Sequence[RunReport]) -> None:
    if len(runs) < 2:
        raise UsageError(f"RUNS: expected at least two, got {', '.join(run.label for run in runs) or 'none'}")
    for run in runs:
        if run.summary.record.learns and not run.summary.record.streams:
            expected = "runs that do not learn, or learn along their own tasks"
            raise UsageError(f"RUNS: expected {expected}, got one that learns from others ({_place(run)})")
        if (found := condition_difference(runs[0].summary.record, run.summary.record)) is not None:
            expected = f"{found.ours}, as in {_place(runs[0])}"
            raise UsageError(f"{found.key}: expected {expected}, got {found.theirs} ({_place(run)})")
    for one, other in combinations(runs, 2):
        if one.summary.record == other.summary.record:
            raise UsageError(f"RUNS: expected different runs, got a copy of {_place(one)} ({_place(other)})")


def _place(run: RunReport) -> str:
    return str(run.results.folder.path)
