"""What a run learnt, version by version; its memory or notebook: tuples or notes, and where they were recalled."""

from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from quintet.errors import UsageError
from quintet.memory.content import (
    ShownNote,
    ShownTuple,
    ShownType,
    TupleFilter,
    note_ids,
    search_notes,
    search_words,
    shown_ids,
    shown_notes,
    shown_tuples,
    shown_types,
)
from quintet.memory.copy import MemoryVersion
from quintet.memory.ids import tuple_id
from quintet.memory.place import open_version
from quintet.messages.learning import MemoryKind
from quintet.messages.paths import Path as EpisodePath
from quintet.messages.store import Sealed
from quintet.reports.learning.lessons import changes, document, failures, version_size
from quintet.reports.learning.report import LearningReport, VersionReport
from quintet.reports.learning.tables import batch_result, score_text, version_table
from quintet.reports.text_tables import TextTable
from quintet.reports.transcript import TranscriptLine
from quintet.runs.run_folder import RunFolder
from quintet.view.folder import Offset, ViewedFolder
from quintet.view.report import read_report
from quintet.view.runs import RunRequest


class ChangesRequest(Struct, forbid_unknown_fields=True):
    """Asks how one version of what a run learnt differs from another."""

    run: str
    before: int
    after: int


class ShownVersion(Struct, frozen=True, kw_only=True):
    """A version that a learner published."""

    number: int
    size: str
    outcome: str
    """Of the update that led to it; empty for version 0."""
    batch: str
    """How the episodes that led to it went."""
    held_out: str
    test: str
    chosen: bool
    content: str
    failures: tuple[str, ...]
    document: str
    """The lessons that led to it."""


class VersionsView(Struct, frozen=True, kw_only=True):
    """What a run learnt."""

    kind: str
    """`plan`, `memory` or `notebook`."""
    table: TextTable
    versions: tuple[ShownVersion, ...]


def view_versions(viewed: ViewedFolder, request: RunRequest) -> VersionsView:
    """Every version, in order; a `UsageError` if the run does not learn."""
    learning = _learning(viewed, request.run)
    return VersionsView(
        kind=learning.kind.name,
        table=version_table(learning),
        versions=tuple(_shown(learning, version) for version in learning.versions),
    )


def view_changes(viewed: ViewedFolder, request: ChangesRequest) -> tuple[TranscriptLine, ...]:
    """How a version differs from another; a `UsageError` if the run does not learn, or has no such version."""
    versions = {version.number: version for version in _learning(viewed, request.run).versions}
    for number in (request.before, request.after):
        if number not in versions:
            raise UsageError(f"version: expected one of {list(versions)}, got {number}")
    after = versions[request.after]
    return tuple(changes(after.lessons, after.content, versions[request.before].content))


def _learning(viewed: ViewedFolder, run: str) -> LearningReport:
    folder = viewed.open_run(run)
    learning = read_report(folder.path).runs[0].results.learning
    if learning is None:
        raise UsageError(f"versions: expected a run that learns, got one that does not ({folder.path})")
    return learning


def _shown(learning: LearningReport, version: VersionReport) -> ShownVersion:
    led = next((each for each in learning.iterations if each.number == version.number), None)
    succeeded = {} if led is None else {row.task: row.success for row in led.batch}
    return ShownVersion(
        number=version.number,
        size=version_size(learning.kind.name, version.content),
        outcome=version.outcome or "",
        batch=batch_result(led.batch if led is not None else ()),
        held_out=score_text(version.held_out),
        test=score_text(version.test),
        chosen=version.number == learning.chosen,
        content=version.content,
        failures=tuple(failures(version.lessons)),
        document=document(version.lessons, succeeded),
    )


_MOST = 200
_NAMED = 20
"""Recalls of a tuple or a note that are named."""

_Shown: TypeAlias = ShownTuple | ShownNote
_TupleId: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class VersionRequest(Struct, forbid_unknown_fields=True):
    """Asks for a version of a run's memory or notebook."""

    run: str
    version: Annotated[int, Meta(ge=-1, le=10_000)] = -1
    """-1: the newest."""


class TuplesRequest(VersionRequest):
    """Asks for some tuples or notes, or for those that have some words, the best first."""

    words: str = ""
    batch: int | None = None
    goal_type: int | None = None
    observation_type: int | None = None
    first: Offset = 0
    most: Offset = 50


class RecalledRequest(VersionRequest, kw_only=True):
    """Asks for tuples or notes by their ids, in decimal, separated by commas, as they are in the version."""

    ids: str


class MemoryView(Struct, frozen=True):
    """A version of a memory or a notebook."""

    kind: MemoryKind
    world: str
    version: int
    versions: Mapping[int, Sealed]
    types: tuple[ShownType, ...]


class TupleView(Struct, frozen=True):
    """A tuple or a note, and where it was recalled."""

    id: str
    shown: ShownTuple | None
    """None: it is a note."""
    note: ShownNote | None
    """None: it is a tuple."""
    recalls: int
    """How often, in all."""
    paths: tuple[str, ...]
    """The first of them."""


class TuplesView(Struct, frozen=True):
    """Some tuples or notes."""

    tuples: tuple[TupleView, ...]
    more: bool


def view_memory(viewed: ViewedFolder, request: VersionRequest) -> MemoryView:
    """A version of a run's memory, its types with examples; a `UsageError` if the run has none, or no such version."""
    with _opened(viewed.open_run(request.run), request.version) as source:
        batches = range(1, source.sealed.batches + 1)
        types = tuple(shown_types(source, batches, examples=2))
        return MemoryView(source.reader.kind, source.reader.world, source.version, source.reader.versions(), types)


def view_tuples(viewed: ViewedFolder, request: TuplesRequest) -> TuplesView:
    """Some tuples or notes of a version, with where they were recalled."""
    folder = viewed.open_run(request.run)
    wanted = TupleFilter(batch=request.batch, goal_type=request.goal_type, observation_type=request.observation_type)
    most = min(request.most, _MOST)
    found: Sequence[_Shown]
    with _opened(folder, request.version) as source:
        if source.reader.kind == "notebook":
            found = _notes(source, request.words.strip(), request.first, most + 1)
        elif request.words.strip():
            found = list(search_words(source, request.words, wanted, request.first + most + 1))[request.first :]
        else:
            found = list(shown_tuples(source, wanted, first=request.first, most=most + 1))
    return TuplesView(_with_recalls(folder, found[:most]), len(found) > most)


def view_recalled(viewed: ViewedFolder, request: RecalledRequest) -> TuplesView:
    """The tuples or notes that an episode was shown; a `UsageError` if an id is none, or the run has no memory."""
    folder = viewed.open_run(request.run)
    try:
        ids = msgspec.convert(request.ids.split(",")[:_MOST], list[_TupleId], strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"ids: expected whole numbers, separated by commas, got {request.ids[:100]!r}") from error
    with _opened(folder, request.version) as source:
        found: Sequence[_Shown]
        found = list(note_ids(source, ids) if source.reader.kind == "notebook" else shown_ids(source, ids))
    return TuplesView(_with_recalls(folder, found), more=False)


def _notes(source: MemoryVersion, words: str, first: int, most: int) -> Sequence[ShownNote]:
    if words:
        return search_notes(source, words, None, first + most)[first:]
    return list(shown_notes(source, first=first, most=most))


@contextmanager
def _opened(folder: RunFolder, version: int) -> Generator[MemoryVersion, None, None]:
    if not folder.memory.is_file():
        raise UsageError(f"memory: expected a run that has one, got one without ({folder.path})")
    source = open_version(folder.memory, None if version < 0 else version)
    with closing(source.reader):
        yield source


def _with_recalls(folder: RunFolder, found: Iterable[_Shown]) -> tuple[TupleView, ...]:
    ids = {tuple_id(each.version, each.place, each.number): each for each in found}
    recalled: defaultdict[int, list[EpisodePath]] = defaultdict(list)
    with folder.read_journals() as (journals, _):
        for _, reader in journals:
            for number, paths in reader.recalled(ids).items():
                recalled[number] += paths
    return tuple(
        TupleView(
            id=str(number),
            shown=each if isinstance(each, ShownTuple) else None,
            note=each if isinstance(each, ShownNote) else None,
            recalls=len(paths),
            paths=tuple(paths[:_NAMED]),
        )
        for number, each in ids.items()
        for paths in [recalled[number]]
    )
