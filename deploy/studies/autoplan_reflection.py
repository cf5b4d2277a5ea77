"""`autoplan-reflection`: AutoPlan's figure 3b: success of the first plans, by how much is reflected."""

from collections.abc import Mapping
from pathlib import Path

from deploy.reports.gathering import Report, Reported
from deploy.reports.tables import title
from deploy.studies.autoplan_heat import HEAT, SEEDS
from deploy.studies.curves_picture import draw_curves
from deploy.studies.definition import Arm, Findings, Study, repeats
from deploy.studies.learning_curves import Curve, curve, curves_content, curves_table, iterations

REFLECTIONS: Mapping[str, str] = {"full": "full reflection", "summary": "summary only", "none": "no reflection (ours)"}

FIGURE_3B = (
    "paper: AutoPlan, figure 3b, with gpt-4-0314 on official games, prints no figures: with full reflection success "
    "grows with every iteration; with summaries only it swings between 0 and 30 %, which is below ReAct without "
    "examples (35 %, table 3); it does not run without any reflection"
)


def _findings(arms: Mapping[str, Reported]) -> Findings:
    versions, curves = iterations(arms.values()), _curves(arms)
    return Findings(
        tables=[curves_table(curves, versions)],
        notes=[FIGURE_3B],
        content={"curves": curves_content(curves, versions), "paper": FIGURE_3B},
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
