"""Reads the runs that a report is about and the arms of studies, and in what two runs differ."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from quintet.config.settings import flatten
from quintet.config.tasks import left_out_text
from quintet.errors import UsageError
from quintet.reports.episodes import RunResults, results
from quintet.reports.summary import Difference, Summary, TaskGroup, differences, summarise, unpaired_tasks
from quintet.roles.question_roles import JUDGE_ROLE, USER_ROLE
from quintet.runs.files import usable_folder
from quintet.runs.record import RunRecord
from quintet.runs.run_folder import RunFolder
from quintet.runs.study_folder import ArmVersion, StudyFolder, open_any

_JUDGE = "model.judge.name"
_USER = "model.user.name"

NO_EPISODES = range(0)
"""No episode is listed: enough for every table."""


@dataclass(frozen=True)
class RunReport:
    """A run with its results, summary and label."""

    label: str
    results: RunResults
    summary: Summary
    to_resume: Path
    """The folder to resume: its study's, or its own if the run was given by itself."""
    arm: str = ""
    """Its name in its study; empty if the run was given by itself."""
    version_of: ArmVersion | None = None
    """The version of an arm that it shows; None: it is a run."""
    seeds: tuple[int, ...] = ()
    """The seeds whose runs are pooled in it, each of its results those of all; empty: it is one run."""
    pooled: tuple[tuple[RunFolder, int], ...] = ()
    """The folders of those runs, each with the number that its first epoch has here; empty: it is one run."""

    @property
    def repetitions(self) -> int:
        """How often it does each task."""
        return max(1, len(self.seeds)) * self.summary.record.configuration.run.epochs


@dataclass(frozen=True)
class Comparison:
    """An arm beside its study's reference arm."""

    ours: str
    theirs: str
    differences: dict[TaskGroup, Difference]
    unpaired: tuple[int, int] = (0, 0)
    """How many tasks ended in ours only, and in theirs only: they are not compared."""


@dataclass(frozen=True)
class Report:
    """Runs that are shown together."""

    runs: tuple[RunReport, ...]
    compared: tuple[Comparison, ...] = ()
    missing: Mapping[str, Path] = field(default_factory=dict[str, Path])
    """The study folder of every arm that has not begun, by label."""
    studies: tuple[StudyFolder, ...] = ()
    damage: tuple[str, ...] = ()
    """What could not be read: parts of runs, or whole arms."""
    unpooled: tuple[str, ...] = ()
    """Why runs of one arm are shown one by one, and what to set."""


def load_report(paths: Sequence[Path], listed: range | None = None) -> Report:
    """Read runs and studies.

    Args:
        listed: which episodes of every run get a row; see `results`.

    Raises:
        UsageError: a path is neither, or was written by a version that this one does not read.
    """
    runs: list[RunReport] = []
    compared: list[Comparison] = []
    missing: dict[str, Path] = {}
    studies: list[StudyFolder] = []
    damage: list[str] = []
    places: dict[Path, Path] = {}
    for path in paths:
        with usable_folder(path, verb="read"):
            places.setdefault(path.absolute(), path)  # named twice, counted once
    for place, path in places.items():
        folder, name = open_any(path), place.name
        if isinstance(folder, StudyFolder):
            prefix = f"{name}/" if len(places) > 1 else ""
            arms = list(_arms(folder, prefix, listed, damage))
            runs += arms
            compared += comparisons(arms, prefix + folder.record.reference)
            missing |= {f"{prefix}{arm}": path for arm in folder.record.arms if not folder.begun(arm)}
            studies.append(folder)
        else:
            runs.append(_run_report(name if len(places) > 1 else folder.record.label, folder, listed))
    damage += dict.fromkeys(each for run in runs for each in run.results.damage)
    return Report(tuple(runs), tuple(compared), missing, tuple(studies), tuple(damage))


def _arms(study: StudyFolder, prefix: str, listed: range | None, damage: list[str]) -> Iterator[RunReport]:
    for arm in filter(study.begun, study.record.arms):
        versions = {name: learnt for name, learnt in study.record.versions.items() if learnt.arm == arm}
        try:
            folder = RunFolder.open_to_read(study.arm_path(arm))
            for name, learnt in versions.items():
                yield _run_report(f"{prefix}{name}", folder, listed, study, name, learnt)
            yield _run_report(f"{prefix}{arm}", folder, listed, study, arm)
        except UsageError as error:
            damage.append(str(error))


def _run_report(
    label: str,
    folder: RunFolder,
    listed: range | None,
    study: StudyFolder | None = None,
    arm: str = "",
    version_of: ArmVersion | None = None,
) -> RunReport:
    found = results(folder, listed, version=None if version_of is None else version_of.version)
    return RunReport(label, found, summarise(found), (study or folder).path, arm, version_of)


def comparisons(arms: Sequence[RunReport], reference: str) -> list[Comparison]:
    """Every other arm beside the one with the label `reference`, if they have tasks in common."""
    theirs = next((arm for arm in arms if arm.label == reference), None)
    if theirs is None:
        return []
    found = [
        Comparison(
            arm.label, reference, differences(arm.results, theirs.results), unpaired_tasks(arm.results, theirs.results)
        )
        for arm in arms
        if arm is not theirs
    ]
    return [comparison for comparison in found if comparison.differences]


class ConditionDifference(NamedTuple):
    """A condition in which two runs differ, with its values as text."""

    key: str
    ours: str
    theirs: str


def condition_difference(ours: RunRecord, theirs: RunRecord, *, but: Sequence[str] = ()) -> ConditionDifference | None:
    """The first condition in which two runs differ, but for some; None: they met the same tasks in the same worlds.

    Answers that two judges graded were not graded alike; a judge beside none may have graded a further figure. Another
    user, or none, makes other conversations. A stream
    may have the tasks in another order.
    """
    mine, other = (record.models.get(JUDGE_ROLE.name) for record in (ours, theirs))
    if mine is not None and other is not None and mine != other and _JUDGE not in but:
        return ConditionDifference(_JUDGE, repr(mine), repr(other))
    users = [record.models.get(USER_ROLE.name) for record in (ours, theirs)]
    if users[0] != users[1] and _USER not in but:
        return ConditionDifference(_USER, *map(repr, users))
    if (found := _other_origin(ours, theirs)) is not None:
        return found
    forked = ours.fork is not None or theirs.fork is not None
    ordered = not any(record.configuration.run.stream for record in (ours, theirs))
    for one, another in zip_longest(
        *(_conditions(record, ordered=ordered, forked=forked) for record in (ours, theirs))
    ):
        if one != another and not (one is not None and one[0] in but):
            key = min(each[0] for each in (one, another) if each is not None)
            mine, other = (repr(each[1]) if each and each[0] == key else "none" for each in (one, another))
            return ConditionDifference(key, mine, other)
    return None


def _other_origin(ours: RunRecord, theirs: RunRecord) -> ConditionDifference | None:
    """Where one goes on from another run's episodes than the other's, or than the other has."""
    made = [record.created if record.fork is None else record.fork.created for record in (ours, theirs)]
    if (ours.fork is None and theirs.fork is None) or made[0] == made[1]:
        return None
    mine, other = ("a run of its own" if each.fork is None else str(each.fork.run) for each in (ours, theirs))
    return ConditionDifference("fork", mine, other)


def _conditions(record: RunRecord, *, ordered: bool, forked: bool) -> Iterator[tuple[str, object]]:
    config = record.configuration
    yield "environment.name", config.environment.name
    yield from ((f"environment.{key}", value) for key, value in sorted(flatten(config.environment.options)))
    yield f"version of {config.environment.name}", record.world_version
    yield "run.split", config.run.split
    yield "run.seed", config.run.seed
    if forked:  # of a run, it has the episodes that were chosen
        return
    yield "run.epochs", config.run.epochs
    yield "run.group", config.run.group
    yield "tasks left out", left_out_text(record.left_out) or "none"
    names = [task.name for task in record.tasks]
    yield from ((f"task {number}", name) for number, name in enumerate(names if ordered else sorted(names), 1))
