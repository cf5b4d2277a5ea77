"""`autoplan`: AutoPlan's tables 3 and 4 on ALFWorld: a plan for each type of task, beside ReAct with 0 and 2 shots."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from deploy.config.tasks import TASK_TYPE
from deploy.reports.gathering import Reported
from deploy.reports.intervals import Estimate, rate
from deploy.reports.learning.costs import COST_PAPER, COST_READING, Phase, cost_row, costs_table, paper_row, phases
from deploy.reports.learning.export import bill_content, estimate_content
from deploy.reports.learning.published_costs import PUBLISHED_COSTS, PublishedCost
from deploy.reports.published import PUBLISHED, TASK_TYPES, UNSEEN, Published
from deploy.reports.rows import EpisodeRow, total
from deploy.reports.summary import shares
from deploy.reports.wording import NONE, TextTable, counted, percent
from deploy.studies.definition import Arm, Findings, Study

SHOTS: Mapping[int, str] = {0: "none", 2: "task"}
"""By how many examples ReAct is shown, what its option says."""

_PLANS: Mapping[str, str] = {kind: f"autoplan-{kind.replace(' ', '-')}" for kind in TASK_TYPES}
"""The arm of each type of task."""

_TABLE_3: Mapping[str, Published] = {
    each.source: each
    for method in ("react", "autoplan")
    for each in PUBLISHED[method, "alfworld"]
    if each.paper == "AutoPlan"
}


class _Row(NamedTuple):
    """Arms that are told of together, and what the paper says of the same."""

    label: str
    runs: Sequence[Reported]
    """Of the arms that have begun."""
    paper: Published
    papers_costs: Sequence[PublishedCost]


def _findings(arms: Mapping[str, Reported]) -> Findings:
    rows = [row for row in _rows(arms) if row.runs]
    return Findings(
        tables=[_success(rows), _costs(rows)],
        notes=[*_other_games(rows), COST_READING, COST_PAPER],
        content={"rows": [_content(row) for row in rows]},
    )


def _rows(arms: Mapping[str, Reported]) -> list[_Row]:
    react = [
        _Row(
            f"react, {counted(shots, 'shot')}",
            [run for arm, run in arms.items() if arm == f"react-{shots}"],
            _TABLE_3[f"AutoPlan, table 3 ({shots} shots)"],
            PUBLISHED_COSTS["react"] if shots else (),  # which are with examples
        )
        for shots in SHOTS
    ]
    plans = [arms[arm] for arm in _PLANS.values() if arm in arms]
    return [*react, _Row("autoplan", plans, _TABLE_3["AutoPlan, table 3"], PUBLISHED_COSTS["autoplan"])]


def _success(rows: Sequence[_Row]) -> TextTable:
    cells: list[tuple[str, ...]] = []
    for row in rows:
        found = [_rate(row.runs, kind) for kind in ("", *TASK_TYPES)]
        cells.append((row.label, *(NONE if each is None else percent(each) for each in found)))
        papers = row.paper.groups[TASK_TYPE]
        cells.append(("  paper", NONE, *(f"{papers[kind].success:g}" for kind in TASK_TYPES)))
    headings = (f"{kind or 'all'}\n{counted(len(_tasks(rows, kind)), 'task')}" for kind in ("", *TASK_TYPES))
    return TextTable("Success in percent (95 % interval)", ("", *headings), tuple(cells))


def _rate(runs: Sequence[Reported], kind: str) -> Estimate | None:
    """Of all tasks of a type, or with none named of all."""
    found = shares(_episodes(runs, kind))
    return rate(list(found.values())) if found else None


def _episodes(runs: Sequence[Reported], kind: str) -> list[EpisodeRow]:
    return [row for run in runs for row in run.results.rows if kind in ("", row.facts.get(TASK_TYPE))]


def _tasks(rows: Sequence[_Row], kind: str) -> set[str]:
    return {episode.task for row in rows for episode in _episodes(row.runs, kind)}


def _costs(rows: Sequence[_Row]) -> TextTable:
    cells: list[tuple[str, ...]] = []
    for row in rows:
        cells.append(cost_row(row.label, *_phases(row.runs)))
        cells += map(paper_row, row.papers_costs)
    return costs_table(cells)


def _phases(runs: Sequence[Reported]) -> tuple[Phase, Phase]:
    training, inference = zip(*(phases(run) for run in runs), strict=True)
    return _joined(training), _joined(inference)


def _joined(parts: Sequence[Phase]) -> Phase:
    return Phase(total([part.bill for part in parts]), sum(part.tasks for part in parts))


def _other_games(rows: Sequence[_Row]) -> list[str]:
    """That the paper's figures are of other tasks, where they are."""
    official = _TABLE_3["AutoPlan, table 3"]
    names = _tasks(rows, "")
    same = len(names) == sum(UNSEEN.values()) and all(re.fullmatch(official.named, name) for name in names)
    paper = f"paper: AutoPlan, table 3, with {official.model}"
    return [paper if same else f"{paper}, on the official 134 unseen games, which these are not"]


def _content(row: _Row) -> dict[str, Any]:
    papers = row.paper.groups[TASK_TYPE]
    training, inference = _phases(row.runs)
    return {
        "row": row.label,
        "success": {
            kind or "all": {
                "ours": None if (found := _rate(row.runs, kind)) is None else estimate_content(found),
                "papers_percent": papers[kind].success if kind else None,
            }
            for kind in ("", *TASK_TYPES)
        },
        "training": {**bill_content(training.bill), "tasks": training.tasks},
        "inference": {**bill_content(inference.bill), "tasks": inference.tasks},
    }


AUTOPLAN_STUDY = Study(
    name="autoplan",
    summary="AutoPlan with a plan for each of ALFWorld's six types of task, beside ReAct with 0 and with 2 examples",
    common={
        "environment.name": "alfworld",
        "environment.causes": True,
        "run.split": "valid_unseen",
        "method.max_steps": 35,
        "learning.eval_every": 0,
    },
    arms=(
        *(
            Arm(f"react-{shots}", {"method.name": "react", "method.demonstrations": shown})
            for shots, shown in SHOTS.items()
        ),
        *(
            Arm(name, {"method.name": "autoplan", "run.learn": True, "run.task_type": kind})
            for kind, name in _PLANS.items()
        ),
    ),
    findings=_findings,
)
