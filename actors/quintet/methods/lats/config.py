"""LATS' configuration."""

from typing import Annotated, Literal

from pydantic import Field

from quintet.methods.search.config import TreeConfig
from quintet.search.workers import WorkersOrder


class LatsConfig(TreeConfig):
    """LATS' configuration. Where an environment's defaults differ from these, `Lats.worlds` says so."""

    iterations: int = Field(default=30, ge=1)
    """How often a leaf is selected. With one worker, an iteration ends before the next begins, as published."""

    root_candidates: int | None = Field(default=None, ge=1)
    """Candidates at the root; None: as many as below. The published code draws 10 on WebShop."""

    rollout_depth: int = Field(default=15, ge=0)
    """Actions from the root down to which roll-outs go, always to the state of the highest value. At a leaf that lies
    as deep or deeper there is none."""

    value_weight: float = Field(default=0.5, ge=0, le=1)
    """The paper's lambda: the weight of the model's mark in a value; the rest is self-consistency, the share of
    candidates that propose the action. 1: the mark alone, as in the published code."""

    cut_off: Annotated[float, Field(ge=-1, le=1)] | Literal["value"] = -1.0
    """What is backed up where a roll-out ended before the world was done; where there was none, 0 is. As in the
    published code, which has -1 on HotpotQA and -0.5 on WebShop. `value`: the value of the end in both cases."""

    reflections: int = Field(default=3, ge=0)
    """How many failed ends are looked back on, the first ones, and shown to later candidates and marks. 0: none."""

    order: WorkersOrder = "ends"
    """How several workers take turns. `ends`: each begins its next job when any worker ends, which time decides.
    `rounds`: all begin together, and what they found is added in the order of their numbers: nothing depends on
    time."""
