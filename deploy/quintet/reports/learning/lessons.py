"""What a run learnt, in words: its versions, how each differs from another, and the lessons that led to it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from quintet.errors import UsageError
from quintet.learned.iterations import JobReflection, LearntIteration, MemoryIteration, PlanIteration
from quintet.learned.kinds import read_sealed
from quintet.memory.difference import content_differences
from quintet.memory.ids import ids_of_version
from quintet.memory.place import open_version
from quintet.memory.reader import SourceRow, TypeRow
from quintet.memory.schema import MEMORY_FILE
from quintet.messages.learning import LearntKind
from quintet.reports.memories import counted, describe_version, difference_lines
from quintet.reports.text_tables import plural
from quintet.reports.transcript import TranscriptLine

_NUMBER = re.compile(r"^\s*\d+[.)]\s*")
_MOST_PAIRS = 250_000
"""Pairs of lines that are compared: the time grows with their number."""
_MOST_LINES = 40
"""Processes, and types, that are listed for a version."""


def version_text(kind: LearntKind, version: int, content: str, run: Path) -> str:
    """A version, for a person; a `UsageError` if it cannot be read."""
    if kind == "plan":
        return content
    source = open_version(run / MEMORY_FILE, version)
    with closing(source.reader):
        return describe_version(source.reader, version, source.sealed)


def version_size(kind: LearntKind, content: str) -> str:
    """How much a version is, in few words."""
    if kind == "plan":
        lines = len(content.strip().splitlines())
        return plural(lines, "line") if lines else "empty"
    sealed = read_sealed(content)
    if kind == "notebook":
        return ", ".join(counted(kind, sealed)) if sealed.notes or sealed.replaced else "empty"
    return f"{plural(sealed.tuples, 'tuple')}, {plural(sealed.goal_types, 'goal type')}" if sealed.tuples else "empty"


def changes(iteration: LearntIteration, content: str, before: str) -> Iterator[TranscriptLine]:
    """What an iteration changed from another version: lines of a plan, what came into a memory, or notes."""
    if isinstance(iteration, PlanIteration):
        yield from _changed_lines(content, before)
        return
    try:
        sources, types = _came_in(iteration)
        notes = _changed_notes(iteration)
    except UsageError as error:
        yield TranscriptLine(1, "note", str(error))
        return
    for line in notes[:_MOST_LINES]:
        yield TranscriptLine(1, "removed" if line.startswith("-") else "added", line)
    if left := len(notes[_MOST_LINES:]):
        yield TranscriptLine(1, "note", f"and {plural(left, 'more change')} of notes")
    yield from _some([_source_text(row) for row in sources], "process", "processes")
    yield from _some([_type_text(row) for row in types], "type", "types")


def _changed_lines(content: str, before: str) -> Iterator[TranscriptLine]:
    """The lines that two plans do not share. A line that differs only in its number has not changed."""
    old, new = ([line.rstrip() for line in text.strip().splitlines()] for text in (before, content))
    if len(old) * len(new) > _MOST_PAIRS:
        most = f"expected {_MOST_PAIRS:,} pairs of lines at most, got {len(old):,} lines and {len(new):,}"
        yield TranscriptLine(1, "note", f"not compared with the version before: {most}")
        return
    bare = [[_NUMBER.sub("", line) for line in lines] for lines in (old, new)]
    for tag, first, last, start, end in SequenceMatcher(a=bare[0], b=bare[1], autojunk=False).get_opcodes():
        if tag != "equal":
            yield from (TranscriptLine(1, "removed", f"- {line}") for line in old[first:last])
            yield from (TranscriptLine(1, "added", f"+ {line}") for line in new[start:end])


def failures(iteration: LearntIteration) -> Iterator[str]:
    """What the learner asked for in vain, and what a model did not answer as it should."""
    yield from (f"no verdict on {task}, not learnt from: {reason}" for task, reason in iteration.unjudged.items())
    if not iteration.failed:  # which says why the last one was
        yield from (f"a request was refused: {reason}" for reason in iteration.refused)
    if isinstance(iteration, PlanIteration):
        yield from (f"no reflection on {each.task}: {each.failed}" for each in iteration.reflections if each.failed)
        return
    yield from (f"no answer to {each}" for each in iteration.unanswered)
    if iteration.dropped:
        yield f"{plural(iteration.dropped, 'operation')} on a note that was not shown, or not allowed: dropped"
    if unassigned := iteration.counts.unassigned:
        yield f"{plural(unassigned, 'text')} that the model left out twice: put into the smallest type"
    if unreadable := iteration.counts.unreadable:
        yield f"{plural(unreadable, 'text')} without a readable type: put into the smallest type"


def document(iteration: LearntIteration, succeeded: Mapping[str, bool]) -> str:
    """The reflections that led to a plan, as paragraphs; each says whether the episode of its task succeeded.

    Empty for a memory, whose version says what came in.
    """
    reflections = iteration.reflections if isinstance(iteration, PlanIteration) else ()
    return "\n\n".join(
        paragraph
        for each in reflections
        for paragraph in _paragraphs(each, "succeeded" if succeeded.get(each.task) else "failed")
    )


def _paragraphs(reflection: JobReflection, outcome: str) -> Iterator[str]:
    parts = {
        "Summary": reflection.summary,
        "Flaws": reflection.flaws,
        "Suggested revision": reflection.revision,
        "No reflection": reflection.failed,
    }
    yield f"## {reflection.task}: {outcome}"
    yield from (f"{label}: {text}" for label, text in parts.items() if text)


def lessons_content(iteration: LearntIteration) -> dict[str, Any]:
    """The lessons for programs: reflections, or what came into a memory as far as its store can be read."""
    if isinstance(iteration, PlanIteration):
        return {"reflections": [{**each._asdict(), "failed": each.failed or None} for each in iteration.reflections]}
    try:
        sources, types = _came_in(iteration)
    except UsageError:
        sources, types = [], []
    named = ("source", "goal", "reward", "batch", "tuples")
    return {
        "processes": [{name: getattr(row, name) for name in named} for row in sources],
        "new_types": len(types),
        "refused": list(iteration.refused),
        "unanswered": list(iteration.unanswered),
        "dropped": iteration.dropped,
        **iteration.counts._asdict(),
    }


def _came_in(iteration: MemoryIteration) -> tuple[list[SourceRow], list[TypeRow]]:
    """The processes and the types that came in with a version; a UsageError if the store cannot be read."""
    number = iteration.number
    with closing(open_version(iteration.store, number).reader) as reader:
        return list(reader.sources(ids_of_version(number))), list(reader.types(range(number, number + 1)))


def _changed_notes(iteration: MemoryIteration) -> Sequence[str]:
    """The notes that came in, were replaced or got votes; a UsageError if the store cannot be read."""
    if not iteration.number:
        return ()
    before, after = (open_version(iteration.store, iteration.number - each) for each in (1, 0))
    with closing(before.reader), closing(after.reader):
        is_notebook = after.reader.kind == "notebook"
        return list(difference_lines(content_differences(before, after))) if is_notebook else ()


def _source_text(row: SourceRow) -> str:
    return f"{plural(row.tuples, 'tuple')} of {row.source}, reward {row.reward:g}, batch memory {row.batch}: {row.goal}"


def _type_text(row: TypeRow) -> str:
    new = row.type
    if new.goal_type is None:
        return f"batch memory {row.batch}, goal type {new.number}: {new.name}"
    return f"batch memory {row.batch}, goal type {new.goal_type}, observation type {new.number}: {new.name}"


def _some(texts: Sequence[str], one: str, many: str) -> Iterator[TranscriptLine]:
    yield from (TranscriptLine(1, "added", f"+ {text}") for text in texts[:_MOST_LINES])
    if left := len(texts[_MOST_LINES:]):
        yield TranscriptLine(1, "note", f"and {left:,} more {one if left == 1 else many}")
