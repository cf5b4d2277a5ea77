from typing import Generic, TypeVar

_TrajectoryT = TypeVar("_TrajectoryT")
_OutputT = TypeVar("_OutputT")

class EvaluationBatch(Generic[_TrajectoryT, _OutputT]):
    outputs: list[_OutputT]
    scores: list[float]
    trajectories: list[_TrajectoryT] | None
    def __init__(
        self, outputs: list[_OutputT], scores: list[float], trajectories: list[_TrajectoryT] | None = None
    ) -> None: ...
