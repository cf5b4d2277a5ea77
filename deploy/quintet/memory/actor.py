"""The store as an actor, on the driver's host. Of a memory, only what is recalled travels."""

from typing import assert_never

from quintet.memory.note_search import find_notes
from quintet.memory.notes import fetch_notes
from quintet.memory.store import Store
from quintet.memory.tuple_search import find_tuples
from quintet.messages.memory import NotesChanged
from quintet.messages.store import (
    ChangeNotes,
    FetchNotes,
    FetchTuples,
    FindNotes,
    FindTuples,
    ListTypes,
    NotesFound,
    ReadTrajectories,
    Seal,
    Sealed,
    StoreRequest,
    StoreTuples,
    TrajectoriesRead,
    TuplesFound,
    TuplesStored,
    TypesListed,
)


class MemoryStore:
    """Answers from a store that is open."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reader = store.reader

    async def receive(
        self, request: StoreRequest
    ) -> TuplesStored | TypesListed | TuplesFound | NotesChanged | NotesFound | Sealed | TrajectoriesRead:
        match request:
            case StoreTuples():
                return TuplesStored(tuples=self._store.add(request))
            case ListTypes():
                return TypesListed(types=self._reader.list_types(request), known=self._reader.known_type(request))
            case FindTuples():
                return TuplesFound(tuples=find_tuples(self._reader, request))
            case FetchTuples():
                return TuplesFound(tuples=self._reader.fetch(request.ids))
            case ChangeNotes():
                return NotesChanged(ids=self._store.change(request))
            case FindNotes():
                return find_notes(self._reader, request)
            case FetchNotes():
                return NotesFound(notes=fetch_notes(self._reader, request.ids, request.version))
            case Seal():
                return self._store.seal(request.version)
            case ReadTrajectories():
                return TrajectoriesRead(trajectories=self._reader.trajectories(request.first, request.count))
            case _:
                assert_never(request)
