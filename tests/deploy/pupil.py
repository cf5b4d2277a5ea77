"""A method that learns nothing, under the name `pupil`."""

from dataclasses import replace
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from quintet.messages.learning import Learned
from quintet.messages.parts import PromptPart, TaskPlan
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.learning import LearnerSpec
from quintet.methods.react.react import REACT
from quintet.plugins import catalogue


class PupilConfig(BaseModel):
    """How it learns."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    batch: int = Field(default=4, ge=1)
    """Tasks of an iteration."""
    select: Literal["last", "best"] = "last"
    passes: int = Field(default=1, ge=1)
    """Over the training tasks."""


async def learn(run: LearnerContext[PupilConfig]) -> Learned:
    """Stands by what it was given."""
    await run.publish(0, run.start)
    return Learned(version=0)


def _versions(config: PupilConfig, training: int) -> int:
    if config.batch > training:
        raise ValueError(f"learning.batch: expected at most {training}, the training tasks, got {config.batch}")
    return training // config.batch * config.passes


def _episodes(_config: PupilConfig, training: int, held_out: int, test: int) -> int:
    return training + 10 * held_out + 100 * test


def _chooses(config: PupilConfig) -> bool:
    return config.select == "best"


def _ingredients(content: str) -> tuple[PromptPart, ...]:
    return (TaskPlan(text=content),) if content else ()


PUPIL = replace(
    REACT,
    name="pupil",
    worlds={**REACT.worlds, "chests": {"demonstrations": "none"}},
    environments={"alfworld": {"causes": True}},
    learning=LearnerSpec(
        config=PupilConfig,
        learn=learn,
        roles=("planner", "reflector"),
        prompts=(),
        parts=_ingredients,
        exploration=lambda _config: None,
        versions=_versions,
        chooses=_chooses,
        episodes=_episodes,
        worlds={"alfworld": {"split": "train", "tasks": 24}, "textcraft": {"split": "dev", "tasks": 24}},
    ),
)


def enroll(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make it the one method that learns, beside two that do not; and `chests` an environment."""
    methods = {name: catalogue.METHODS[name] for name in ("react", "random")}
    monkeypatch.setattr(catalogue, "METHODS", {**methods, "pupil": f"{__name__}:PUPIL"})
    chests = "tests.deploy.config.chests:Chests"
    monkeypatch.setattr(catalogue, "WORLDS", {**catalogue.WORLDS, "chests": chests})
