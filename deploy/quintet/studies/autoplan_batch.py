"""`autoplan-batch`: AutoPlan's figure 3a and table 5: success of the first plans, by the size of a batch."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from quintet.reports.load import Report, Reported
from quintet.reports.published_block import papers_table, published_content
from quintet.reports.tables import title
from quintet.reports.wording import TextTable
from quintet.studies.autoplan_heat import HEAT, SEEDS, ablation, repeat
from quintet.studies.curves_picture import draw_curves
from quintet.studies.definition import Arm, Findings, Study, repeats
from quintet.studies.learning_curves import Curve, curve, curves_content, curves_table, iterations
from quintet.studies.significance import NO_SCIPY, SCIPY_HINT, TTest, t_test

BATCHES = (2, 4, 8)

TABLE_5: Mapping[int, tuple[float, ...]] = {4: (0.44, 0.35, 0.013), 8: (0.007, 0.110, 0.005)}
"""The paper's p-values of batch size 2 against another, of iterations 1 to 3."""

_PAPER = ablation("AutoPlan, table 5", reflection="full")


def _findings(arms: Mapping[str, Reported]) -> Findings:
    versions, curves = iterations(arms.values()), _curves(arms)
    tests = {batch: _tests(curves[BATCHES[0]], curves[batch], versions) for batch in TABLE_5}
    papers: Mapping[int, Sequence[float]] = TABLE_5 if _is_table_5(arms, curves) else {}
    return Findings(
        tables=[curves_table(list(curves.values()), versions), _tests_table(tests, curves, versions), *_block(papers)],
        notes=[
            "p-values: Student's t-test, two-sided",
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
                }
                for batch, found in tests.items()
                for version, test in zip(versions, found, strict=True)
            ],
            "papers": [{**published_content(_PAPER), "p_values": papers}] if papers else [],
        },
    )


def _curves(arms: Mapping[str, Reported]) -> dict[int, Curve]:
    return {batch: curve(f"batch {batch}", repeats(arms, f"batch-{batch}")) for batch in BATCHES}


def _tests(ours: Curve, theirs: Curve, versions: Sequence[int]) -> list[TTest]:
    return [t_test(ours.shares.get(version, ()), theirs.shares.get(version, ())) for version in versions]


def _is_table_5(arms: Mapping[str, Reported], curves: Mapping[int, Curve]) -> bool:
    return all(each.runs == SEEDS for each in curves.values()) and repeat(_PAPER, arms.values())


def _tests_table(
    tests: Mapping[int, Sequence[TTest]], curves: Mapping[int, Curve], versions: Sequence[int]
) -> TextTable:
    rows = tuple(
        (_pair(batch), f"{curves[BATCHES[0]].runs} and {curves[batch].runs}", *map(_p, found))
        for batch, found in tests.items()
    )
    return TextTable("P-values of t-tests between batch sizes", ("", "runs", *map(_iteration, versions)), rows)


def _block(papers: Mapping[int, Sequence[float]]) -> list[TextTable]:
    rows = [
        (_PAPER._replace(row=f"{_PAPER.row}, {_pair(batch)}"), [f"{each:g}" for each in printed])
        for batch, printed in papers.items()
    ]
    return papers_table("p-values of t-tests between batch sizes", map(_iteration, (1, 2, 3)), rows)


def _pair(batch: int) -> str:
    return f"batch {BATCHES[0]} and {batch}"


def _iteration(version: int) -> str:
    return f"iteration {version}"


def _p(test: TTest) -> str:
    if test.p is None:
        return test.why
    return f"{test.p:.3f}" if test.p >= 0.001 else "< 0.001"


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
