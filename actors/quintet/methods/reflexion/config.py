"""Reflexion's configuration."""

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from quintet.methods.base.options import MethodOptions
from quintet.ports.effects import Effect


class ReflexionConfig(MethodOptions):
    """Reflexion's configuration. Where an environment's defaults differ from these, `Reflexion.worlds` says so."""

    trials: int = Field(default=3, ge=1)
    """Attempts, the first included. The defaults are ADaPT's `max_depth`; AutoPlan and LDM2 have 5."""

    memory: int = Field(default=3, ge=1)
    """How many reflections are shown, the newest ones."""

    reflections: Literal["own", "none", "swapped"] = "own"
    """`own`: those on the failed trials. The others are controls. `none`: trials alone, and no reflection is asked for.
    `swapped`: each is on a failed trial of another task."""

    other_tasks: Annotated[tuple[str, ...] | None, Effect.NONE] = Field(default=None, validate_default=True)
    """With `swapped`: at least two tasks, named, of which another one than the episode's own is tried and looked back
    on. None of them should be among the tasks that the run is measured by."""

    @field_validator("other_tasks")
    @classmethod
    def _check_other_tasks(cls, names: tuple[str, ...] | None, known: ValidationInfo) -> tuple[str, ...] | None:
        if known.data.get("reflections") == "swapped" and len(set(names or ())) < 2:
            raise ValueError("at least two tasks for swapped reflections")
        return names
