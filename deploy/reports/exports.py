"""A report for programs: JSON with everything, CSV with one line per episode."""

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from deploy.prices.costs import dollars
from deploy.reports.gathering import Compared, Report, Reported
from deploy.reports.learning.export import estimate_content, learning_content
from deploy.reports.published import Published
from deploy.reports.rows import EpisodeRow
from deploy.reports.summary import Share, facts


def as_json(report: Report, findings: Mapping[str, Mapping[str, Any]] | None = None) -> str:
    """Runs with their summaries and episodes, differences, and arms that have not begun.

    Args:
        report: of them.
        findings: what the studies among them come to, by study.
    """
    content = {
        "runs": [_run(run) for run in report.runs],
        "differences": [entry for comparison in report.compared for entry in _differences(comparison)],
        "not_begun": list(report.missing),
        "studies": dict(findings or {}),
        "damage": list(report.damage),
    }
    return json.dumps(content, indent=2)


def as_csv(report: Report) -> str:
    """One line per episode of every run."""
    grouping = facts(row for run in report.runs for row in run.results.rows)
    out = io.StringIO()
    fields = ["run", "model", *_episode_fields(), *grouping]
    writer = csv.DictWriter(out, fields, lineterminator="\n")
    writer.writeheader()
    for run in report.runs:
        for row in run.results.rows:
            name = {"run": run.label, "model": run.results.model}
            writer.writerow({**name, **_episode(row), **row.facts})
    return out.getvalue()


def _run(run: Reported) -> dict[str, Any]:
    summary, record = run.summary, run.summary.record
    agreeing, reporting = summary.agreement
    charged = run.results.charged
    return {
        "run": run.label,
        "path": str(run.results.folder.path),
        "method": record.configuration.method.name,
        "environment": record.configuration.environment.name,
        "model": run.results.model,
        "configuration": record.configuration.model_dump(mode="json"),
        "finished": run.results.finished,
        "ended": summary.ended,
        "faulted": summary.faulted,
        "unfinished": summary.unfinished,
        **_share(summary.overall),
        "groups": {
            fact: {value: _share(share) for value, share in group.items()} for fact, group in summary.groups.items()
        },
        "self_report": {"agrees": agreeing, "of": reporting},
        "calls": summary.spent.calls,
        "prompt_tokens": summary.spent.prompt_tokens,
        "completion_tokens": summary.spent.completion_tokens,
        "usd": dollars(run.results.nanodollars),
        "charged": None if charged is None else {"tokens": charged.tokens, "usd": dollars(charged.nanodollars)},
        "seconds": summary.seconds,
        "papers": [_published(each) for each in summary.published],
        "learning": None if run.results.learnt is None else learning_content(run, run.results.learnt),
        "episodes": [{**_episode(row), "facts": dict(row.facts)} for row in run.results.rows],
    }


def _share(share: Share) -> dict[str, Any]:
    success = None if share.success is None else estimate_content(share.success)
    return {"tasks": share.tasks, "success": success, "depth_to_succeed": share.depth}


def _published(published: Published) -> dict[str, Any]:
    return {
        "source": published.source,
        "model": published.model,
        "success_percent": published.success,
        "groups": {
            fact: {value: {"success_percent": group.success} for value, group in groups.items()}
            for fact, groups in published.groups.items()
        },
    }


def _differences(comparison: Compared) -> list[dict[str, Any]]:
    return [
        {
            "run": comparison.ours,
            "minus": comparison.theirs,
            "fact": fact or None,
            "value": value or None,
            "tasks": found.tasks,
            "difference": estimate_content(found.points),
        }
        for (fact, value), found in comparison.differences.items()
    ]


def _episode(row: EpisodeRow) -> dict[str, Any]:
    return {
        "task": row.task,
        "epoch": row.epoch,
        "attempt": row.attempt,
        "state": row.state,
        "success": row.success if row.ended else None,
        "reward": row.reward if row.ended else None,
        "claimed": row.claimed,
        "depth": row.depth or None,
        "calls": row.spent.calls,
        "prompt_tokens": row.spent.prompt_tokens,
        "completion_tokens": row.spent.completion_tokens,
        "usd": dollars(row.nanodollars),
        "seconds": row.seconds,
        "reason": row.reason,
    }


def _episode_fields() -> list[str]:
    return list(_episode(EpisodeRow(task="", epoch=0, attempt=0, facts={}, state="not begun")))
