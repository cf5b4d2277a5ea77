"""Flags of the commands that run episodes. They override `QUINTET_*` variables, which override the file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, cast

from cyclopts import Parameter, Token

from quintet.config.settings import (
    GREATEST,
    Setting,
    Settings,
    from_assignments,
    from_environment,
    from_file,
    parse_value,
    quote,
)
from quintet.config.stream import NO_MEMORY, stream_settings
from quintet.errors import UsageError
from quintet.hooks.hook import Hook, load_hooks
from quintet.hooks.spans import SpanHook


def _whole(_type: object, tokens: Sequence[Token]) -> int:
    """Parse a whole number exactly; cyclopts itself would round."""
    flag, text = tokens[0].keyword, tokens[0].value
    try:
        number = int(text)
    except ValueError:  # also of more digits than Python reads
        raise UsageError(f"{flag}: expected a whole number, got {quote('', text)}") from None
    if abs(number) > GREATEST:
        raise UsageError(f"{flag}: expected at most {GREATEST:,}, got {quote('', number)}")
    return number


Whole: TypeAlias = Annotated[int, Parameter(converter=_whole)]
Switch: TypeAlias = Annotated[bool, Parameter(negative="")]
FileOrNone: TypeAlias = Annotated[
    Sequence[Path] | None, Parameter(consume_multiple=(0, 1), negative="", metavar="[FILE]")
]
"""A flag that may name a file: None without the flag, empty without a file."""
Paths: TypeAlias = Annotated[Sequence[Path], Parameter(negative="")]
IndexedFile: TypeAlias = Annotated[tuple[int, Path], Parameter(negative="")]
Assignments: TypeAlias = Annotated[Sequence[str], Parameter(name="--set", negative="")]
Objects: TypeAlias = Annotated[Sequence[str], Parameter(negative="")]


_KEY = "key"
"""Of a flag's metadata: which key of the settings it sets."""


def flag_name(of: str) -> str:
    """How the flag of a field is written."""
    return "--set" if of == "assignments" else f"--{of.replace('_', '-')}"


def _as_setting(value: object, flag: str) -> object:
    match value:
        case Path():
            return str(value)
        case str() if flag in ("--tasks", "--train-tasks"):
            return parse_value(value, flag)
        case list() | tuple():
            return [str(each) for each in cast("Sequence[Path]", value)]
        case _:
            return value


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ResumeFlags:
    """The flags that a resume takes too, since they cannot change results; None and False mean not given."""

    concurrency: Whole | None = field(default=None, metadata={_KEY: "runtime.concurrency"})
    """Episodes at a time."""
    model_url: str | None = field(default=None, metadata={_KEY: "model.url"})
    """Send every model call, by the model's name, to this OpenAI-compatible endpoint."""
    budget_usd: float | None = field(default=None, metadata={_KEY: "limits.budget_usd"})
    """The most USD that the run, or the study in all its arms, may spend. Then it stops with exit code 3."""
    budget_tokens: Whole | None = field(default=None, metadata={_KEY: "limits.budget_tokens"})
    """The same in tokens."""
    runtime: Literal["local", "ray"] | None = field(default=None, metadata={_KEY: "runtime.kind"})
    """In this process (even if the run began on Ray) or on Ray; by default on Ray if a flag about Ray is given."""
    hosts: Whole | None = field(default=None, metadata={_KEY: "runtime.hosts"})
    """Number of Ray hosts, under --placement per-role for each role; by default about one per core."""
    placement: Literal["colocated", "per-role"] | None = field(default=None, metadata={_KEY: "runtime.placement"})
    """An episode's roles on one Ray host, or every role on hosts of its own."""
    ray_address: str | None = field(default=None, metadata={_KEY: "runtime.address"})
    """The Ray cluster to join, HOST:PORT or auto; by default one is started here."""
    quota: str | None = field(default=None, metadata={_KEY: "runtime.quota"})
    """Share rate limits with the runs on the same Ray cluster that name the same quota."""
    keep_going: Switch = field(default=False, metadata={_KEY: "run.keep_going"})
    """Go on after a bug in a method, a role, a world or a model; else the first one stops the run."""
    assignments: Assignments = ()
    """A setting, `section.key=value`; may be repeated."""
    hooks: Objects = ()
    """A hook that receives the run's events, FILE.py:OBJECT or package.module:OBJECT; may be repeated."""
    otel: str | None = None
    """Send spans, while the run goes on, to the OTLP collector at this address, such as http://127.0.0.1:4318."""
    otel_content: Switch = False
    """Send the texts of prompts, completions, actions and observations with the spans."""
    detach: Switch = False
    """Run in a process of its own, which goes on after the terminal closes, and return once it has begun."""
    json: Switch = False
    """Print the report as JSON; with --detach, where the run is."""

    def settings(self) -> Settings:
        """The flags that were given, as settings, over the assignments; they may not contradict each other."""
        found = dict(from_assignments(self.assignments))
        for each in fields(self):
            key, value, flag = each.metadata.get(_KEY), getattr(self, each.name), flag_name(each.name)
            if key is None or value is None or value is False or value == ():
                continue
            if value == "":  # such as an unset variable of a shell
                raise UsageError(f"{flag}: expected a value, got none")
            if self.runtime == "local" and flag in ("--hosts", "--placement", "--ray-address", "--quota"):
                raise UsageError(f"{flag}: expected a run on Ray, got --runtime local")
            found[key] = Setting(_as_setting(value, flag), flag)
        if self.runtime == "local":
            found |= dict.fromkeys(("runtime.address", "runtime.quota"), Setting(None, "--runtime local"))
        return found

    def load_hooks(self) -> tuple[Hook, ...]:
        """The hooks, in the order of the flags; the one that sends spans comes last."""
        hooks = load_hooks(self.hooks)
        if self.otel is not None:
            return (*hooks, SpanHook.to_collector(self.otel, content=self.otel_content))
        if self.otel_content:
            raise UsageError("--otel-content: expected --otel URL beside it, got none")
        return hooks


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class FolderFlags(ResumeFlags):
    """The flags of everything that has a folder of its own and plays no task of its own choice."""

    out: Path | None = None
    """The folder, new or empty. By default runs/TIME-NAME."""
    dry_run: Switch = False
    """Print what would run, and under which settings; create nothing."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class NewRunFlags(FolderFlags):
    """The flags of every new run that plays, also of one whose tasks and worlds are those of a recorded run."""

    model: str | None = field(default=None, metadata={_KEY: "model.name"})
    """`quintet list models`, or the name of an endpoint's model."""
    plan: Path | None = field(default=None, metadata={_KEY: "method.plan"})
    """A file with a plan that is shown before every task; a run that learns begins with it."""
    memory: str | None = field(default=None, metadata={_KEY: "memory.source"})
    """RUN[@VERSION] or a memory's file, to recall tuples from before every turn; a run that learns begins with it."""
    episode_budget_usd: float | None = field(default=None, metadata={_KEY: "limits.episode_usd"})
    """The most USD that an episode may spend. Then it ends with the answer that its method offered, if any."""
    episode_budget_tokens: Whole | None = field(default=None, metadata={_KEY: "limits.episode_tokens"})
    """The same in tokens."""
    episode_budget_calls: Whole | None = field(default=None, metadata={_KEY: "limits.episode_calls"})
    """The same in model calls; a repeated call counts once."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Flags(NewRunFlags):
    """Also those that choose the tasks and their worlds."""

    split: str | None = field(default=None, metadata={_KEY: "run.split"})
    """List of tasks; the environment's first by default."""
    tasks: str | None = field(default=None, metadata={_KEY: "run.tasks"})
    """The first so many, or names separated by commas."""
    task_type: str | None = field(default=None, metadata={_KEY: "run.task_type"})
    """Only tasks of this type, if the environment's tasks have types: `heat`."""
    seed: Whole | None = field(default=None, metadata={_KEY: "run.seed"})
    """Fixes the worlds and the calls."""
    config: Path | None = None
    """A TOML file with the sections method, environment, model, run, learning, memory, runtime, limits."""

    def layers(self, variables: Mapping[str, str] = os.environ, /, **named: str | None) -> list[Settings]:
        """The settings; later layers override earlier ones.

        Args:
            variables: of the process.
            named: plug-ins by section, given by position.

        Raises:
            UsageError: the file cannot be read, or an assignment has no key or no "=".
        """
        own = {f"{section}.name": Setting(name, section.upper()) for section, name in named.items() if name is not None}
        file = [] if self.config is None else [from_file(self.config)]
        return [*file, from_environment(variables), self.settings(), own]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class EvaluationFlags(Flags):
    """Also the flags of a run whose tasks can be repeated."""

    epochs: Whole | None = field(default=None, metadata={_KEY: "run.epochs"})
    """Repetitions of every task, each in a world of its own."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class StreamFlags(Flags):
    """Also the flags of a stream."""

    memory: str | None = None
    """The method that learns along the tasks, around METHOD: LEARNER(METHOD); or none, which learns nothing. By default
    METHOD learns itself."""
    order: Whole | None = field(default=None, metadata={_KEY: "run.order"})
    """The seed that shuffles the tasks; by default they are played as they are listed."""
    window: Whole | None = field(default=None, metadata={_KEY: "learning.window"})
    """Play so many tasks side by side, and learn after them; by default as the learner says, mostly 1."""
    feedback: Literal["judged", "reward"] | None = field(default=None, metadata={_KEY: "learning.feedback"})
    """What says whether an attempt succeeded: a model's judgement, by default, or the reward."""

    def layers(self, variables: Mapping[str, str] = os.environ, /, **named: str | None) -> list[Settings]:
        """As `Flags.layers`, for a stream, whose method is the learner around the one that is named."""
        method = named.pop("method", None)
        if self.memory not in (None, NO_MEMORY) and method is None:
            raise UsageError(f"--memory: expected METHOD beside it, around which {self.memory} learns, got none")
        asked = stream_settings(method, self.memory)
        around = "method.inner.name" in asked
        where = {"method.name": "--memory" if around else "METHOD", "method.inner.name": "METHOD"}
        own = {key: Setting(value, where.get(key, "stream")) for key, value in asked.items()}
        return [*super().layers(variables, **named), own]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class LearningFlags(Flags):
    """Also the flags of a run that learns."""

    batch: Whole | None = field(default=None, metadata={_KEY: "learning.batch"})
    """Training tasks per iteration; of a memory, trajectories per batch memory."""
    iterations: Whole | None = field(default=None, metadata={_KEY: "learning.iterations"})
    """Number of iterations, each with one update; by default enough to use every training task once."""
    eval_every: Whole | None = field(default=None, metadata={_KEY: "learning.eval_every"})
    """Measure the version after every so many iterations; the last one is always measured."""
    select: Literal["last", "best"] | None = field(default=None, metadata={_KEY: "learning.select"})
    """Choose the last version, or the one that does best on tasks held out from training."""
    held_out: Whole | None = field(default=None, metadata={_KEY: "learning.held_out"})
    """How many of the training tasks to hold out; by default none, and with --select best a quarter."""
    train_split: str | None = field(default=None, metadata={_KEY: "learning.split"})
    """List of tasks to learn from; by default the method's for the environment."""
    train_tasks: str | None = field(default=None, metadata={_KEY: "learning.tasks"})
    """How many of them, drawn at random by the seed, or names separated by commas."""
    trajectories: Paths = field(default=(), metadata={_KEY: "memory.trajectories"})
    """A file of trajectories to learn from, JSON lines; may be repeated."""
    from_run: Paths = field(default=(), metadata={_KEY: "memory.from_runs"})
    """A run folder whose episodes are trajectories to learn from; may be repeated."""

    def layers(self, variables: Mapping[str, str] = os.environ, /, **named: str | None) -> list[Settings]:
        """As `Flags.layers`, for a run that learns."""
        return [*super().layers(variables, **named), {"run.learn": Setting(True, "optimize")}]
