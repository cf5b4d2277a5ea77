"""`adapt-dmax`: success over dmax on TextCraft's test goals, and by recipe depth beside ReAct, as in ADaPT's table 7.

It is not ADaPT's figure 4, which is of dmax 1 to 3 on the dev splits; `--split dev` comes nearest to that.
"""

from quintet.studies.definition import Arm, Study
from quintet.studies.dmax_picture import DMAX, REACT, draw

ADAPT_DMAX = Study(
    name="adapt-dmax",
    summary="ADaPT over dmax 1 to 4, by recipe depth, beside ReAct with 20, 60 and 80 calls",
    common={"environment.name": "textcraft", "run.split": "test"},
    arms=(
        *(Arm(f"adapt-{dmax}", {"method.name": "adapt", "method.max_depth": dmax}) for dmax in DMAX),
        *(Arm(label, {"method.name": "react", "method.max_steps": steps}) for label, steps in REACT.items()),
    ),
    reference="react-20",
    draw=draw,
)
