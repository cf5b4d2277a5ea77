"""LDM2's configuration: of its episodes, and of its learner."""

from math import ceil
from typing import Literal

from pydantic import Field

from quintet.methods.base.options import MethodOptions
from quintet.methods.base.versions import VersionOptions


class Ldm2Config(MethodOptions):
    """Configuration of episodes. `Ldm2.worlds` lists environments with other defaults."""

    max_steps: int = Field(default=40, ge=1)
    """Actions of a process, rejected and unreadable ones included; and the depth of a tree. The paper does not state
    it."""

    max_repeats: int | None = Field(default=None, ge=2)
    """How often in a row the same action may get the same answer before a process ends; None: as often as it likes, as
    where a command is carried out several times. Ours."""

    agreement: float | None = Field(default=0.8, gt=0.5, le=1)
    """The share of the recalled tuples whose equal action is the only one that is tried at a node of a tree, without
    asking the model. None: the model is always asked. The paper says "highly concentrated", without a figure."""

    direct: float | None = Field(default=None, gt=0.5, le=1)
    """The same share in processes, where the action is taken without asking the model (ours). None: the model is always
    asked, as in the paper's equation 2."""

    candidates: int = Field(default=4, ge=1)
    """The paper's z: actions that one completion names at a node of a tree. The paper does not state it."""

    width: int = Field(default=4, ge=1)
    """The paper's n: paths of a tree that are kept at every level, those of the highest confidence."""

    spread: bool = False
    """Whether the batch memories are played on several hosts, each process and tree in worlds that are opened there
    from a snapshot."""


class Ldm2Learning(VersionOptions):
    """Configuration of the learner. `Ldm2Learner.worlds` lists environments with other defaults."""

    source: Literal["expert", "given", "none"] = "expert"
    """What version 1 is formed from. `expert`: episodes in which the world's expert is followed. `given`: trajectories
    from a file (`--trajectories`) or from earlier runs (`--from-run`). `none`: nothing is formed; learning goes on with
    the memory of `--memory`, or with an empty one (ours)."""

    batch: int | None = Field(default=None, ge=1)
    """The paper's B: trajectories of a batch memory; 50 on ALFWorld, 100 on WebShop. None: as many as make four batch
    memories, as on ALFWorld. A remainder of less than half of it joins the last batch memory."""

    rounds: int = Field(default=1, ge=0)
    """Rounds of refinement, each of which makes a version."""

    goals: int | None = Field(default=None, ge=1)
    """Tasks of a round, the last of the training tasks: 10 of each task type on ALFWorld, 100 on WebShop. None: all
    rounds together have a quarter of the training tasks; or all of them, if none are the expert's."""

    def batch_of(self, trajectories: int) -> int:
        """How many of these trajectories make a batch memory."""
        return self.batch or max(1, ceil(trajectories / 4))

    def goals_of(self, training: int) -> int:
        """How many of these tasks a round has."""
        left = training // 4 if self.source == "expert" else training
        return self.goals or max(1, left // max(1, self.rounds))
