"""The history of what a run learns: how each version changed the one before, and which reflections may explain it."""

from collections.abc import Iterable, Iterator

from quintet.reports.learning.changes import LineChange, Quote, Sentences, TooLong, changes
from quintet.reports.learning.report import Iteration, LearningReport, VersionReport
from quintet.reports.learning.tables import batch_result, version_size
from quintet.reports.transcript import TranscriptLine


def history(learning: LearningReport) -> Iterator[TranscriptLine]:
    """Every version, and the iteration that is under way.

    Each changed line is followed by the sentence of a reflection that shares most words with it, if any. This compares
    texts; it is no record of causes.
    """
    iterations = {iteration.number: iteration for iteration in learning.iterations}
    before = ""
    for version in learning.versions:
        yield from _version(version, before, iterations.pop(version.number, None), chosen=learning.chosen)
        before = version.text
    for iteration in iterations.values():
        yield TranscriptLine(0, "heading", f"Version {iteration.number}: under way, {_jobs(iteration)}")


def _version(
    version: VersionReport, before: str, led: Iteration | None, *, chosen: int | None
) -> Iterator[TranscriptLine]:
    said = [version_size(version) if version.outcome in (None, "changed") else version.outcome]
    said += [_jobs(led)] if led is not None else []
    said += ["chosen"] if version.number == chosen else []
    yield TranscriptLine(0, "heading", f"Version {version.number}: {', '.join(said)}")
    if led is not None:
        yield from _failures(led)
    try:
        yield from _change_lines(changes(before, version.text), Sentences(led.reflections if led is not None else ()))
    except TooLong as error:
        yield TranscriptLine(1, "note", f"not compared with the version before: {error}")


def _change_lines(changed: Iterable[LineChange], said: Sentences) -> Iterator[TranscriptLine]:
    for removed, added in changed:
        for line in removed:
            yield TranscriptLine(1, "removed", f"- {line}")
            yield from () if added else _led_to(said.quote(line))
        for line in added:
            yield TranscriptLine(1, "added", f"+ {line}")
            yield from _led_to(said.quote(line, removed))


def _jobs(iteration: Iteration) -> str:
    return f"from a batch that solved {batch_result(iteration.batch)}" if iteration.batch else "no batch"


def _failures(iteration: Iteration) -> Iterator[TranscriptLine]:
    if iteration.failed:
        yield TranscriptLine(1, "note", f"no new plan: {iteration.failed}")
    for reflection in iteration.reflections:
        if reflection.failed:
            yield TranscriptLine(1, "note", f"no reflection on {reflection.task}: {reflection.failed}")


def _led_to(found: Quote | None) -> Iterator[TranscriptLine]:
    if found is not None:
        yield TranscriptLine(3, "note", f'{found.task}: "{found.sentence}"')
