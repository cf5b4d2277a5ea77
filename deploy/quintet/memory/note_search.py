"""Looks up notes: all, those for a task's type, the best by votes, or the nearest by words or embedding."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice

from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.memory.budget import within
from quintet.memory.notes import FoundNote, find_note
from quintet.memory.reader import MemoryReader
from quintet.messages.notes import StoredNote
from quintet.messages.parts import BY_GOAL, BY_TASK, Retrieval
from quintet.messages.store import FindNotes, NotesFound

_NOTEBOOK = 0
"""The group of its documents, and of its vectors."""

_NEWEST = """
SELECT id FROM changes AS added WHERE id = note AND id < ?1
AND NOT EXISTS (SELECT 1 FROM changes WHERE note = added.id AND id < ?1 AND replaced_by IS NOT NULL)
ORDER BY id DESC
"""
"""Of notes that nothing replaces, so that the replaced ones cost nothing."""
_BEST = """
SELECT note FROM changes WHERE id < ? GROUP BY note ORDER BY sum(helpful) - sum(harmful) DESC, note DESC
"""
_NOTE_OF = "SELECT note FROM changes WHERE id = ?"
_COUNT = """
SELECT count(*) FROM changes AS content WHERE text IS NOT NULL AND id < :limit
AND (:section = '' OR section = :section) AND (NOT :typed OR task_type IN ('', :task_type))
AND NOT EXISTS (
    SELECT 1 FROM changes WHERE note = content.note AND id < :limit
    AND (replaced_by IS NOT NULL OR id > content.id AND text IS NOT NULL)
)
"""


def note_size(found: StoredNote) -> int:
    """Bytes of a note in a prompt, as a budget counts them."""
    return sum(len(text.encode()) for text in (found.note.title, found.note.description, found.note.text))


def find_notes(reader: MemoryReader, request: FindNotes) -> NotesFound:
    """The notes that a request looks for; the budget takes them as it takes tuples.

    Shuffled ones are as many for another task, and none of those in whose place they are.

    Raises:
        UsageError: it is no notebook, or cannot be searched in this way.
        ValueError: the version is not sealed.
    """
    reader.expect("notebook")
    search = _Search(reader, request, reader.limit(request.version))
    found = search.found()
    if not request.shuffled:
        return found
    return NotesFound(notes=tuple(_for_another_task(search, found.notes)), left_out=found.left_out)


@dataclass(frozen=True)
class _Search:
    reader: MemoryReader
    request: FindNotes
    before: int
    """The first id that the version lacks."""

    def found(self) -> NotesFound:
        request = self.request
        notes = (each.stored for each in self.candidates())
        candidates = notes if request.most is None else list(islice(notes, request.most))
        taken = list(candidates) if request.budget is None else within(request.budget, candidates, size=note_size)
        if isinstance(candidates, list):
            left_out = len(candidates) - len(taken)
        else:
            # There is always a next nearest, so without `most` none counts as left out.
            left_out = 0 if request.retrieval in BY_GOAL else self._count() - len(taken)
        if request.retrieval in ("all", "type"):
            taken = taken[::-1]
        return NotesFound(notes=tuple(taken), left_out=left_out)

    def candidates(self) -> Iterator[FoundNote]:
        """The active notes that are wanted, in the order in which they are taken."""
        kind, wanted = self.request.retrieval, self.request
        for found in _CANDIDATES[kind](self):
            note = found.stored.note
            other_type = kind == "type" and note.task_type not in ("", wanted.task_type)
            if found.stored.state == "active" and wanted.section in ("", note.section) and not other_type:
                yield found

    def _count(self) -> int:
        request = self.request
        if request.retrieval != "type" and not request.section:
            sealed = self.reader.version(request.version)
            return 0 if sealed is None else sealed.notes
        wanted = {"section": request.section, "typed": request.retrieval == "type", "task_type": request.task_type}
        return next(int(count) for (count,) in self.reader.rows(_COUNT, {"limit": self.before, **wanted}))

    def newest(self) -> Iterator[FoundNote]:
        return self._notes(identifier for (identifier,) in self.reader.rows(_NEWEST, (self.before,)))

    def best(self) -> Iterator[FoundNote]:
        """Those with the most helpful votes less harmful ones, of equals the newest."""
        return self._notes(identifier for (identifier,) in self.reader.rows(_BEST, (self.before,)))

    def by_words(self) -> Iterator[FoundNote]:
        for _, found in _by_words(self.reader, self.before, self.request.query):
            yield found

    def by_embedding(self) -> Iterator[FoundNote]:
        request = self.request
        near = self.reader.vectors.in_order(_NOTEBOOK, request.version, self.before, request.vector, request.embedder)
        for content in near:
            if found := _with_content(self.reader, content, self.before):
                yield found

    def _notes(self, ids: Iterable[int]) -> Iterator[FoundNote]:
        for identifier in ids:
            if found := find_note(self.reader, identifier, self.before):
                yield found


_CANDIDATES: Mapping[Retrieval, Callable[[_Search], Iterator[FoundNote]]] = {
    "all": _Search.newest,
    "type": _Search.newest,
    "best": _Search.best,
    "lexical": _Search.by_words,
    "embedding": _Search.by_embedding,
}


def ranked_notes(reader: MemoryReader, version: int, words: str) -> Iterator[tuple[float, StoredNote]]:
    """The active notes of a version that have one of the words, each with its score, the best first."""
    for score, found in _by_words(reader, reader.limit(version), words):
        if found.stored.state == "active":
            yield score, found.stored


def _by_words(reader: MemoryReader, before: int, query: str) -> Iterator[tuple[float, FoundNote]]:
    for score, content in reader.words.ranked(_NOTEBOOK, before, query):
        if score <= 0:
            return
        if found := _with_content(reader, content, before):
            yield score, found


def _with_content(reader: MemoryReader, content: int, before: int) -> FoundNote | None:
    """The note that has this content; None: it was edited since."""
    note = next((note for (note,) in reader.rows(_NOTE_OF, (content,))), None)
    if note is None:
        raise reader.fault(ValueError(f"an index of words that names {content}, which is no content of a note"))
    found = find_note(reader, note, before)
    return found if found is not None and found.content == content else None


def _for_another_task(search: _Search, found: Iterable[StoredNote]) -> list[StoredNote]:
    """What would be recalled for the task that another note is about, which is drawn by seed and query."""
    request, taken = search.request, {each.id: each for each in found}
    if request.retrieval not in BY_TASK:
        raise UsageError(
            f"shuffled: expected a retrieval that differs from task to task ({', '.join(BY_TASK)}), got "
            f"{request.retrieval!r}"
        )
    others = list(_of_other_tasks(search, taken))
    if not others or not taken:
        return []
    key = f"{request.seed} {request.task_type} {request.query}".encode()
    drawn = others[int.from_bytes(blake2b(key, digest_size=8).digest()) % len(others)]
    vector = search.reader.vectors.of(range(drawn.content, drawn.content + 1)).get(drawn.content, b"")
    note = drawn.stored.note
    other = replace(request, query=note.found_by, task_type=note.task_type, vector=vector, most=None)
    notes = (each.stored for each in _Search(search.reader, other, search.before).candidates())
    few = islice((each for each in notes if each.id not in taken and not _is_of_this_task(search, each)), len(taken))
    return list(few) if request.budget is None else within(request.budget, few, size=note_size)


def _of_other_tasks(search: _Search, taken: Mapping[int, StoredNote]) -> Iterator[FoundNote]:
    everything = _Search(search.reader, replace(search.request, retrieval="all"), search.before)
    for each in everything.candidates():
        if each.stored.id not in taken and not _is_of_this_task(search, each.stored):
            yield each


def _is_of_this_task(search: _Search, found: StoredNote) -> bool:
    request = search.request
    if request.retrieval == "type":
        return found.note.task_type in ("", request.task_type)
    return found.note.found_by == request.query
