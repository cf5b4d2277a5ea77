"""Recalls tuples about a state. What was recalled is an event: a replay fetches the same, and asks no model."""

from typing import NamedTuple

from quintet.events import Recalled
from quintet.messages.memory import FetchTuples, FindTuples, Recall, StoredTuple, TuplesRecalled
from quintet.ports.roles import Roles
from quintet.roles.context import current, running
from quintet.roles.memory.index import Index
from quintet.roles.memory.states import StateVectors


class _Sorted(NamedTuple):
    """The types of a state."""

    goal_type: int | None = None
    observation_type: int | None = None
    failed: str = ""


class Recollecting:
    """Recalls tuples.

    Args:
        index: the memory's.
        vectors: the memory's.
        roles: to ask the store.

    Source: LDM2, section 3.1, equation 3.
    """

    def __init__(self, index: Index, vectors: StateVectors, roles: Roles) -> None:
        self._index = index
        self._vectors = vectors
        self._roles = roles

    async def recall(self, request: Recall) -> TuplesRecalled:
        """Recall tuples, or fetch those that are recorded."""
        context = current()
        with context.turn() as position:
            recorded = position.recording.here(Recalled.kind)
            if recorded is not None:
                assert isinstance(recorded.event, Recalled)
                # Under a number of its own: under 1 are the calls that found what was recalled.
                with running(context.below(position, 2)):
                    return await self._fetched(recorded.event)
            with running(context.below(position, 1)):
                sorted_ = await self._sort(request)
                tuples = () if sorted_.failed else await self._find(request, sorted_)
            await context.commit(
                Recalled(
                    path=position.path,
                    version=request.version,
                    batch=request.batch,
                    ids=tuple(each.id for each in tuples),
                    goal_type=sorted_.goal_type,
                    observation_type=sorted_.observation_type,
                    failed=sorted_.failed,
                )
            )
        return TuplesRecalled(
            tuples=tuples,
            goal_type=sorted_.goal_type,
            observation_type=sorted_.observation_type,
            failed=sorted_.failed,
        )

    async def _fetched(self, event: Recalled) -> TuplesRecalled:
        fetched = await self._roles.ask(FetchTuples(ids=event.ids)) if event.ids else None
        return TuplesRecalled(
            tuples=fetched.tuples if fetched else (),
            goal_type=event.goal_type,
            observation_type=event.observation_type,
            failed=event.failed,
        )

    async def _sort(self, request: Recall) -> _Sorted:
        """The types of the request's goal and observation; none by embedding."""
        if request.retrieval == "embedding":
            return _Sorted()
        version, batch = request.version, request.batch
        goal_type = request.goal_type
        if goal_type is None:
            goal = await self._index.goal_type(version, batch, request.goal)
            if goal.number is None:
                return _Sorted(failed=goal.failed)
            goal_type = goal.number
        if request.observation_type is not None:
            return _Sorted(goal_type, request.observation_type)
        seen = await self._index.observation_type(version, batch, request.goal, goal_type, request.observation)
        return _Sorted(goal_type, seen.number, seen.failed)

    async def _find(self, request: Recall, types: _Sorted) -> tuple[StoredTuple, ...]:
        by_embedding = request.retrieval == "embedding"
        if not by_embedding and types.observation_type is None:
            return ()
        vector = await self._vectors.of(request.goal, request.observation) if by_embedding else b""
        found = await self._roles.ask(
            FindTuples(
                version=request.version,
                batch=request.batch,
                goal_type=types.goal_type,
                observation_type=types.observation_type,
                retrieval=request.retrieval,
                query=f"{request.goal}\n{request.observation}",
                vector=vector,
                embedder=self._vectors.embedder,
                budget=request.budget,
                shuffled=request.shuffled,
            )
        )
        return found.tuples
