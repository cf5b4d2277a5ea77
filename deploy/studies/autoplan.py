"""`autoplan`: AutoPlan's tables 3 and 4 on ALFWorld: a plan for each type of task, beside ReAct with 0 and 2 shots."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from deploy.config.tasks import TASK_TYPE
from deploy.reports.gathering import Reported
from deploy.reports.intervals import Estimate, rate
from deploy.reports.learning_export import bill_content, estimate_content
from deploy.reports.learning_tables import COST_PAPER, COST_READING, Phase, cost_row, costs_table, paper_row, phases
from deploy.reports.published import PUBLISHED, TASK_TYPES, UNSEEN, Published
from deploy.reports.published_costs import PUBLISHED_COSTS
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


def _findings(arms: Mapping[str, Reported]) -> Findings:
    groups = {label: [arms[arm] for arm in members if arm in arms] for label, members in _groups().items()}
    begun = {label: runs for label, runs in groups.items() if runs}
    return Findings(
        tables=[_success(begun), _costs(begun)],
        notes=[*_other_games(begun), COST_READING, COST_PAPER],
        content={"rows": [_content(label, runs) for label, runs in begun.items()]},
    )


def _groups() -> dict[str, list[str]]:
    """The arms that make one row together."""
    react = {f"react, {counted(shots, 'shot')}": [f"react-{shots}"] for shots in SHOTS}
    return {**react, "autoplan": list(_PLANS.values())}


def _success(groups: Mapping[str, Sequence[Reported]]) -> TextTable:
    rows: list[tuple[str, ...]] = []
    for label, runs in groups.items():
        found = [_rate(runs, kind) for kind in ("", *TASK_TYPES)]
        rows.append((label, *(NONE if each is None else percent(each) for each in found)))
        papers = _papers(label).groups[TASK_TYPE]
        rows.append(("  paper", NONE, *(f"{papers[kind].success:g}" for kind in TASK_TYPES)))
    headings = (f"{kind}\n{counted(len(_tasks(groups, kind)), 'task')}" for kind in ("", *TASK_TYPES))
    columns = ("", *(heading if heading[0] != "\n" else f"all{heading}" for heading in headings))
    return TextTable("Success in percent (95 % interval)", columns, tuple(rows))


def _rate(runs: Sequence[Reported], kind: str) -> Estimate | None:
    """Of all tasks of a type, or with none named of all."""
    found = shares(_rows(runs, kind))
    return rate(list(found.values())) if found else None


def _rows(runs: Sequence[Reported], kind: str) -> list[EpisodeRow]:
    return [row for run in runs for row in run.results.rows if kind in ("", row.facts.get(TASK_TYPE))]


def _tasks(groups: Mapping[str, Sequence[Reported]], kind: str) -> set[str]:
    return {row.task for runs in groups.values() for row in _rows(runs, kind)}


def _papers(label: str) -> Published:
    shots = next((shots for shots in SHOTS if label.startswith(f"react, {shots} ")), None)
    return _TABLE_3["AutoPlan, table 3" + ("" if shots is None else f" ({shots} shots)")]


def _costs(groups: Mapping[str, Sequence[Reported]]) -> TextTable:
    rows: list[tuple[str, ...]] = []
    for label, runs in groups.items():
        rows.append(cost_row(label, *_phases(runs)))
        with_examples = not label.startswith("react, 0 ")
        rows += (paper_row(each) for each in PUBLISHED_COSTS[label.partition(",")[0]] if with_examples)
    return costs_table(rows)


def _phases(runs: Sequence[Reported]) -> tuple[Phase, Phase]:
    training, inference = zip(*(phases(run) for run in runs), strict=True)
    return _joined(training), _joined(inference)


def _joined(parts: Sequence[Phase]) -> Phase:
    return Phase(total([part.bill for part in parts]), sum(part.tasks for part in parts))


def _other_games(groups: Mapping[str, Sequence[Reported]]) -> list[str]:
    """That the paper's figures are of other tasks, where they are."""
    official = _TABLE_3["AutoPlan, table 3"]
    names = _tasks(groups, "")
    same = len(names) == sum(UNSEEN.values()) and all(re.fullmatch(official.named, name) for name in names)
    paper = f"paper: AutoPlan, table 3, with {official.model}"
    return [paper if same else f"{paper}, on the official 134 unseen games, which these are not"]


def _content(label: str, runs: Sequence[Reported]) -> dict[str, Any]:
    papers = _papers(label).groups[TASK_TYPE]
    training, inference = _phases(runs)
    return {
        "row": label,
        "success": {
            kind or "all": {
                "ours": None if (found := _rate(runs, kind)) is None else estimate_content(found),
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
