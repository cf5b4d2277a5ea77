"""The history of what a run learns: how each version changed the one before."""

from collections.abc import Iterator

from quintet.reports.learning.lessons import changes, failures, version_size
from quintet.reports.learning.report import Iteration, LearningReport, VersionReport
from quintet.reports.learning.tables import batch_result
from quintet.reports.transcript import TranscriptLine


def history(learning: LearningReport) -> Iterator[TranscriptLine]:
    """Every version, and the iteration that is under way."""
    iterations = {iteration.number: iteration for iteration in learning.iterations}
    before = ""
    for version in learning.versions:
        led = iterations.pop(version.number, None)
        yield TranscriptLine(0, "heading", f"Version {version.number}: {', '.join(_about(learning, version, led))}")
        yield from () if led is None else _failures(learning, led)
        yield from changes(version.lessons, version.content, before)
        before = version.content
    for iteration in iterations.values():
        yield TranscriptLine(0, "heading", f"Version {iteration.number}: under way, {_jobs(iteration)}")


def _about(learning: LearningReport, version: VersionReport, led: Iteration | None) -> Iterator[str]:
    new = version.outcome in (None, "changed")
    yield version_size(learning.kind.name, version.content) if new else str(version.outcome)
    if led is not None:
        yield _jobs(led)
    if version.number == learning.chosen:
        yield "chosen"


def _jobs(iteration: Iteration) -> str:
    return f"from a batch that solved {batch_result(iteration.batch)}" if iteration.batch else "no batch"


def _failures(learning: LearningReport, iteration: Iteration) -> Iterator[TranscriptLine]:
    if iteration.lessons.failed:
        yield TranscriptLine(1, "note", f"no new {learning.kind.name}: {iteration.lessons.failed}")
    for failure in failures(iteration.lessons):
        yield TranscriptLine(1, "note", failure)
