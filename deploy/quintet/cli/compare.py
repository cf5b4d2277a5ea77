"""`compare`: methods side by side, run as a study, or runs that exist."""

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path

from quintet.cli.console import console
from quintet.cli.finish import draw
from quintet.cli.flags import EvaluationFlags, Switch, Whole, flag_name
from quintet.cli.report import print_findings, report_command
from quintet.cli.run import start_study
from quintet.config.objects import bring, take_methods, take_objects
from quintet.errors import UsageError
from quintet.journal.connection import raise_damage
from quintet.plugins import catalogue
from quintet.plugins.objects import find_object
from quintet.reports.exports import as_json
from quintet.reports.load import NO_EPISODES
from quintet.studies.arms import prepare_arms, with_seeds
from quintet.studies.comparison_arms import (
    COMPARISON,
    WITH,
    compare_runs,
    define_comparison,
    refuse_incomparable,
    scores_of,
)
from quintet.studies.findings import StudyFindings, summarise_arms
from quintet.studies.memory_arms import WITHOUT_MEMORY, MemoryChoice, lists_memories, read_memories
from quintet.studies.reproduction import published_by_run

_EVALUATION = EvaluationFlags()


def compare_command(
    *what: str,
    flags: EvaluationFlags = _EVALUATION,
    budget: str | None = None,
    seeds: Whole | None = None,
    reference: str | None = None,
    product: Switch = False,
    noise: Switch = False,
    no_picture: Switch = False,
    picture: Path | None = None,
) -> int:
    """Compare methods and memories, in a new study folder, or runs.

    With methods, --memory may list memories: `none`, `LABEL:RUN[@VERSION]`, `shuffled:RUN` or `random:RUN`, separated
    by commas. The first method is given each of them in an arm of its own.

    Args:
        what: METHODS... ENVIRONMENT, or RUN RUN...: run folders and study folders.
        budget: calls=N, tokens=N or usd=X: what every episode may spend. By default each method has its own settings.
        seeds: With methods, how many seeds each runs with: --seed and those after it. They are pooled.
        reference: The arm (`METHOD`, `METHOD + LABEL`), or the run, that the others are compared with; by default the
            first method without a memory, or else the first.
        product: With methods, give every method each of the memories, and not the first one alone.
        noise: With methods, add an arm that differs from the reference in the draws of its calls alone, and say which
            differences are smaller than what these tasks could have shown.
        no_picture: With methods, draw no picture.
        picture: With runs, draw a picture into this file.
    """
    *methods, last = what or ("",)
    folders = any("/" in each or Path(each).exists() for each in what if ".py:" not in each)
    if folders and not catalogue.is_name("environment", last):
        given = {"--budget": budget is not None, "--seeds": seeds is not None, "--no-picture": no_picture}
        given |= {"--product": product, "--noise": noise}
        for each in fields(flags):
            given[flag_name(each.name)] = each.name != "json" and getattr(flags, each.name) != each.default
        _refuse(given, "methods", "runs")
        return _compare_runs([Path(each) for each in what], reference, picture, json=flags.json)
    _refuse({"--picture": picture is not None}, "runs", "methods")
    if what and find_object("environment", last) is None and not catalogue.is_name("environment", last):
        expected = catalogue.one_of(catalogue.names("environment"), last)
        raise UsageError(f"environment: expected {expected} after the methods, or run folders, got {last!r}")
    names, brought = take_methods(methods, "METHODS")
    memories: tuple[MemoryChoice, ...] = (WITHOUT_MEMORY,)
    if flags.memory is not None and lists_memories(flags.memory):
        listed, flags = flags.memory, replace(flags, memory=None)
        memories = read_memories(listed)
    _refuse({"--product": product and memories == (WITHOUT_MEMORY,)}, "--memory with a list", "none")
    definition = define_comparison(
        names, memories=memories, product=product, noise=noise, budget=budget, reference=_named(reference)
    )
    definition = with_seeds(definition, seeds)
    layers, own = take_objects(flags.layers(environment=last))
    bring(own, brought)
    refused: dict[str, str] | None = {} if flags.dry_run else None
    arms = prepare_arms(definition, layers, objects=brought, refused=refused)
    refuse_incomparable(arms)
    worlds = {arm.config.environment.name for arm in arms.values()}
    name = "-".join([COMPARISON, *worlds])
    return start_study(definition, arms, flags, brought, name=name, no_picture=no_picture, refused=refused)


def _compare_runs(paths: list[Path], reference: str | None, picture: Path | None, *, json: bool) -> int:
    if (scores := scores_of(paths)) is not None:
        _refuse({"--reference": reference is not None, "--picture": picture is not None}, "runs that played", "scores")
        report_command(scores, json=json)
        return 0
    study, report = compare_runs(paths, reference=reference, listed=None if json else NO_EPISODES)
    findings = summarise_arms(study, report)
    if json:
        print(as_json(report, {COMPARISON: findings.content}, published_by_run(report)))
    else:
        print_findings(StudyFindings(report, findings), console())
    if picture is not None:
        draw(study, report, picture)
    raise_damage(report.damage)
    return 0


def _named(reference: str | None) -> str | None:
    """The reference with its method by name, also if that is an object."""
    if reference is None:
        return None
    method, *memory = reference.split(WITH)
    named, _ = take_methods([method], "--reference")
    return WITH.join([*named, *memory])


def _refuse(given: Mapping[str, bool], expected: str, got: str) -> None:
    for flag, is_given in given.items():
        if is_given:
            raise UsageError(f"{flag}: expected {expected} to compare, got {got}")
