"""`adapt-dmax`: ADaPT's Figure 4 and Table 7 on TextCraft: success over dmax, and by recipe depth beside ReAct."""

from deploy.studies.definition import Arm, Study
from deploy.studies.dmax_picture import DMAX, REACT, draw

ADAPT_DMAX = Study(
    name="adapt-dmax",
    summary="ADaPT over dmax 1 to 4, by recipe depth, beside ReAct with the plain and the multiplied budget",
    common={"environment.name": "textcraft", "run.split": "test"},
    arms=(
        *(Arm(f"adapt-{dmax}", {"method.name": "adapt", "method.max_depth": dmax}) for dmax in DMAX),
        *(Arm(label, {"method.name": "react", "method.max_steps": steps}) for label, steps in REACT.items()),
    ),
    reference="react-20",
    draw=draw,
)
