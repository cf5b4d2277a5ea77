"""The definition of a study, read from TOML: named arms, each a method with its settings, and the findings."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeAlias, get_args

import msgspec
from msgspec import Meta

from quintet.config.sections import RunConfig
from quintet.config.values import expand_path
from quintet.errors import UsageError, one_line
from quintet.messages.parts import Control
from quintet.plugins import catalogue
from quintet.plugins.catalogue import one_of
from quintet.plugins.data_files import data_file, read_toml
from quintet.plugins.entry_points import Kind
from quintet.ports.world import TASK_TYPE
from quintet.runs.study_folder import STUDY_RECORD, StudyFolder, arm_name
from quintet.studies.axes import Axis, GridCell, check_axes, grid_cells
from quintet.studies.panels import LinesPanel, Panel, StudyTable
from quintet.studies.papers import QuotedRow

_KINDS: tuple[Kind, ...] = ("model", "environment", "method")
"""Packages of these bring studies, listed in this order."""


_FILE = ".toml"
"""How the name of a study ends that is the user's own."""


class OverSetting(StudyTable, frozen=True):
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


class LearntVersion(StudyTable, frozen=True):
    """One of the versions that an arm learns, shown as an arm of its own. It is measured by the run of that arm."""

    arm: str
    version: Annotated[int, Meta(ge=0)]


class OverFindings(StudyTable, frozen=True, tag_field="kind", tag="over"):
    """Success of each arm, paired differences from the reference, and model calls, by the values of the `over`."""

    rows: Mapping[str, tuple[str, ...]] = {}
    """By name, arms whose tasks are counted together, a run for each type of task; empty: each arm by itself."""


class PooledFindings(StudyTable, frozen=True, tag_field="kind", tag="pooled"):
    """Success by a label and costs, each row of arms whose tasks are counted together."""

    label: str
    """A key of the tasks' metadata."""
    rows: Mapping[str, tuple[str, ...]] = {}
    """By name, the arms of a row. Several arms are one experiment together, a run for each type of task. Empty: those
    of the first table that the study reproduces."""


class TTests(StudyTable, frozen=True):
    """T-tests between the final shares of two arms that are repeated by seed."""

    between: str
    """What the arms differ in: `batch sizes`."""
    pairs: Mapping[str, tuple[str, str]]


class CurveFindings(StudyTable, frozen=True, tag_field="kind", tag="curves"):
    """Success of each version that an arm's runs learn, over seeds."""

    groups: Mapping[str, str]
    """By arm, its name in tables and pictures."""
    t_tests: TTests | None = None


class ComparisonFindings(StudyTable, frozen=True, tag_field="kind", tag="comparison"):
    """Success of each arm against its costs, and tests of its paired difference from the reference."""

    noise: str = ""
    """The arm that is equal to the reference but for the draws of its calls; empty: there is none."""


class StreamFindings(StudyTable, frozen=True, tag_field="kind", tag="stream"):
    """Success of each arm along its stream; the runs of an arm that is repeated over the order are pooled by place."""


class TransferFindings(StudyTable, frozen=True, tag_field="kind", tag="transfer"):
    """The paired difference of each arm that is given something from one that is not, by the values of a label."""

    label: str
    """A key of the tasks' metadata: an arm has tasks of several values, and is compared with the study's reference. Or
    `split` or `world`, of which an arm has one: it is compared with the arm there that neither learns nor is given
    anything, and a row is all that is given what one arm learns."""

    @property
    def is_of_arms(self) -> bool:
        """Whether an arm has one value."""
        return self.label in ("split", "world")

    def value_of(self, arm: RunConfig) -> str:
        """The split or world of an arm."""
        return arm.environment.name if self.label == "world" else arm.run.split or ""

    def learnt_on(self, learner: RunConfig) -> str | None:
        """The value of the tasks that an arm learns from; None: of several."""
        if self.label == TASK_TYPE:
            return learner.run.task_type
        if not self.is_of_arms:
            return None
        learning = None if learner.run.stream or self.label == "world" else learner.learning
        return self.value_of(learner) if learning is None else learning.split


Conclusion: TypeAlias = (
    OverFindings | PooledFindings | CurveFindings | ComparisonFindings | StreamFindings | TransferFindings
)


_WITHOUT_GRID = ("over", "given", "controls", "versions", "reference", "findings", "picture", "reproduces")
"""Fields of a study that are about single arms, and what a grid brings itself."""

_KINDS_OF = {"findings": Conclusion, "picture": Panel}
_WRONG_KIND = re.compile(r"Invalid value '(.*)' - at `\$\.((findings|picture)\S*)`")


class PaperTable(StudyTable, frozen=True):
    """A table or figure of a paper that a study reproduces. Its report has what was obtained beside what is printed."""

    table: str
    """Its name for `quintet reproduce`: `paper-table4`."""
    source: str
    """As in `papers.toml`: `Paper, table 4`."""
    rows: Mapping[str, tuple[str, ...]] = {}
    """By the paper's name of a row, its arms or versions: one, or a run for each type of task. What is printed of it is
    the row of that name and source in a method's `papers.toml`, or else in `quoted`."""
    quoted: tuple[QuotedRow, ...] = ()
    statement: str = ""
    """What the paper says where it prints no figures, and what cannot be repeated."""

    def __post_init__(self) -> None:
        if not (self.rows or self.quoted or self.statement):
            raise ValueError(f"reproduces, {self.table}: expected rows or a statement, got neither")


class Study(StudyTable, frozen=True, kw_only=True):
    """The definition of a study."""

    name: str
    summary: str = ""
    common: Mapping[str, Any] = {}
    """Settings of every arm; a user may change them. Those of `learning` are for the arms that learn."""
    arms: Mapping[str, Mapping[str, Any]] = {}
    """By name, the settings of each arm, before they are repeated over a setting."""
    grid: Mapping[str, Axis] = {}
    """In place of arms, axes: every combination of their levels is a cell, an arm."""
    leave_out: tuple[Mapping[str, str], ...] = ()
    """Cells of the grid that are not run, each by its level on some axes."""
    versions: Mapping[str, LearntVersion] = {}
    """By name. The arm itself has the version that its run is judged by."""
    over: OverSetting | None = None
    given: Mapping[str, str] = {}
    """By arm, an earlier arm that learns: this one is given the plan, memory or notebook that its run learns, and
    recalls as that run does."""
    controls: Mapping[str, Control] = {}
    """By such an arm, what it is shown in place of what is recalled; see `memory.control`."""
    reference: str = ""
    """The arm or version that the others are compared with, task by task, at the same value of `over` if that has
    findings; empty: none."""
    seeds: int | tuple[int, ...] = 0
    """How often every arm runs, with the seeds from `run.seed` on, or the seeds; 0: once, under `run.seed`. The runs of
    an arm are reported as one."""
    reproduces: tuple[PaperTable, ...] = ()
    """The paper's tables and figures that its runs repeat, with the paper's settings; each also names the study."""
    needs: tuple[str, ...] = ()
    """Settings that a user must name, for they have no default that would make sense: `model.executor.name`."""
    one_model: tuple[str, ...] = ()
    """The arms in which all roles share `[model]`; a user's tables of roles, `[model.executor]`, are for the others."""
    findings: Conclusion | None = None
    """The findings over all arms; None: a report shows each arm."""
    picture: tuple[Panel, ...] = ()

    def __post_init__(self) -> None:
        try:
            arm_name(self.name)  # its picture is named by it
        except ValueError as error:
            raise ValueError(f"name: {error}") from error
        if bool(self.arms) == bool(self.grid):
            got = "both" if self.grid else "neither"
            raise ValueError(f"expected arms or a grid, got {got}")
        check_axes(self.grid, self.leave_out)
        if self.grid and (given := [name for name in _WITHOUT_GRID if getattr(self, name)]):
            raise ValueError(
                f"{given[0]}: expected none beside a grid, whose axes are compared with their first levels, got some"
            )
        if self.over is None and any(
            isinstance(part, OverFindings | LinesPanel) for part in (self.findings, *self.picture)
        ):
            raise ValueError("expected a table `over` for findings and panels over a setting, got none")
        for name, learnt in self.versions.items():
            if learnt.arm not in self.arms or name in self.arms or self.seeds:
                known = ", ".join(self.arms)
                expected = f"a name of its own and an arm of {known}, without seeds"
                raise ValueError(f"versions.{name}: expected {expected}, got {learnt.arm!r}")
        order = [*self.arms]
        for name, learner in self.given.items():
            if self.over is not None or not {name, learner} <= {*order} or order.index(learner) >= order.index(name):
                expected = "an arm and an earlier arm that learns, without [over]"
                raise ValueError(f"given.{name}: expected {expected}, got {name!r} and {learner!r}")
        if unknown := [name for name in self.controls if name not in self.given]:
            raise ValueError(f"controls.{unknown[0]}: expected an arm that is given something, got {unknown[0]!r}")
        for table in self.reproduces:
            for row, members in table.rows.items():
                if unknown := [name for name in members if name not in {*self._runs, *self.versions}]:
                    expected = "arms, as they are repeated over the setting, or versions"
                    raise ValueError(f"{table.table}: {row}: expected {expected}, got {', '.join(unknown)}")
        if isinstance(self.findings, PooledFindings) and not self.pooled:
            raise ValueError("findings: expected rows, or a table that is reproduced, got neither")
        compares = TransferFindings | OverFindings | ComparisonFindings
        checked = self.findings is None or isinstance(self.findings, compares)
        if checked and self.reference not in {*self.compared, ""}:
            raise ValueError(f"reference: expected one of {', '.join(self.compared)}, got {self.reference!r}")
        if isinstance(self.findings, TransferFindings) and self.findings.is_of_arms and self.reference:
            raise ValueError(f"reference: expected none, as each {self.findings.label} has one, got {self.reference!r}")

    @property
    def names(self) -> tuple[str, ...]:
        """Its own, and those of the tables that it reproduces."""
        return tuple(dict.fromkeys((self.name, *(each.table for each in self.reproduces))))

    @property
    def cells(self) -> Mapping[str, GridCell]:
        """The cells of its grid, by the names of their arms, in order."""
        return grid_cells(self.grid, self.leave_out)

    @property
    def settings(self) -> Mapping[str, Mapping[str, Any]]:
        """The settings of each arm, or cell, by its name."""
        return self.arms or {name: cell.settings for name, cell in self.cells.items()}

    @property
    def has_picture(self) -> bool:
        """Whether it ends in one; a grid does."""
        return bool(self.picture or self.grid)

    @property
    def pooled(self) -> Mapping[str, tuple[str, ...]]:
        """The rows of its findings in which arms are counted together."""
        if isinstance(self.findings, OverFindings):
            return self.findings.rows
        if isinstance(self.findings, PooledFindings) and self.findings.rows:
            return self.findings.rows
        return self.reproduces[0].rows if self.reproduces else {}

    @property
    def _runs(self) -> Iterator[str]:
        """The names of its arms, repeated over the setting."""
        for arm in self.settings:
            if self.over is not None and arm in (self.over.arms or self.arms):
                yield from (self.over.arm(arm, value) for value in self.over.values)
            else:
                yield arm

    @property
    def compared(self) -> tuple[str, ...]:
        """The arms over the setting, or all without one; before each its versions."""
        arms = self.settings if self.over is None else self.over.arms or self.arms
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


def _read(file: Path) -> Study:
    try:
        return read_toml(file, Study)
    except UsageError as error:
        if (found := _WRONG_KIND.search(str(error))) is None:
            raise
        got, where, table = found.groups()
        kinds = [each.__struct_config__.tag for each in get_args(_KINDS_OF[table])]
        raise UsageError(f"{where}: expected {one_of(kinds, got)}, got {got!r} ({file})") from error


_read_once = cache(_read)


def _read_own(name: str) -> Study:
    try:
        file = expand_path(Path(name))
    except ValueError as error:
        raise UsageError(f"study: {error}, got {name!r}") from error
    if not file.exists():
        raise UsageError(f"study: expected a file with the arms, found none ({file})")
    return _read(file)


def known_studies() -> Mapping[str, Study]:
    """Every usable study by each of its names, from the folders `studies` of all plug-ins and our own."""
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
            for name in _read_once(file).names:
                files.setdefault(name, []).append(file)
        except UsageError as error:
            unusable[file.stem] = error
    for name, rivals in files.items():
        if len(rivals) > 1:
            got = " and ".join(map(str, rivals))
            unusable[name] = UsageError(f"study {name}: expected one file to define it, got {got}")
    return {name: _read_once(file) for name, (file, *others) in files.items() if not others}, unusable


def _files() -> Iterator[Path]:
    for kind in _KINDS:
        for name in catalogue.names(kind):
            folder = data_file(kind, name, "studies")
            yield from () if folder is None else sorted(folder.glob("*.toml"))


def find_study(name: str) -> Study:
    """The study called `name`, or the one that a file of the user's defines.

    Args:
        name: as `quintet list studies` has it, or a TOML file: a name that ends in `.toml`.

    Raises:
        UsageError: there is none, or it cannot be used.
    """
    if name.endswith(_FILE):
        return _read_own(name)
    found, unusable = _studies()
    if name not in found:
        if name in unusable:
            raise unusable[name]
        raise UsageError(f"study: expected {one_of(found, name)}, got {name!r}")
    return found[name]
