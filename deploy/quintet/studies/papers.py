"""Published figures of a method, from `papers.toml` beside its code, and which of them belong to a run."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from quintet.config.sections import METHOD_MODEL_ROLES, ModelSettings, RunConfig
from quintet.config.settings import flatten
from quintet.errors import UsageError
from quintet.learned.kinds import CONTENT_KINDS
from quintet.plugins.data_files import data_file, read_toml
from quintet.ports.world import TASK_TYPE
from quintet.reports.text_tables import plural
from quintet.reports.world_tasks import OfficialSplit, world_tasks
from quintet.roles.question_roles import WORLD_ROLE_NAMES
from quintet.runs.record import RunRecord

Percent: TypeAlias = int | float
"""As printed: `92` or `19.0`."""

_USUAL: Final = {"answers": "text", "examples": "text", "dialect": "chat", "top_p": 1.0}
"""Settings of a model, beside those that a row states, by which it is asked something else; with what every row has."""


class QuestionCost(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """USD per question, as printed."""

    inference: float
    training: float | None = None
    """None if nothing is trained."""


class PrintedTrials(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Means of trials, as printed."""

    first_actions: float
    """Actions in the first trial of a task."""
    last_actions: float
    """In its last one."""
    revisions: float
    """Plan revisions of a task."""


class PrintedRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of a paper's table."""

    row: str
    """The method, as the paper calls it."""
    model: str
    """The model that produced the figures."""
    success: Percent | None = None
    """Of all tasks; None if it is not printed. It is never computed from the groups'."""
    score: Percent | None = None
    """The mean reward x 100 over all tasks; None if it is not printed."""
    groups: Mapping[str, Mapping[str, Percent]] = {}
    """Success by label and its value: `groups["recipe depth"]["2"]`."""
    depths: Mapping[str, Mapping[str, float]] = {}
    """Mean recursion level needed to succeed, by label and its value."""
    usd: QuestionCost | None = None
    trials: PrintedTrials | None = None
    p_values: tuple[float, ...] = ()
    """Of tests between two arms, for each iteration."""


class QuotedRow(PrintedRow, frozen=True, kw_only=True):
    """A row that no run can be known to repeat."""

    model: str = ""
    """Empty: none, or not printed."""
    why: str
    """Why none is: `quoted by the paper, and not run`."""


class PaperRow(PrintedRow, frozen=True, kw_only=True):
    """A row, and the experiment that a run must repeat to be shown with it."""

    source: str
    """The paper's name first, then the table: `Name, table 2`."""
    budget: str
    """The bound on an episode's model calls, as `Method.budget` writes it. A row without a budget is a `QuotedRow`: no
    run could be known to agree with it."""
    environment: str
    split: str
    """One that the world's `tasks.toml` describes; figures are of all its tasks."""
    task_type: str | None = None
    """The figures are of its tasks of this type only."""
    options: Mapping[str, Any] = {}
    """Settings that must equal the paper's: tables `method`, `environment`, and of `model` the `temperature`, which is
    none where it is not sent."""
    unset: tuple[str, ...] = ()
    """Options that must not be set: `method.patience`."""

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


class SharedOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What all rows of a file say of one world, unless they say otherwise."""

    options: Mapping[str, Any] = {}
    unset: tuple[str, ...] = ()


class PaperRows(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `papers.toml`."""

    rows: tuple[PaperRow, ...]
    worlds: Mapping[str, SharedOptions] = {}
    """By the name of a world."""


def paper_rows(method: str) -> tuple[PaperRow, ...]:
    """All published figures of a method; empty if it has none or is not installed.

    Raises:
        UsageError: its file cannot be read.
    """
    file = data_file("method", method, "papers.toml")
    return () if file is None else _read(file)


@cache
def _read(file: Path) -> tuple[PaperRow, ...]:
    found = read_toml(file, PaperRows)
    return tuple(_with_shared(row, found.worlds.get(row.environment, SharedOptions())) for row in found.rows)


def _with_shared(row: PaperRow, shared: SharedOptions) -> PaperRow:
    options = {**dict(flatten(shared.options)), **dict(flatten(row.options))}
    return msgspec.structs.replace(row, options=options, unset=(*shared.unset, *row.unset))


def published_figures(record: RunRecord) -> tuple[PaperRow, ...]:
    """Papers' figures for the same method on the same tasks, all of them or all of one type, with the same budget."""
    config, task_type = record.configuration, record.configuration.run.task_type
    rows = [row for row in paper_rows(config.method.name) if row.environment == config.environment.name]
    if task_type is not None:
        rows = [of_one_type(row, task_type) for row in rows if task_type in row.groups.get(TASK_TYPE, {})]
    return tuple(row for row in rows if not what_differs(row, record))


def of_one_type(row: PaperRow, task_type: str) -> PaperRow:
    """The row's figures for the tasks of one type. It has no cost for them."""
    groups = {label: {task_type: group[task_type]} for label, group in row.groups.items() if label == TASK_TYPE}
    return msgspec.structs.replace(
        row, task_type=task_type, success=None, score=None, groups=groups, depths={}, usd=None, trials=None
    )


def what_differs(row: PaperRow, record: RunRecord) -> tuple[str, ...]:
    """How a run differs from an experiment, in words; nothing if it has the same tasks, content, budget and options.

    No paper's row learnt, began with content from a file, or with what another run learnt, put another method within
    its own, had prompts of the user's, asked for JSON or calls of tools, showed its examples as turns, or kept
    reasoning between turns. What is a model's own, such as its longest answer, is no difference, as another model is
    none.
    """
    return tuple(_differences(row, record))


def _differences(row: PaperRow, record: RunRecord) -> Iterator[str]:
    config, official = record.configuration, row.official
    if len(record.tasks) != row.tasks:
        yield f"{plural(len(record.tasks), 'task')}, not {row.tasks}"
    if config.run.split != row.split:
        yield f"split {config.run.split}, not {row.split}"
    if config.run.task_type != row.task_type:
        yield f"{_of_type(config.run.task_type)}, not {_of_type(row.task_type)}"
    if isinstance(config.run.tasks, tuple):
        yield "named tasks"
    yield from _other_content(official, record.content)
    if record.method != config.method.name:
        yield f"{record.method}, not {config.method.name} with its own inner method"
    if record.budget != row.budget:
        yield f"a budget of {record.budget or 'no calls'}, not {row.budget}"
    if config.limits.episode_budget:
        yield f"a limit of {config.limits.episode_budget} an episode"
    if config.limits.episode_seconds is not None:
        yield f"a limit of {config.limits.episode_seconds:g} s an episode"
    yield from (f"begins with a {kind.name}" for kind in CONTENT_KINDS.values() if kind.given(record))
    if record.learns:
        yield "learns"
    if record.own_prompts:
        yield f"own prompts: {', '.join(sorted(record.own_prompts))}"
    for name, usual in _USUAL.items():
        others = {str(model.model_dump().get(name, usual)) for model in _models(config)} - {str(usual)}
        yield from (f"model.{name} {other}, not {usual}" for other in sorted(others))
    ours = _options(config)
    for name, value in {**dict(flatten(row.options)), **dict.fromkeys(row.unset)}.items():
        if ours.get(name) != value:
            yield f"{name} {_worded(ours.get(name))}, not {_worded(value)}"


def _other_content(official: OfficialSplit, content: Mapping[str, str]) -> Iterator[str]:
    """Where the world's content is not the paper's, or cannot be known to be."""
    for part, known in official.content.items():
        if (ours := content.get(part, "not recorded")) != known:
            yield f"{part} {ours}, not {known}"
    undescribed = {part: "its world does not state it" for part in content if part not in official.content}
    for part, why in {**undescribed, **official.unknown}.items():
        yield f"{part} {content.get(part, 'not recorded')}: the digest of the paper's is not known here ({why})"


def _of_type(task_type: str | None) -> str:
    return "tasks of all types" if task_type is None else f"tasks of type {task_type}"


def _worded(value: object) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _models(config: RunConfig) -> Iterator[ModelSettings]:
    """The settings of the roles' models, of inner methods too."""
    sections, inner = [config.model], config.method.inner
    while inner is not None:
        sections += [] if inner.model is None else [inner.model]
        inner = inner.inner
    for section in sections:
        asked = {*METHOD_MODEL_ROLES, *section.roles} - {*WORLD_ROLE_NAMES}
        yield from (section.of(role) for role in sorted(asked))


def _options(config: RunConfig) -> dict[str, Any]:
    """Every option by dotted key, and the temperature of the roles' models."""
    temperatures = sorted({_temperature(model) for model in _models(config)}, key=str)
    sections: dict[str, Mapping[str, Any]] = {
        "method": config.method.nested_options,
        "environment": config.environment.options,
        "model": {"temperature": temperatures[0] if len(temperatures) == 1 else temperatures},
    }
    return {f"{section}.{name}": value for section, options in sections.items() for name, value in options.items()}


def _temperature(model: ModelSettings) -> float | None:
    """As it is sent; None if a setting has it left to the endpoint."""
    return None if "temperature" in model.options.get("omit", ()) else model.temperature
