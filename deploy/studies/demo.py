"""`demo`: ADaPT against ReAct on the paper's TextCraft goals."""

from deploy.studies.definition import Arm, Study

DEMO = Study(
    name="demo",
    summary="ADaPT against ReAct on the paper's 200 TextCraft goals",
    common={"environment.name": "textcraft", "run.split": "test"},
    arms=(Arm("react", {"method.name": "react"}), Arm("adapt", {"method.name": "adapt"})),
    reference="react",
)
