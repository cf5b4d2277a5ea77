"""A method that learns nothing, under the name `pupil`."""

from collections.abc import Mapping
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from quintet.messages.learning import Learned
from quintet.messages.planning import RevisePlan
from quintet.messages.reflection import Reflect
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.base.episode import Episode
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.method import LearnerSpec, Method
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.react import React
from quintet.plugins import catalogue


class PupilConfig(BaseModel):
    """How it learns."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    batch: int = Field(default=4, ge=1)
    """Tasks of an iteration."""
    select: Literal["last", "best"] = "last"
    passes: int = Field(default=1, ge=1)
    """Over the training tasks."""


class PupilLearner(LearnerSpec[PupilConfig]):
    """Chooses the plan that it was given."""

    requests = (RevisePlan, Reflect)
    worlds = {"alfworld": {"split": "train", "tasks": 24}, "textcraft": {"split": "dev", "tasks": 24}}

    async def learn(self, run: LearnerContext) -> Learned:
        await run.publish(0, run.start)
        return Learned(version=0)

    def versions(self, training: int, trajectories: int = 0) -> int:
        batch = self.config.batch
        if batch > training:
            raise ValueError(f"learning.batch: expected at most {training}, the training tasks, got {batch}")
        return training // batch * self.config.passes

    def chooses(self) -> bool:
        return self.config.select == "best"

    def episodes(self, training: int, held_out: int, test: int, trajectories: int = 0) -> int:
        return training + 10 * held_out + 100 * test


class Pupil(Method[ReactConfig]):
    """ReAct that learns nothing."""

    name = "pupil"
    version = "1"
    requests = React.requests
    prompt_folders = (*React.prompt_folders, *AutoPlan.prompt_folders)
    worlds = {**React.worlds, "chests": {"demonstrations": "none"}}
    environments = {"alfworld": {"causes": True}}
    learner = PupilLearner

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await React(self.config).solve(episode)

    def demonstrations(self, metadata: Mapping[str, str]) -> tuple[str, ...] | None:
        return React(self.config).demonstrations(metadata)


def enroll(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register it as the one method that learns, with two that do not; and `chests` as an environment."""
    methods = {name: catalogue.METHODS[name] for name in ("react", "random")}
    monkeypatch.setattr(catalogue, "METHODS", {**methods, "pupil": f"{__name__}:Pupil"})
    chests = "tests.deploy.config.chests:Chests"
    monkeypatch.setattr(catalogue, "WORLDS", {**catalogue.WORLDS, "chests": chests})
