"""The definition of a study, read from TOML: named arms, each a method with its settings, and the findings."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from quintet.errors import UsageError, one_line
from quintet.plugins import catalogue
from quintet.plugins.catalogue import one_of
from quintet.plugins.data_files import data_file, read_toml
from quintet.plugins.entry_points import Kind
from quintet.reports.published import PaperRow
from quintet.runs.study_folder import STUDY_RECORD, StudyFolder

_KINDS: tuple[Kind, ...] = ("model", "environment", "method")
"""Packages of these bring studies, listed in this order."""


class _Data(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a study's file."""


class OverSetting(_Data, frozen=True):
    """A setting that some arms are repeated over."""

    setting: str
    """Its dotted key."""
    label: str
    """Its name in tables and pictures."""
    values: tuple[float | int, ...]
    arms: tuple[str, ...] = ()
    """Which arms are repeated; empty: all."""

    def arm(self, name: str, value: float) -> str:
        """The name of an arm at a value: `NAME-0.1`."""
        return f"{name}-{value:g}"


class LearntVersion(_Data, frozen=True):
    """One of the versions that an arm learns, shown as an arm of its own. It is measured by the run of that arm."""

    arm: str
    version: Annotated[int, Meta(ge=0)]


class OverFindings(_Data, frozen=True, tag_field="kind", tag="over"):
    """Success of each arm, paired differences from the reference, and model calls, by the values of the `over`."""


class PooledFindings(_Data, frozen=True, tag_field="kind", tag="pooled"):
    """Success by a label and costs, each row of arms whose tasks are counted together."""

    label: str
    """A key of the tasks' metadata."""
    rows: Mapping[str, tuple[str, ...]]
    """By name, the arms of a row. Several arms are one experiment together, a run for each type of task."""


class TTests(_Data, frozen=True):
    """T-tests between the final shares of two arms that are repeated by seed."""

    between: str
    """What the arms differ in: `batch sizes`."""
    pairs: Mapping[str, tuple[str, str]]
    p_values: Mapping[str, tuple[float, ...]] = {}
    """By pair, what the paper prints for each iteration."""


class CurveFindings(_Data, frozen=True, tag_field="kind", tag="curves"):
    """Success of each version that an arm's runs learn, over seeds."""

    groups: Mapping[str, str]
    """By arm, its name in tables and pictures."""
    t_tests: TTests | None = None
    statement: str = ""
    """The paper's statement, if it prints no figures; shown after its name and model."""
    paper: PaperRow | None = None
    """The paper's experiment: its figures or statement are shown only beside runs that repeat it."""


class ComparisonFindings(_Data, frozen=True, tag_field="kind", tag="comparison"):
    """Success of each arm against its costs, and tests of its paired difference from the reference."""


Conclusion: TypeAlias = OverFindings | PooledFindings | CurveFindings | ComparisonFindings


CostKind: TypeAlias = Literal["calls", "tokens", "USD"]
"""What an episode costs."""


LineFigure: TypeAlias = Literal["success", "calls", "success by calls", "actions", "plan revisions"]
"""All are drawn over the setting, but `success by calls`: success over model calls, a point for each value. `actions`
are those of a trial, `plan revisions` those of an episode; arms without trials have no such line."""


class LinesPanel(_Data, frozen=True, tag_field="kind", tag="lines"):
    """A line for each arm through the values of the study's `over`."""

    title: str
    figure: LineFigure = "success"
    by: str = ""
    """With a label, further lines for each of its values."""


class BarsPanel(_Data, frozen=True, tag_field="kind", tag="bars"):
    """A bar for each arm at every value of a label: success with its interval, above it the mean depth to succeed."""

    title: str
    arms: tuple[str, ...]
    """Names of arms and versions."""
    by: str = ""
    """Empty: one group of bars, of all tasks."""


class CurvesPanel(_Data, frozen=True, tag_field="kind", tag="curves"):
    """A line for each group of a study's curves over iterations, with a band of one standard deviation."""

    title: str


class TrialsPanel(_Data, frozen=True, tag_field="kind", tag="trials"):
    """A line for each arm that has trials: success with its interval, up to each trial."""

    title: str
    arms: tuple[str, ...] = ()
    """Names of arms and versions; empty: all."""


class PlanStepsPanel(_Data, frozen=True, tag_field="kind", tag="plan_steps"):
    """Bars for each arm that plans: what share of its plans has each number of steps."""

    title: str
    arms: tuple[str, ...] = ()
    """Names of arms and versions; empty: all."""


class CostPanel(_Data, frozen=True, tag_field="kind", tag="cost"):
    """A point for each arm: success over a cost of an episode, each with its interval, and the Pareto front."""

    title: str
    cost: CostKind


Panel: TypeAlias = LinesPanel | BarsPanel | CurvesPanel | CostPanel | TrialsPanel | PlanStepsPanel


class Study(_Data, frozen=True):
    """The definition of a study."""

    name: str
    summary: str
    common: Mapping[str, Any]
    """Settings of every arm; a user may change them. Those of `learning` are for the arms that learn."""
    arms: Mapping[str, Mapping[str, Any]]
    """By name, the settings of each arm, before they are repeated over a setting."""
    versions: Mapping[str, LearntVersion] = {}
    """By name. The arm itself has the version that its run is judged by."""
    over: OverSetting | None = None
    reference: str = ""
    """The arm or version that the others are compared with, task by task, at the same value of `over` if that has
    findings; empty: none."""
    seeds: int = 0
    """The runs of every arm, with the seeds from `run.seed` on, each named by its seed; 0: one, named as the arm."""
    findings: Conclusion | None = None
    """The findings over all arms; None: a report shows each arm."""
    picture: tuple[Panel, ...] = ()

    def __post_init__(self) -> None:
        if self.over is None and any(
            isinstance(part, OverFindings | LinesPanel) for part in (self.findings, *self.picture)
        ):
            raise ValueError("expected a table `over` for findings and panels over a setting, got none")
        for name, learnt in self.versions.items():
            if learnt.arm not in self.arms or name in self.arms or self.seeds:
                known = ", ".join(self.arms)
                expected = f"a name of its own and an arm of {known}, without seeds"
                raise ValueError(f"versions.{name}: expected {expected}, got {learnt.arm!r}")
        if isinstance(self.findings, OverFindings | ComparisonFindings) and self.reference not in {*self.compared, ""}:
            raise ValueError(f"reference: expected one of {', '.join(self.compared)}, got {self.reference!r}")

    @property
    def compared(self) -> tuple[str, ...]:
        """The arms over the setting, or all without one; before each its versions."""
        arms = self.arms if self.over is None else self.over.arms or self.arms
        return tuple(
            name for arm in arms for name in (*(each for each in self.versions if self.versions[each].arm == arm), arm)
        )


def recorded_study(folder: StudyFolder) -> Study:
    """The definition that a study was begun with.

    Raises:
        UsageError: this version cannot read it.
    """
    try:
        return msgspec.convert(folder.record.definition, Study)
    except msgspec.ValidationError as error:
        raise UsageError(f"definition: {one_line(error)} ({folder.path / STUDY_RECORD})") from error


@cache
def _read(file: Path) -> Study:
    return read_toml(file, Study)


def known_studies() -> Mapping[str, Study]:
    """Every usable study by name, from the folders `studies` of all that can be named, plug-ins' included."""
    usable, _ = _studies()
    return usable


def unusable_studies() -> Mapping[str, UsageError]:
    """Why the other files define none: by the name that several of them define, or else by that of the file."""
    _, unusable = _studies()
    return unusable


def _studies() -> tuple[dict[str, Study], dict[str, UsageError]]:
    files: dict[str, list[Path]] = {}
    unusable: dict[str, UsageError] = {}
    for file in dict.fromkeys(_files()):
        try:
            files.setdefault(_read(file).name, []).append(file)
        except UsageError as error:
            unusable[file.stem] = error
    for name, rivals in files.items():
        if len(rivals) > 1:
            got = " and ".join(map(str, rivals))
            unusable[name] = UsageError(f"study {name}: expected one file to define it, got {got}")
    return {name: _read(file) for name, (file, *others) in files.items() if not others}, unusable


def _files() -> Iterator[Path]:
    for kind in _KINDS:
        for name in catalogue.names(kind):
            folder = data_file(kind, name, "studies")
            yield from () if folder is None else sorted(folder.glob("*.toml"))


def find_study(name: str) -> Study:
    """The study called `name`.

    Raises:
        UsageError: there is none, or it cannot be used.
    """
    found, unusable = _studies()
    if name not in found:
        if name in unusable:
            raise unusable[name]
        raise UsageError(f"study: expected {one_of(found, name)}, got {name!r}")
    return found[name]
