"""Flags of the commands that run episodes. They override `QUINTET_*` variables, which override the file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from cyclopts import Parameter, Token

from quintet.config.settings import (
    Setting,
    Settings,
    from_assignments,
    from_environment,
    from_file,
    from_flags,
    parse_value,
)
from quintet.errors import UsageError
from quintet.hooks.hook import Hook, load_hooks
from quintet.hooks.spans import SpanHook


def _whole(_type: object, tokens: Sequence[Token]) -> int:
    """Parse a whole number exactly; cyclopts itself would round."""
    try:
        return int(tokens[0].value)
    except ValueError:
        raise UsageError(f"{tokens[0].keyword}: expected a whole number, got {tokens[0].value!r}") from None


Whole: TypeAlias = Annotated[int, Parameter(converter=_whole)]
Switch: TypeAlias = Annotated[bool, Parameter(negative="")]
FileOrNone: TypeAlias = Annotated[
    Sequence[Path] | None, Parameter(consume_multiple=(0, 1), negative="", metavar="[FILE]")
]
"""A flag that may name a file: None without the flag, empty without a file."""
IndexedFile: TypeAlias = Annotated[tuple[int, Path], Parameter(negative="")]
Assignments: TypeAlias = Annotated[Sequence[str], Parameter(name="--set", negative="")]
Objects: TypeAlias = Annotated[Sequence[str], Parameter(negative="")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ResumeFlags:
    """The flags that a resume takes too, since they cannot change results; None and False mean not given."""

    concurrency: Whole | None = None
    """Episodes at a time."""
    model_url: str | None = None
    """Send every model call, by the model's name, to this OpenAI-compatible endpoint."""
    budget_usd: float | None = None
    """The most USD that the run, or each arm of a study, may spend. Then it stops with exit code 3."""
    budget_tokens: Whole | None = None
    """The same in tokens."""
    runtime: Literal["local", "ray"] | None = None
    """In this process (even if the run began on Ray) or on Ray; by default on Ray if a flag about Ray is given."""
    hosts: Whole | None = None
    """Number of Ray hosts, under --placement per-role for each role; by default about one per core."""
    placement: Literal["colocated", "per-role"] | None = None
    """An episode's roles on one Ray host, or every role on hosts of its own."""
    ray_address: str | None = None
    """The Ray cluster to join, HOST:PORT or auto; by default one is started here."""
    quota: str | None = None
    """Share rate limits with the runs on the same Ray cluster that name the same quota."""
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

    def given(self) -> dict[str, tuple[str, object]]:
        """The flags by name, each with its dotted key and its value."""
        return {
            "--concurrency": ("runtime.concurrency", self.concurrency),
            "--model-url": ("model.url", self.model_url),
            "--budget-usd": ("limits.budget_usd", self.budget_usd),
            "--budget-tokens": ("limits.budget_tokens", self.budget_tokens),
            "--runtime": ("runtime.kind", self.runtime),
            "--hosts": ("runtime.hosts", self.hosts),
            "--placement": ("runtime.placement", self.placement),
            "--ray-address": ("runtime.address", self.ray_address),
            "--quota": ("runtime.quota", self.quota),
        }

    def settings(self) -> Settings:
        """The flags that were given, as settings; they may not contradict each other."""
        given = self.given()
        for flag, (_, value) in given.items():
            if value == "":  # such as an unset variable of a shell
                raise UsageError(f"{flag}: expected a value, got none")
        if self.runtime == "local":
            for flag in ("--hosts", "--placement", "--ray-address", "--quota"):
                if given[flag][1] is not None:
                    raise UsageError(f"{flag}: expected a run on Ray, got --runtime local")
        reset = ("runtime.address", "runtime.quota") if self.runtime == "local" else ()
        return {
            **from_assignments(self.assignments),
            **from_flags(given),
            **dict.fromkeys(reset, Setting(None, "--runtime local")),
        }

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
class Flags(ResumeFlags):
    """The flags of every new run."""

    model: str | None = None
    """`quintet list models`, or the name of an endpoint's model."""
    split: str | None = None
    """List of tasks; the environment's first by default."""
    tasks: str | None = None
    """The first so many, or names separated by commas."""
    plan: Path | None = None
    """A file with a plan that is shown before every task; a run that learns begins with it."""
    memory: str | None = None
    """RUN[@VERSION] or a memory's file, to recall tuples from before every turn; a run that learns begins with it."""
    task_type: str | None = None
    """Only tasks of this type, if the environment's tasks have types: `heat`."""
    seed: Whole | None = None
    """Fixes the worlds and the calls."""
    episode_budget_usd: float | None = None
    """The most USD that an episode may spend. Then it ends with the answer that its method offered, if any."""
    episode_budget_tokens: Whole | None = None
    """The same in tokens."""
    episode_budget_calls: Whole | None = None
    """The same in model calls; a repeated call counts once."""
    config: Path | None = None
    """A TOML file with the sections method, environment, model, run, learning, memory, runtime, limits."""
    fail_fast: Switch = False
    """Stop at the first bug in an actor or a plug-in."""
    out: Path | None = None
    """The folder, new or empty. By default runs/TIME-NAME."""
    dry_run: Switch = False
    """Print the resolved configuration and the tasks; create nothing."""

    def layers(self, variables: Mapping[str, str] = os.environ, /, **named: str | None) -> list[Settings]:
        """The settings; later layers override earlier ones.

        Args:
            variables: of the process.
            named: plug-ins by section, given by position.

        Raises:
            UsageError: the file cannot be read, or an assignment has no key or no "=".
        """
        own = {
            **{section.upper(): (f"{section}.name", name) for section, name in named.items()},
            "--model": ("model.name", self.model),
            "--split": ("run.split", self.split),
            "--tasks": ("run.tasks", None if self.tasks is None else parse_value(self.tasks, "--tasks")),
            "--task-type": ("run.task_type", self.task_type),
            "--plan": ("method.plan", None if self.plan is None else str(self.plan)),
            "--memory": ("memory.source", self.memory),
            "--seed": ("run.seed", self.seed),
            "--episode-budget-usd": ("limits.episode_usd", self.episode_budget_usd),
            "--episode-budget-tokens": ("limits.episode_tokens", self.episode_budget_tokens),
            "--episode-budget-calls": ("limits.episode_calls", self.episode_budget_calls),
            "--fail-fast": ("run.fail_fast", True if self.fail_fast else None),
        }
        file = [] if self.config is None else [from_file(self.config)]
        return [*file, from_environment(variables), self.settings(), from_flags(own)]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class EvaluationFlags(Flags):
    """Also the flags of a run whose tasks can be repeated."""

    epochs: Whole | None = None
    """Repetitions of every task, each in a world of its own."""

    def layers(self, variables: Mapping[str, str] = os.environ, /, **named: str | None) -> list[Settings]:
        """As `Flags.layers`, with repetitions."""
        return [*super().layers(variables, **named), from_flags({"--epochs": ("run.epochs", self.epochs)})]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class LearningFlags(Flags):
    """Also the flags of a run that learns."""

    batch: Whole | None = None
    """Training tasks per iteration; of a memory, trajectories per batch memory."""
    iterations: Whole | None = None
    """Number of iterations, each with one update; by default enough to use every training task once."""
    eval_every: Whole | None = None
    """Measure the version after every so many iterations; the last one is always measured."""
    select: Literal["last", "best"] | None = None
    """Choose the last version, or the one that does best on tasks held out from training."""
    held_out: Whole | None = None
    """How many of the training tasks to hold out; by default none, and with --select best a quarter."""
    train_split: str | None = None
    """List of tasks to learn from; by default the method's for the environment."""
    train_tasks: str | None = None
    """How many of them, drawn at random by the seed, or names separated by commas."""
    trajectories: Sequence[Path] = ()
    """A file of trajectories to form a memory from, JSON lines; may be repeated."""
    from_run: Sequence[Path] = ()
    """A run folder whose episodes are trajectories to form a memory from; may be repeated."""

    def layers(self, variables: Mapping[str, str] = os.environ, /, **named: str | None) -> list[Settings]:
        """As `Flags.layers`, for a run that learns."""
        own = {
            "--batch": ("learning.batch", self.batch),
            "--iterations": ("learning.iterations", self.iterations),
            "--eval-every": ("learning.eval_every", self.eval_every),
            "--select": ("learning.select", self.select),
            "--held-out": ("learning.held_out", self.held_out),
            "--train-split": ("learning.split", self.train_split),
            "--train-tasks": (
                "learning.tasks",
                None if self.train_tasks is None else parse_value(self.train_tasks, "--train-tasks"),
            ),
            "--trajectories": ("memory.trajectories", [str(file) for file in self.trajectories] or None),
            "--from-run": ("memory.from_runs", [str(run) for run in self.from_run] or None),
        }
        learns = {"run.learn": Setting(True, "optimize")}
        return [*super().layers(variables, **named), from_flags(own), learns]
