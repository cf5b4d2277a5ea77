"""Memories and notebooks in text: their versions, types or sections, tuples or notes, and how two versions differ."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from quintet.memory.content import ShownNote, ShownSection, ShownTuple, ShownType
from quintet.memory.difference import ContentDifference
from quintet.memory.ids import tuple_id
from quintet.memory.notes import notes_in
from quintet.memory.reader import MemoryReader
from quintet.messages.learning import MemoryKind
from quintet.messages.memory import MemoryTuple
from quintet.messages.notes import Note, StoredNote
from quintet.messages.store import ListTypes, Sealed
from quintet.reports.text_tables import NONE, TextTable, cut, plural

_DIGEST = 12
_EXAMPLE = 60
"""Characters that are shown."""
_MOST_PROCESSES = 500
"""And notes, that are listed: the text is written while a run goes on, also for a given memory of a million tuples."""


def memory_title(reader: MemoryReader, version: int, sealed: Sealed) -> str:
    """`Memory of WORLD, version 2: 60 tuples, 1 batch memory, 2 goal types, 9 observation types`."""
    counts = ", ".join(counted(reader.kind, sealed))
    return f"{reader.kind.capitalize()} of {reader.world}, version {version}: {counts}"


def counted(kind: MemoryKind, sealed: Sealed) -> list[str]:
    """What a version has, what there is most of first."""
    if kind == "notebook":
        return [plural(sealed.notes, "note"), *[f"{sealed.replaced:,} replaced"] * bool(sealed.replaced)]
    return [
        plural(sealed.tuples, "tuple"),
        f"{sealed.batches:,} batch " + ("memory" if sealed.batches == 1 else "memories"),
        plural(sealed.goal_types, "goal type"),
        plural(sealed.observation_types, "observation type"),
    ]


def memory_versions(versions: Mapping[int, Sealed]) -> TextTable:
    """A row for each version."""
    return TextTable(
        "By version",
        ("version", "added", "tuples", "batches", "goal types", "observation types", "digest"),
        tuple(
            (
                str(version),
                f"{each.added:,}",
                f"{each.tuples:,}",
                str(each.batches),
                str(each.goal_types),
                str(each.observation_types),
                each.digest[:_DIGEST],
            )
            for version, each in versions.items()
        ),
    )


def notebook_versions(versions: Mapping[int, Sealed]) -> TextTable:
    """A row for each version."""
    return TextTable(
        "By version",
        ("version", "changes", "notes", "replaced", "digest"),
        tuple(
            (str(version), f"{each.added:,}", f"{each.notes:,}", f"{each.replaced:,}", each.digest[:_DIGEST])
            for version, each in versions.items()
        ),
    )


def notebook_sections(sections: Iterable[ShownSection]) -> TextTable:
    """A row for each section, with the votes for its notes."""
    return TextTable(
        "By section",
        ("section", "notes", "helpful", "harmful"),
        tuple((each.section or NONE, f"{each.notes:,}", f"{each.helpful:,}", f"{each.harmful:,}") for each in sections),
    )


def notebook_notes(notes: Iterable[ShownNote]) -> Iterator[str]:
    """Each note as a paragraph; its first line says where it comes from, and what became of it."""
    for each in notes:
        stored = each.stored
        score = "" if each.score is None else f", score {each.score:.2f}"
        section = f", section {stored.note.section}" if stored.note.section else ""
        task_type = f", for {stored.note.task_type}" if stored.note.task_type else ""
        yield (
            f"note {stored.id}, version {each.version}{section}{task_type}: helpful {stored.helpful}, harmful "
            f"{stored.harmful}, recalled {stored.recalled}, {_state(stored)}, from {_origin(stored.note)}{score}"
        )
        for label in ("title", "description", "text", "about"):
            if text := getattr(stored.note, label):
                yield f"  {label.capitalize()}: {' '.join(text.split())}"
        yield ""


def _state(stored: StoredNote) -> str:
    if stored.state == "active":
        return "active"
    return "replaced" if stored.replaced_by is None else f"replaced by {stored.replaced_by}"


def _origin(note: Note) -> str:
    return " ".join(filter(None, (note.run, note.path or note.episode))) or NONE


def difference_lines(found: Iterable[ContentDifference]) -> Iterator[str]:
    """A line for each, with its sign."""
    for each in found:
        why = f" ({each.why})" if each.why else ""
        yield f"{each.sign} {' '.join(_in_short(each.what).split())}{why}"


def _in_short(what: Note | MemoryTuple) -> str:
    if isinstance(what, Note):
        return f"{what.title}: {what.text}" if what.title else what.text
    return f"{what.goal}: {what.action} [{cut(what.observation, _EXAMPLE)}]"


def memory_types(types: Iterable[ShownType]) -> Iterator[TextTable]:
    """A table for each batch memory; observation types are below their goal type."""
    rows: dict[int, list[tuple[str, ...]]] = {}
    for each in types:
        goal = each.observation_type is None
        number = str(each.goal_type) if goal else f"  {each.goal_type}.{each.observation_type}"
        cells = (
            f"{number} {each.name}",
            f"{each.tuples:,}",
            "; ".join(cut(example, _EXAMPLE) for example in each.examples),
        )
        rows.setdefault(each.batch, []).append(cells)
    for batch, own in rows.items():
        yield TextTable(f"Batch memory {batch}", ("type", "tuples", "examples"), tuple(own))


def memory_tuples(tuples: Sequence[ShownTuple]) -> Iterator[str]:
    """Each tuple as a paragraph; its first line says where it comes from."""
    for each in tuples:
        content = each.tuple
        score = "" if each.score is None else f", score {each.score:.2f}"
        yield (
            f"version {each.version}, process {each.place}, step {each.number + 1}: batch {each.batch}, "
            f"type {content.goal_type}.{content.observation_type}, reward {content.reward:g}, "
            f"from {content.source or NONE}{score}"
        )
        for label in ("goal", "observation", "evaluation", "summary", "action"):
            if text := getattr(content, label):
                yield f"  {label.capitalize()}: {' '.join(text.split())}"
        yield ""


def describe_version(reader: MemoryReader, version: int, sealed: Sealed) -> str:
    """A version in Markdown; a `UsageError` if the memory cannot be read."""
    most, *counts = counted(reader.kind, sealed)
    new = plural(sealed.added, "change") if reader.kind == "notebook" else f"{sealed.added:,} of them new"
    lines = [f"# Version {version}", "", ", ".join([most, new, *counts]), "", f"Digest: {sealed.digest}"]
    if reader.kind == "notebook":
        notes = (each for each in notes_in(reader, version) if each.state == "active")
        return "\n".join([*lines, "", *(f"- {_in_short(each.note)}" for each in islice(notes, _MOST_PROCESSES))])
    for batch in range(1, sealed.batches + 1):
        lines += ["", f"## Batch memory {batch}", "", *_types(reader, version, batch)]
    came_in = list(_came_in(reader, version, sealed.added))
    return "\n".join(lines + (["", "## What came in", "", *came_in] if came_in else []))


def _came_in(reader: MemoryReader, version: int, added: int) -> Iterator[str]:
    for row in reader.sources(range(tuple_id(version, 0, 0), tuple_id(version, _MOST_PROCESSES, 0))):
        added -= row.tuples
        about = f"{plural(row.tuples, 'tuple')}, reward {row.reward:g}, batch memory {row.batch}, {row.goal}"
        yield f"- {row.source}: {about}"
    if added:
        yield f"- and {plural(added, 'more tuple')}: `quintet memory show --tuples`"


def _types(reader: MemoryReader, version: int, batch: int) -> Iterator[str]:
    for goal_type in reader.list_types(ListTypes(version=version, batch=batch, examples=0)):
        yield f"- Goal type {goal_type.number}: {goal_type.name} ({plural(goal_type.tuples, 'tuple')})"
        inner = ListTypes(version=version, batch=batch, goal_type=goal_type.number, examples=0)
        for each in reader.list_types(inner):
            yield f"  - Observation type {each.number}: {each.name} ({plural(each.tuples, 'tuple')})"
