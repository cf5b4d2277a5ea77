"""A report for programs: JSON with everything, CSV with one line per episode."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from quintet.events import Ending
from quintet.quota.cost import NOTHING, Cost
from quintet.reports.continuations import fork_content
from quintet.reports.csv_tables import to_csv
from quintet.reports.episodes import RunResults
from quintet.reports.intervals import Estimate
from quintet.reports.learning.lessons import lessons_content
from quintet.reports.learning.report import Iteration, LearningReport, VersionScore
from quintet.reports.load import Comparison, Report, RunReport
from quintet.reports.rescored import rescored_content
from quintet.reports.rows import TaskRow
from quintet.reports.stream import Streams, blocks, cumulative, stale_tasks, streams, success_at
from quintet.reports.summary import TaskShare, labels
from quintet.reports.trials import RunTrials
from quintet.runtime.first_answers import UNANSWERED


def as_json(
    report: Report,
    findings: Mapping[str, Mapping[str, Any]] | None = None,
    papers: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
) -> str:
    """All of a report as JSON, with findings of studies by folder, and what papers print by the label of a run."""
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
    phases = list(dict.fromkeys(phase for run in report.runs for phase in run.results.phases))
    spent_by = phases if len(phases) > 1 else []
    figures = list(dict.fromkeys(name for run in report.runs for row in run.results.rows for name in row.figures))

    def cells(row: TaskRow) -> dict[str, Any]:
        found = {**episode_content(row), **{f"figure {name}": row.figures.get(name) for name in figures}}
        found |= _unanswered(row.unanswered)
        for phase in spent_by:
            spent = cost_content(row.phases.get(phase, NOTHING))
            found |= {f"{phase} {name}": value for name, value in spent.items()}
        return found

    begins = cells(TaskRow(task="", epoch=0, attempt=0, metadata={}, state="not begun"))
    rows = (
        {"run": run.label, "model": run.results.model, **cells(row), **row.metadata}
        for run in report.runs
        for row in run.results.rows
    )
    return to_csv(["run", "model", *begins, *grouping], rows)


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
        "interrupted": run.results.interrupted,
        **_share(summary.overall),
        "groups": {
            label: {value: _share(share) for value, share in group.items()} for label, group in summary.groups.items()
        },
        "figures": {
            name: {"mean": estimate_content(found.mean), "tasks": found.tasks}
            for name, found in summary.figures.items()
        },
        "all_of": {
            k: {"mean": estimate_content(found.mean), "tasks": found.tasks} for k, found in summary.all_of.items()
        },
        "claims": {
            "claimed_success": estimate_content(summary.claims.claimed),
            "earned_success": estimate_content(summary.claims.earned),
            "episodes_without_a_claim": summary.claims.unclaimed,
            "of": summary.claims.ended,
        },
        "unanswered": _unanswered(run.results.unanswered),
        "answers_to_read": run.results.to_read,
        "share_not_read": run.results.unread_share,
        "answers_out_of_bounds": run.results.bounded,
        **cost_content(run.results.cost),
        "phases": _phases(run.results.phases),
        "charged": None if charged is None else {"tokens": charged.tokens, "usd": charged.usd},
        "seconds": run.results.seconds,
        "per_step": _per_step(run.results.counted),
        "trials": None if run.results.trials is None else _trials(run.results, run.results.trials),
        "papers": list(papers),
        "fork": fork_content(run.results),
        "rescored": rescored_content(run),
        "stream": stream_content(found) if (found := streams([run.results])) else None,
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
    return {
        "tasks": share.tasks,
        "success": estimate_content(share.success),
        "succeeded": share.succeeded,
        "score": estimate_content(share.score),
        "depth_to_succeed": share.depth,
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
        "recalled": row.recalled,
        "reason": row.reason,
        "repeats_by_hand": row.repeats.times,
        "discarded_results": row.repeats.discarded,
    }


def _phases(phases: Mapping[str, Cost]) -> dict[str, Any]:
    return {phase: cost_content(cost) for phase, cost in phases.items()}


def _unanswered(found: Mapping[Ending, int]) -> dict[str, int]:
    return {name.replace(" ", "_"): found.get(ending, 0) for ending, name in UNANSWERED.items()}


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
        "tasks_beside": stale_tasks(learning) if record.streams else None,
        "versions": [
            {
                "version": version.number,
                "text": version.content,
                "outcome": version.outcome,
                "held_out": _score(version.held_out),
                "test": _score(version.test),
            }
            for version in learning.versions
        ],
        "iterations": [_iteration(iteration) for iteration in learning.iterations],
        "spent": {
            "training": {**cost_content(learning.training), "tasks": learning.instances},
            "inference": {**cost_content(learning.inference), "tasks": run.results.begun_rows},
            "measuring_other_versions": cost_content(learning.measuring),
        },
    }


def stream_content(found: Streams) -> dict[str, Any]:
    """The curve for programs: success by blocks, and up to each place."""
    longest = max(map(len, found))
    return {
        "blocks": [
            {"first": each.start + 1, "last": each.stop, "success": estimate_content(success_at(found, each))}
            for each in blocks(longest)
        ],
        "cumulative": [
            {"tasks": count, "success": estimate_content(success)} for count, success in cumulative(found).items()
        ],
    }


def _score(score: VersionScore | None) -> dict[str, Any] | None:
    if score is None:
        return None
    counts = {name: getattr(score, name) for name in ("ended", "faulted", "unfinished")}
    return {"success": estimate_content(score.success), **counts}


def estimate_content(estimate: Estimate | None) -> dict[str, float] | None:
    """An estimate for programs."""
    return None if estimate is None else estimate._asdict()


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


def _per_step(cost: Cost) -> dict[str, float] | None:
    names = ("calls", "prompt_tokens", "completion_tokens")
    return {name: getattr(cost, name) / cost.steps for name in names} if cost.steps else None


def cost_content(cost: Cost) -> dict[str, Any]:
    """What calls spent, for programs."""
    names = ("calls", "prompt_tokens", "cached_tokens", "completion_tokens", "usd")
    return {name: getattr(cost, name) for name in names}
