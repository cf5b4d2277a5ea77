"""`demo`: ADaPT, with and without what it hands on, against ReAct on the paper's TextCraft goals."""

from quintet.studies.definition import Arm, Study
from quintet.studies.error_rates import METHODS

DEMO = Study(
    name="demo",
    summary="ADaPT, with and without what it hands on, against ReAct on the paper's 200 TextCraft goals",
    common={"environment.name": "textcraft", "run.split": "test", "model.name": "sim-fallible"},
    arms=tuple(Arm(method, settings) for method, settings in METHODS.items()),
    reference="react",
)
