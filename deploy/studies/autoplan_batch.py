"""`autoplan-batch`: AutoPlan's figure 3a and table 5: success of the first plans, by the size of a batch."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from deploy.reports.gathering import Report, Reported
from deploy.reports.tables import title
from deploy.reports.wording import NONE, TextTable
from deploy.studies.autoplan_heat import HEAT, SEEDS
from deploy.studies.curves_picture import draw_curves
from deploy.studies.definition import Arm, Findings, Study, repeats
from deploy.studies.learning_curves import Curve, curve, curves_content, curves_table, iterations
from deploy.studies.significance import NO_SCIPY, SCIPY_HINT, TTest, t_test

BATCHES = (2, 4, 8)

TABLE_5: Mapping[int, tuple[float, ...]] = {4: (0.44, 0.35, 0.013), 8: (0.007, 0.110, 0.005)}
"""The paper's p-values of batch size 2 against another, by iteration."""


def _findings(arms: Mapping[str, Reported]) -> Findings:
    versions, curves = iterations(arms.values()), _curves(arms)
    tests = {batch: _tests(curves[BATCHES[0]], curves[batch], versions) for batch in TABLE_5}
    return Findings(
        tables=[curves_table(list(curves.values()), versions), _tests_table(tests, versions)],
        notes=[
            "paper: AutoPlan, table 5, with gpt-4-0314 on official games; ours: Student's t-test, two-sided",
            *[SCIPY_HINT] * any(test.why == NO_SCIPY for found in tests.values() for test in found),
        ],
        content={
            "curves": curves_content(list(curves.values()), versions),
            "t_tests": [
                {
                    "batches": [BATCHES[0], batch],
                    "iteration": version,
                    "p": test.p,
                    "why_none": test.why or None,
                    "papers_p": _papers(batch, version),
                }
                for batch, found in tests.items()
                for version, test in zip(versions, found, strict=True)
            ],
        },
    )


def _curves(arms: Mapping[str, Reported]) -> dict[int, Curve]:
    return {batch: curve(f"batch {batch}", repeats(arms, f"batch-{batch}")) for batch in BATCHES}


def _tests(ours: Curve, theirs: Curve, versions: Sequence[int]) -> list[TTest]:
    return [t_test(ours.shares.get(version, ()), theirs.shares.get(version, ())) for version in versions]


def _tests_table(tests: Mapping[int, Sequence[TTest]], versions: Sequence[int]) -> TextTable:
    rows: list[tuple[str, ...]] = []
    for batch, found in tests.items():
        rows.append((f"batch {BATCHES[0]} and {batch}", *map(_p, found)))
        papers = [_papers(batch, version) for version in versions]
        rows.append(("  paper", *(NONE if each is None else f"{each:g}" for each in papers)))
    columns = ("", *(f"iteration {version}" for version in versions))
    return TextTable("P-values of t-tests between batch sizes", columns, tuple(rows))


def _p(test: TTest) -> str:
    if test.p is None:
        return test.why
    return f"{test.p:.3f}" if test.p >= 0.001 else "< 0.001"


def _papers(batch: int, version: int) -> float | None:
    printed = TABLE_5[batch]
    return printed[version - 1] if version <= len(printed) else None


def _draw(report: Report, file: Path) -> None:
    arms = {run.arm: run for run in report.runs}
    heading = "Success over iterations, by batch size (as AutoPlan, figure 3a)"
    draw_curves(list(_curves(arms).values()), iterations(report.runs), heading, title(report), file)


AUTOPLAN_BATCH = Study(
    name="autoplan-batch",
    summary="AutoPlan's first three plans for ALFWorld's heat tasks, learnt in batches of 2, 4 and 8, five seeds each",
    common=HEAT,
    arms=tuple(Arm(f"batch-{batch}", {"learning.batch": batch}) for batch in BATCHES),
    seeds=SEEDS,
    findings=_findings,
    draw=_draw,
)
