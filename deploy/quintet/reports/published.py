"""Published figures of a method, from `papers.toml` beside its code, and which of them belong to a run."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from quintet.config.sections import RunConfig
from quintet.config.settings import flatten
from quintet.config.tasks import TASK_TYPE
from quintet.errors import UsageError
from quintet.learned.kinds import CONTENT_KINDS
from quintet.plugins.data_files import data_file, read_toml
from quintet.reports.world_tasks import OfficialSplit, world_tasks
from quintet.runs.record import RunRecord

Percent: TypeAlias = int | float
"""As printed: `92` or `19.0`."""


class QuestionCost(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """USD per question, as printed."""

    inference: float
    training: float | None = None
    """None if nothing is trained."""


class PaperRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of a paper's table, and the experiment that a run must repeat to be shown with it."""

    source: str
    """The paper's name first, then the table: `Name, table 2`."""
    row: str
    """The method, as the paper calls it."""
    model: str
    """The model that produced the figures."""
    budget: str
    """The bound on an episode's model calls, as `Method.budget` writes it. A row without a budget is not listed:
    no run could be known to agree with it."""
    environment: str
    split: str
    """One that the world's `tasks.toml` describes; figures are of all its tasks."""
    task_type: str | None = None
    """The figures are of its tasks of this type only."""
    success: Percent | None = None
    """Of all tasks; None if it is not printed. It is never computed from the groups'."""
    groups: Mapping[str, Mapping[str, Percent]] = {}
    """Success by label and its value: `groups["recipe depth"]["2"]`."""
    depths: Mapping[str, Mapping[str, float]] = {}
    """Mean recursion level needed to succeed, by label and its value."""
    usd: QuestionCost | None = None
    options: Mapping[str, Any] = {}
    """Settings that must equal the paper's: tables `method`, `environment` and, if it learns, `learning`."""
    unset: tuple[str, ...] = ()
    """Options that must not be set: `method.patience`."""
    apart: bool = False
    """Every type of task was a run of its own, so the paper has no figures for one run of all types."""

    @property
    def official(self) -> OfficialSplit:
        """The official data of its split.

        Raises:
            UsageError: the world does not describe the split.
        """
        splits = world_tasks(self.environment).splits
        if self.split not in splits:
            expected = f"a split in the tasks.toml of {self.environment}"
            raise UsageError(f"split: expected {expected}, got {self.split!r} ({self.source}, {self.row})")
        return splits[self.split]

    @property
    def tasks(self) -> int:
        """How many tasks the figures are of."""
        return self.official.tasks if self.task_type is None else self.official.types[self.task_type]


class PaperRows(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `papers.toml`."""

    rows: tuple[PaperRow, ...]


def paper_rows(method: str) -> tuple[PaperRow, ...]:
    """All published figures of a method; empty if it has none or is not installed.

    Raises:
        UsageError: its file cannot be read.
    """
    file = data_file("method", method, "papers.toml")
    return () if file is None else _read(file).rows


@cache
def _read(file: Path) -> PaperRows:
    return read_toml(file, PaperRows)


def published_figures(record: RunRecord) -> tuple[PaperRow, ...]:
    """Papers' figures for the same method on the same tasks, all of them or all of one type, with the same budget."""
    task_type, found = record.configuration.run.task_type, _rows(record)
    if task_type is None:
        return tuple(row for row in found if not row.apart and agrees(row, record))
    of_type = [of_one_type(row, task_type) for row in found if task_type in row.groups.get(TASK_TYPE, {})]
    return tuple(row for row in of_type if agrees(row, record))


def joint_published_figures(records: Sequence[RunRecord]) -> tuple[PaperRow, ...]:
    """Published figures for runs that make one experiment: a run for every type of task."""
    by_type = {record.configuration.run.task_type: record for record in records}
    found = _rows(records[0]) if records else ()
    return tuple(
        row
        for row in found
        if row.apart
        and by_type.keys() == row.official.types.keys()
        and all(agrees(of_one_type(row, kind), by_type[kind]) for kind in row.official.types)
    )


def _rows(record: RunRecord) -> list[PaperRow]:
    config = record.configuration
    return [row for row in paper_rows(config.method.name) if row.environment == config.environment.name]


def of_one_type(row: PaperRow, task_type: str) -> PaperRow:
    """The row's figures for the tasks of one type. It has no cost for them."""
    groups = {label: {task_type: group[task_type]} for label, group in row.groups.items() if label == TASK_TYPE}
    return msgspec.structs.replace(row, task_type=task_type, success=None, groups=groups, depths={}, usd=None)


def agrees(row: PaperRow, record: RunRecord) -> bool:
    """Whether a run has an experiment's tasks, budget and options.

    No paper began with content from a file, or with what another run learnt, or put another method within its own.
    """
    config, official = record.configuration, row.official
    unset = [*row.unset, *(f"environment.{option}" for option in official.unset)]
    wanted = {**dict(flatten(row.options)), **dict.fromkeys(unset)}
    ours = _options(config)
    return (
        (row.split, row.task_type, row.tasks) == (config.run.split, config.run.task_type, len(record.tasks))
        and not isinstance(config.run.tasks, tuple)
        and record.method == config.method.name
        and row.budget == record.budget
        and not config.limits.episode_budget
        and not any(kind.given(record) for kind in CONTENT_KINDS.values())
        and ("learning" in row.options) == record.learns
        and all(ours.get(name) == value for name, value in wanted.items())
        and all(re.fullmatch(official.names, task.name) for task in record.tasks)
    )


def _options(config: RunConfig) -> dict[str, Any]:
    """Every option by dotted key."""
    sections: dict[str, Mapping[str, Any]] = {
        "method": config.method.nested_options,
        "environment": config.environment.options,
    }
    if config.learning is not None:
        sections["learning"] = config.learning.options
    return {f"{section}.{name}": value for section, options in sections.items() for name, value in options.items()}
