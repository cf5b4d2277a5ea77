"""The flags that `eval` and `study` share, as settings: over `QUINTET_*` variables, over the file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from cyclopts import Parameter

if TYPE_CHECKING:
    from deploy.config.settings import Settings

Switch: TypeAlias = Annotated[bool, Parameter(negative="")]
Assignments: TypeAlias = Annotated[Sequence[str], Parameter(name="--set", negative="")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Flags:
    """What was given; None and False were not."""

    model: str | None = None
    """`quintet list models`."""
    split: str | None = None
    """List of tasks; the environment's first by default."""
    tasks: str | None = None
    """The first so many, or names separated by commas."""
    epochs: int | None = None
    """Repetitions of every task, each in a world of its own."""
    seed: int | None = None
    """Fixes the worlds and the calls."""
    concurrency: int | None = None
    """Episodes at a time."""
    config: Path | None = None
    """A TOML file with the sections method, environment, model, run, runtime, limits."""
    assignments: Assignments = ()
    """A setting, `section.key=value`; may be repeated."""
    fail_fast: Switch = False
    """Stop at the first bug in an actor or a plug-in."""
    out: Path | None = None
    """The folder, new or empty. By default runs/TIME-NAME."""
    dry_run: Switch = False
    """Print the resolved configuration and the tasks; create nothing."""
    json: Switch = False
    """Print the report as JSON."""

    def layers(self, variables: Mapping[str, str] = os.environ, /, **named: str) -> "list[Settings]":
        """The settings, later layers overriding earlier ones.

        Args:
            variables: of the process.
            named: plug-ins by section, given by position.

        Raises:
            UsageError: the file cannot be read, or an assignment is none.
        """
        from deploy.config.settings import from_assignments, from_environment, from_file, from_flags, parse

        flags = {
            **{section.upper(): (f"{section}.name", name) for section, name in named.items()},
            "--model": ("model.name", self.model),
            "--split": ("run.split", self.split),
            "--tasks": ("run.tasks", None if self.tasks is None else parse(self.tasks)),
            "--epochs": ("run.epochs", self.epochs),
            "--seed": ("run.seed", self.seed),
            "--concurrency": ("runtime.concurrency", self.concurrency),
            "--fail-fast": ("run.fail_fast", True if self.fail_fast else None),
        }
        file = [] if self.config is None else [from_file(self.config)]
        return [*file, from_environment(variables), from_assignments(self.assignments), from_flags(flags)]
