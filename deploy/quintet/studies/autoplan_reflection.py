"""`autoplan-reflection`: AutoPlan's figure 3b: success of the first plans, by how much is reflected."""

from collections.abc import Mapping
from pathlib import Path

from quintet.reports.load import Report, Reported
from quintet.reports.tables import title
from quintet.studies.autoplan_heat import HEAT, SEEDS, ablation, repeat
from quintet.studies.curves_picture import draw_curves
from quintet.studies.definition import Arm, Findings, Study, repeats
from quintet.studies.learning_curves import Curve, curve, curves_content, curves_table, iterations

REFLECTIONS: Mapping[str, str] = {"full": "full reflection", "summary": "summary only", "none": "no reflection (ours)"}

_PAPER = ablation("AutoPlan, figure 3b", batch=4)

FIGURE_3B = (
    f"published: {_PAPER.source}, with {_PAPER.model}, prints no figures: with full reflection success grows with "
    "every iteration; with summaries only it swings between 0 and 30 %, which is below ReAct without examples (35 %, "
    "table 3); it does not run without any reflection"
)
"""Said where the study repeats the paper's: on its tasks, with its budget."""


def _findings(arms: Mapping[str, Reported]) -> Findings:
    versions, curves = iterations(arms.values()), _curves(arms)
    papers = [FIGURE_3B] if repeat(_PAPER, arms.values()) else []
    return Findings(
        tables=[curves_table(curves, versions)],
        notes=papers,
        content={"curves": curves_content(curves, versions), "papers": papers},
    )


def _curves(arms: Mapping[str, Reported]) -> list[Curve]:
    return [curve(label, repeats(arms, name)) for name, label in REFLECTIONS.items()]


def _draw(report: Report, file: Path) -> None:
    arms = {run.arm: run for run in report.runs}
    heading = "Success over iterations, by reflection (as AutoPlan, figure 3b)"
    draw_curves(_curves(arms), iterations(report.runs), heading, title(report), file)


AUTOPLAN_REFLECTION = Study(
    name="autoplan-reflection",
    summary="AutoPlan's first three plans for ALFWorld's heat tasks, with full reflection, with summaries only and "
    "without (ours), five seeds each",
    common=HEAT,
    arms=tuple(Arm(name, {"learning.reflection": name}) for name in REFLECTIONS),
    seeds=SEEDS,
    findings=_findings,
    draw=_draw,
)
