"""Flags as settings: what was given on the command line, over `QUINTET_*` variables, over the file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deploy.config.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Flags:
    """What was given; None and False were not."""

    method: str | None = None
    environment: str | None = None
    model: str | None = None
    split: str | None = None
    tasks: str | None = None
    epochs: int | None = None
    seed: int | None = None
    concurrency: int | None = None
    fail_fast: bool = False
    config: Path | None = None
    assignments: Sequence[str] = ()

    def layers(self, variables: Mapping[str, str] = os.environ) -> "list[Settings]":
        """The settings, later layers overriding earlier ones.

        Raises:
            UsageError: the file cannot be read, or an assignment is none.
        """
        from deploy.config.settings import from_assignments, from_environment, from_file, from_flags, parse

        flags = {
            "METHOD": ("method.name", self.method),
            "ENVIRONMENT": ("environment.name", self.environment),
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
