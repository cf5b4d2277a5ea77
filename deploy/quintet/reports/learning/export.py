"""What a run that learns has come to, for programs."""

from typing import Any

from quintet.quota.prices import dollars
from quintet.reports.intervals import Estimate
from quintet.reports.learning.learnt import Iteration, LearningReport, PlanVersion, Score
from quintet.reports.load import Reported
from quintet.reports.rows import Bill


def learning_content(run: Reported, learnt: LearningReport) -> dict[str, Any]:
    """Versions with their texts and scores, iterations with their batches and reflections, and what was spent on what.

    Args:
        run: one that learns.
        learnt: by it.
    """
    record = run.summary.record
    return {
        "ended": learnt.ended,
        "chosen": learnt.chosen,
        "judged_by": learnt.standing,
        "versions_planned": record.versions,
        "unchanged": learnt.count("unchanged"),
        "failed_updates": learnt.count("update failed"),
        "updates_without_lessons": learnt.count("no lessons"),
        "versions": [_version(version) for version in learnt.versions],
        "iterations": [_iteration(iteration) for iteration in learnt.iterations],
        "spent": {
            "training": {**bill_content(learnt.training), "tasks": learnt.instances},
            "inference": {
                **bill_content(learnt.inference),
                "tasks": sum(row.state != "not begun" for row in run.results.rows),
            },
            "measuring_other_versions": bill_content(learnt.measuring),
        },
    }


def _version(version: PlanVersion) -> dict[str, Any]:
    return {
        "version": version.number,
        "text": version.text,
        "outcome": version.outcome,
        "held_out": _score(version.held_out),
        "test": _score(version.test),
    }


def _score(score: Score | None) -> dict[str, Any] | None:
    if score is None:
        return None
    return {
        "success": None if score.success is None else estimate_content(score.success),
        "ended": score.ended,
        "faulted": score.faulted,
        "unfinished": score.unfinished,
    }


def estimate_content(estimate: Estimate) -> dict[str, float]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _iteration(iteration: Iteration) -> dict[str, Any]:
    return {
        "iteration": iteration.number,
        "batch": [
            {"task": row.task, "path": row.path, "state": row.state, "success": row.success if row.ended else None}
            for row in iteration.batch
        ],
        "reflections": [
            {
                "task": reflection.task,
                "summary": reflection.summary,
                "flaws": reflection.flaws,
                "revision": reflection.revision,
                "failed": reflection.failed or None,
            }
            for reflection in iteration.reflections
        ],
        "update_failed": iteration.failed or None,
    }


def bill_content(bill: Bill) -> dict[str, Any]:
    spent = bill.spent
    return {
        "calls": spent.calls,
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "usd": dollars(bill.nanodollars),
    }
