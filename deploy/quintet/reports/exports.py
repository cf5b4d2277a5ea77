"""A report for programs: JSON with everything, CSV with one line per episode."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from quintet.ports.model import Finish
from quintet.quota.cost import NOTHING, Cost
from quintet.reports.episodes import RunResults
from quintet.reports.intervals import Estimate
from quintet.reports.learning.lessons import lessons_content
from quintet.reports.learning.report import Iteration, LearningReport, VersionReport, VersionScore
from quintet.reports.load import Comparison, Report, RunReport
from quintet.reports.rows import TaskRow
from quintet.reports.summary import Claims, TaskShare, labels
from quintet.reports.trials import RunTrials
from quintet.runtime.first_answers import UNANSWERED


def as_json(
    report: Report,
    findings: Mapping[str, Mapping[str, Any]] | None = None,
    papers: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
) -> str:
    """All of a report as JSON.

    Args:
        report: runs with their summaries and episodes.
        findings: of the studies among them, by folder.
        papers: what papers print for the same experiment, by the label of a run.
    """
    content = {
        "runs": [_run(run, (papers or {}).get(run.label, ())) for run in report.runs],
        "differences": [entry for comparison in report.compared for entry in _differences(comparison)],
        "not_begun": list(report.missing),
        "studies": dict(findings or {}),
        "damage": list(report.damage),
    }
    return json.dumps(content, indent=2)


def as_csv(report: Report) -> str:
    """One line per episode of every run."""
    grouping = labels(task for run in report.runs for task in run.results.tasks)
    out = io.StringIO()
    phases = list(dict.fromkeys(phase for run in report.runs for phase in run.results.phases))
    spent_by = phases if len(phases) > 1 else []
    figures = list(dict.fromkeys(name for run in report.runs for row in run.results.rows for name in row.figures))
    beside = [*_figure_columns(figures, {}), *_unanswered({}), *_phase_columns(spent_by, {}), *grouping]
    fields = ["run", "model", *_episode_fields(), *beside]
    writer = csv.DictWriter(out, fields, lineterminator="\n")
    writer.writeheader()
    for run in report.runs:
        for row in run.results.rows:
            name = {"run": run.label, "model": run.results.model}
            further = _figure_columns(figures, row.figures)
            spent = _phase_columns(spent_by, row.phases)
            own = {**name, **episode_content(row), **further}
            writer.writerow({**own, **_unanswered(row.unanswered), **spent, **row.metadata})
    return out.getvalue()


def _run(run: RunReport, papers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    summary, record = run.summary, run.summary.record
    charged = run.results.charged
    return {
        "run": run.label,
        "path": str(run.results.folder.path),
        "method": record.label,
        "environment": record.configuration.environment.name,
        "model": run.results.model,
        "configuration": record.configuration.model_dump(mode="json"),
        "tasks_left_out": {reason: list(tasks) for reason, tasks in record.left_out.items()},
        "finished": run.results.finished,
        "ended": summary.ended,
        "faulted": summary.faulted,
        "unfinished": summary.unfinished,
        "interrupted": summary.interrupted,
        **_share(summary.overall),
        "groups": {
            label: {value: _share(share) for value, share in group.items()} for label, group in summary.groups.items()
        },
        "figures": {
            name: {"mean": estimate_content(found.mean), "tasks": found.tasks}
            for name, found in summary.figures.items()
        },
        "claims": _claims(summary.claims),
        "unanswered": _unanswered(run.results.unanswered),
        "answers_out_of_bounds": run.results.bounded,
        **cost_content(run.results.cost),
        "phases": _phases(run.results.phases),
        "charged": None if charged is None else {"tokens": charged.tokens, "usd": charged.usd},
        "seconds": run.results.seconds,
        "per_step": step_content(run.results.counted),
        "trials": None if run.results.trials is None else _trials(run.results, run.results.trials),
        "papers": list(papers),
        "learning": None if run.results.learning is None else learning_content(run, run.results.learning),
        "episodes": [
            {
                **episode_content(row),
                "figures": dict(row.figures),
                "phases": _phases(row.phases),
                "unanswered": _unanswered(row.unanswered),
                "metadata": dict(row.metadata),
            }
            for row in run.results.rows
        ],
    }


def _share(share: TaskShare) -> dict[str, Any]:
    success = None if share.success is None else estimate_content(share.success)
    return {
        "tasks": share.tasks,
        "success": success,
        "succeeded": share.succeeded,
        "score": None if share.score is None else estimate_content(share.score),
        "depth_to_succeed": share.depth,
    }


def _claims(claims: Claims) -> dict[str, Any]:
    return {
        "claimed_success": None if claims.claimed is None else estimate_content(claims.claimed),
        "earned_success": None if claims.earned is None else estimate_content(claims.earned),
        "episodes_without_a_claim": claims.unclaimed,
        "of": claims.ended,
    }


def _trials(results: RunResults, trials: RunTrials) -> dict[str, Any]:
    means = trials.means
    return {
        "method": trials.method or None,
        "episodes": trials.episodes,
        "trials": trials.trials,
        "success_by_trial": [estimate_content(share) for share in results.success_by_trial],
        "actions_per_trial": means.actions,
        "actions_in_first_trial": means.first_actions,
        "actions_in_last_trial": means.last_actions,
        "plan_revisions_per_episode": means.revisions,
        "steps_per_plan": {str(steps): trials.plan_steps[steps] for steps in sorted(trials.plan_steps)},
    }


def _differences(comparison: Comparison) -> list[dict[str, Any]]:
    return [
        {
            "run": comparison.ours,
            "minus": comparison.theirs,
            "label": label or None,
            "value": value or None,
            "tasks": found.tasks,
            "left_out": {"ended_in_run_only": comparison.unpaired[0], "ended_in_minus_only": comparison.unpaired[1]},
            "difference": estimate_content(found.points),
        }
        for (label, value), found in comparison.differences.items()
    ]


def episode_content(row: TaskRow) -> dict[str, Any]:
    """How a task went in an epoch, for programs."""
    return {
        "task": row.task,
        "epoch": row.epoch,
        "attempt": row.attempt,
        "state": row.state,
        "success": row.success if row.ended else None,
        "reward": row.reward if row.ended else None,
        "claimed": row.claimed,
        "depth": row.depth or None,
        **cost_content(row.cost),
        "seconds": row.seconds,
        "steps": row.steps,
        "reason": row.reason,
        "repeats_by_hand": row.repeats.times,
        "discarded_results": row.repeats.discarded,
    }


def _phases(phases: Mapping[str, Cost]) -> dict[str, Any]:
    return {phase: cost_content(cost) for phase, cost in phases.items()}


def _phase_columns(names: Sequence[str], phases: Mapping[str, Cost]) -> dict[str, Any]:
    """What an episode spent in each phase, 0 in one that it did not come to."""
    return {
        f"{phase} {name}": value for phase in names for name, value in cost_content(phases.get(phase, NOTHING)).items()
    }


def _figure_columns(names: Sequence[str], figures: Mapping[str, float]) -> dict[str, Any]:
    """An episode's further figures; None where it has none."""
    return {f"figure {name}": figures.get(name) for name in names}


def _unanswered(found: Mapping[Finish, int]) -> dict[str, int]:
    return {name.replace(" ", "_"): found.get(finish, 0) for finish, name in UNANSWERED.items()}


def _episode_fields() -> list[str]:
    return list(episode_content(TaskRow(task="", epoch=0, attempt=0, metadata={}, state="not begun")))


def learning_content(run: RunReport, learning: LearningReport) -> dict[str, Any]:
    """What a run learnt, for programs: versions with scores, iterations with lessons, and what each phase spent."""
    record = run.summary.record
    return {
        "ended": learning.ended,
        "chosen": learning.chosen,
        "judged_by": learning.judging_version,
        "versions_planned": record.versions,
        "unchanged": learning.count("unchanged"),
        "failed_updates": learning.count("update failed"),
        "updates_without_lessons": learning.count("no lessons"),
        "versions": [_version(version) for version in learning.versions],
        "iterations": [_iteration(iteration) for iteration in learning.iterations],
        "spent": {
            "training": {**cost_content(learning.training), "tasks": learning.instances},
            "inference": {
                **cost_content(learning.inference),
                "tasks": run.results.begun_rows,
            },
            "measuring_other_versions": cost_content(learning.measuring),
        },
    }


def _version(version: VersionReport) -> dict[str, Any]:
    return {
        "version": version.number,
        "text": version.content,
        "outcome": version.outcome,
        "held_out": _score(version.held_out),
        "test": _score(version.test),
    }


def _score(score: VersionScore | None) -> dict[str, Any] | None:
    if score is None:
        return None
    return {
        "success": None if score.success is None else estimate_content(score.success),
        "ended": score.ended,
        "faulted": score.faulted,
        "unfinished": score.unfinished,
    }


def estimate_content(estimate: Estimate) -> dict[str, float]:
    """An estimate for programs."""
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _iteration(iteration: Iteration) -> dict[str, Any]:
    return {
        "iteration": iteration.number,
        "batch": [
            {"task": row.task, "path": row.path, "state": row.state, "success": row.success if row.ended else None}
            for row in iteration.batch
        ],
        **lessons_content(iteration.lessons),
        "update_failed": iteration.lessons.failed or None,
    }


def step_content(cost: Cost) -> dict[str, float] | None:
    """What a step of the environment took, for programs; None without any."""
    if not cost.steps:
        return None
    return {name: getattr(cost, name) / cost.steps for name in ("calls", "prompt_tokens", "completion_tokens")}


def cost_content(cost: Cost) -> dict[str, Any]:
    """What calls spent, for programs."""
    return {
        "calls": cost.calls,
        "prompt_tokens": cost.prompt_tokens,
        "completion_tokens": cost.completion_tokens,
        "usd": cost.usd,
    }
