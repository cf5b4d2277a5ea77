"""`alfworld`: ADaPT against ReAct on ALFWorld's unseen games, between floor and ceiling."""

from quintet.studies.definition import Arm, Study

_METHODS = ("random", "react", "adapt", "expert")

ALFWORLD = Study(
    name="alfworld",
    summary="ADaPT against ReAct on ALFWorld's unseen games, between random actions and an expert",
    common={"environment.name": "alfworld", "run.split": "valid_unseen"},
    arms=tuple(Arm(method, {"method.name": method}) for method in _METHODS),
    reference="react",
)
