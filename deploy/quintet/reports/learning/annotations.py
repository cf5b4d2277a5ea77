"""What a person should know of what was learnt, in sentences."""

from collections.abc import Iterator

from quintet.reports.learning.learnt import LearningReport
from quintet.reports.wording import counted


def learning_progress(learnt: LearningReport, versions: int) -> str:
    """How far a run has come that learns.

    Args:
        learnt: so far.
        versions: how many there will be after version 0.
    """
    if learnt.ended:
        return f"version {learnt.chosen} of {versions} chosen"
    newest = max((version.number for version in learnt.versions), default=0)
    return f"still learning, version {newest} of {versions}" if learnt.begun else "not begun"


def learning_troubles(learnt: LearningReport) -> Iterator[str]:
    """What taught nothing: updates that changed or brought nothing, reflections that failed, episodes that faulted."""
    if unchanged := learnt.count("unchanged"):
        yield f"{unchanged} of {counted(learnt.updates, 'update')} left the plan as it was"
    for version in learnt.versions:
        if version.outcome == "no lessons":
            yield f"iteration {version.number}: no lessons, so no new plan was asked for"
    for iteration in learnt.iterations:
        if iteration.failed:
            yield f"iteration {iteration.number}: no new plan: {iteration.failed}"
        for reflection in iteration.reflections:
            if reflection.failed:
                yield f"iteration {iteration.number}: no reflection on {reflection.task}: {reflection.failed}"
        faulted = sum(row.state == "faulted" for row in iteration.batch)
        if faulted:
            yield f"iteration {iteration.number}: {counted(faulted, 'faulted episode')}, not learnt from"
