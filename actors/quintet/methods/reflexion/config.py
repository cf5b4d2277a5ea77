"""Reflexion's configuration."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from quintet.methods.react.demonstrations import Demonstrated


class ReflexionConfig(BaseModel):
    """Reflexion's configuration. Where an environment's defaults differ from these, `Reflexion.worlds` says so."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    trials: int = Field(default=3, ge=1)
    """Runs of the executor, the first included. The defaults are ADaPT's `max_depth`; AutoPlan and LDM2 have 5."""

    executor_calls: int = Field(default=20, ge=1)
    """Budget of model calls of every trial; one call is one thought with its action. Reflexion's released code has
    30."""

    patience: int = Field(default=5, ge=1)
    """Rejected or unreadable actions in a row after which a trial gives up."""

    max_repeats: int | None = Field(default=None, ge=2)
    """How often in a row the same action may get the same answer before a trial gives up; None: as often as it likes.
    Reflexion's released code has 3."""

    memory: int = Field(default=3, ge=1)
    """How many reflections are shown, the newest ones."""

    reflections: Literal["own", "none", "swapped"] = "own"
    """`own`: those on the failed trials. The others are controls. `none`: trials alone, and no reflection is asked for.
    `swapped`: each is on a failed trial of another task."""

    other_tasks: tuple[str, ...] | None = Field(default=None, validate_default=True)
    """With `swapped`: at least two tasks, named, of which another one than the episode's own is tried and looked back
    on. None of them should be among the tasks that the run is measured by."""

    demonstrations: Demonstrated | None = None
    """Which worked examples the executor sees; the sets are ReAct's. None: the environment has one set."""

    @field_validator("other_tasks")
    @classmethod
    def _check_other_tasks(cls, names: tuple[str, ...] | None, known: ValidationInfo) -> tuple[str, ...] | None:
        if known.data.get("reflections") == "swapped" and len(set(names or ())) < 2:
            raise ValueError("at least two tasks for swapped reflections")
        return names
