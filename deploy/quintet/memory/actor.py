"""The store as an actor, on the driver's host: of a memory, only the tuples that are recalled travel."""

from typing import assert_never

from quintet.memory.find import find_tuples
from quintet.memory.store import Store
from quintet.messages.store import (
    FetchTuples,
    FindTuples,
    ListTypes,
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
    ) -> TuplesStored | TypesListed | TuplesFound | Sealed | TrajectoriesRead:
        match request:
            case StoreTuples():
                return TuplesStored(tuples=self._store.add(request))
            case ListTypes():
                return TypesListed(types=self._reader.list_types(request), known=self._reader.known_type(request))
            case FindTuples():
                return TuplesFound(tuples=find_tuples(self._reader, request))
            case FetchTuples():
                return TuplesFound(tuples=self._reader.fetch(request.ids))
            case Seal():
                return self._store.seal(request.version)
            case ReadTrajectories():
                return TrajectoriesRead(trajectories=self._reader.trajectories(request.first, request.count))
            case _:
                assert_never(request)
