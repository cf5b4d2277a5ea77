"""The configuration of tree searches: what all of them share, and `search`'s own."""

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from quintet.methods.base.options import MethodOptions
from quintet.methods.react.demonstrations import Demonstrated
from quintet.search.evaluator import Scores, ValueSource


class TreeConfig(MethodOptions):
    """Options that every tree search has. Where an environment's defaults differ from these, `worlds` says so."""

    candidates: int = Field(default=5, ge=1)
    """Candidates that are drawn at a node. Equal ones become one child; those that the world rejects become none."""

    temperature: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    """Of candidates; 0 draws them all alike."""

    values: ValueSource = "model"
    """Where a state's mark comes from. `model`: from the reflector. Two controls: `shuffled` asks as usual, so that the
    calls are the same, and puts a random mark in place of the answer; `none` asks nothing, and every mark is 0."""

    samples: int = Field(default=1, ge=1)
    """Completions that are drawn for one mark, whose mean it is, or for one vote."""

    depth: int = Field(default=15, ge=1)
    """Actions from the root beyond which nothing is expanded."""

    workers: int = Field(default=1, ge=1)
    """Nodes that are expanded at once."""

    spread: bool = False
    """Whether workers run on several hosts, each with its world opened there from a snapshot."""

    oracle: bool = True
    """Whether the search may read the reward of a world that is done: it then ends with the first full reward, asks for
    no mark of such a world, and else answers with the greatest. False: it uses up its budget, and answers with the leaf
    that the model values most. The reward of a world that is not done is never read."""

    exploration: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    """The weight of the second term of UCT. Only Monte Carlo searches read it: of `search`'s orders, `mcts`."""

    demonstrations: Demonstrated | None = None
    """Which worked examples candidates are drawn from, if the environment has several sets; as in ReAct."""


class SearchConfig(TreeConfig):
    """`search`'s configuration."""

    order: Literal["best", "breadth", "beam", "mcts"] = "best"
    """Which node is expanded next. `best`: the best one anywhere. `breadth`: level by level, the best `width` of each,
    as in Tree of Thoughts. `beam`: as `breadth`, but a path that is done keeps its place among the best `width`, as in
    LDM2. `mcts`: by UCT, as in LATS, without roll-outs and reflections."""

    scores: Scores = "values"
    """What makes a node good. `values`: the model's mark of its state. `votes`: the model's votes between the states
    that one node leads to. `confidences`: the model's confidence in the action, for which one completion names all
    candidates. Shares of votes and confidences are multiplied along a path."""

    branch: Literal["always", "disagreement"] = "always"
    """Which candidates are tried. `disagreement`: where `agreement` of them agree, only what they agree on, and its
    state is not judged, so the tree goes on in a line that costs fewer calls."""

    agreement: float = Field(default=0.8, gt=0.5, le=1)
    """The share of candidates, or the model's confidence, from which on they agree. Read only with `branch =
    disagreement`."""

    siblings: bool = False
    """Whether candidates are drawn one after the other, each told what was proposed at its node before. False: at
    once, which `scores = confidences` and `branch = disagreement` need."""

    width: int = Field(default=4, ge=1)
    """Nodes of a level that are kept. Only the orders `breadth` and `beam` read it."""

    nodes: int = Field(default=200, ge=1)
    """Nodes below the root from which on no expansion begins."""

    @field_validator("scores")
    @classmethod
    def _check_scores(cls, scores: Scores, info: ValidationInfo) -> Scores:
        source = info.data.get("values", "model")
        if scores != "values" and source != "model":
            raise ValueError(f"expected values with values = {source}")
        return scores

    @field_validator("siblings")
    @classmethod
    def _check_siblings(cls, siblings: bool, info: ValidationInfo) -> bool:
        if siblings and info.data.get("scores") == "confidences":
            raise ValueError("expected false with scores = confidences, since one completion names all candidates")
        if siblings and info.data.get("branch") == "disagreement":
            raise ValueError("expected false with branch = disagreement, since candidates that must differ never agree")
        return siblings
