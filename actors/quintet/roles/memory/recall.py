"""Embeds texts, finds types of texts, and recalls tuples and notes.

What was recalled is an event: a replay fetches the same.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from quintet.errors import ReplayMismatch, UsageError
from quintet.events import Recalled
from quintet.messages.memory import (
    NotesChanged,
    NotesRecalled,
    ObservedAction,
    Recall,
    RecallNotes,
    RememberNotes,
    StoredTuple,
    Trajectory,
    TuplesRecalled,
)
from quintet.messages.message import Unanswered
from quintet.messages.notes import AddNote, EditNote
from quintet.messages.paths import Path
from quintet.messages.store import (
    ChangeNotes,
    FetchNotes,
    FetchTuples,
    FindNotes,
    FindTuples,
    ListedType,
    ListTypes,
    NotesFound,
)
from quintet.parsing.answers import on_one_line
from quintet.ports.embedder import Embedder, state_text
from quintet.ports.roles import Roles
from quintet.questions.remembering import INDEX, TypesToChooseFrom
from quintet.roles.asking import Asker
from quintet.roles.branches import branches
from quintet.roles.context import current, running
from quintet.roles.memory.random_words import random_note, random_tuple
from quintet.roles.turn_text import as_sentence

_RecalledT = TypeVar("_RecalledT")

_NOTEBOOK = 0
"""In place of a batch memory."""


class StateVectors:
    """Embeds states: what is to be done, with what is seen. Without an embedder the run embeds nothing."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder

    @property
    def embedder(self) -> str:
        """Whose vectors they are; empty: there are none."""
        return "" if self._embedder is None else self._embedder.name

    async def of_processes(self, processes: Sequence[Trajectory]) -> tuple[tuple[bytes, ...], ...]:
        """A vector for each step of each process, all at once; empty: the run embeds nothing."""
        if self._embedder is None:
            return ()
        async with branches() as group:
            vectors = [group.start(self._of_steps, each.goal, each.steps) for each in processes]
        return tuple(branch.result() for branch in vectors)

    async def of(self, goal: str, observation: str) -> bytes:
        """The vector of a state; a `UsageError` if the run has no embedder."""
        return await self.of_text(state_text(goal, observation))

    async def of_text(self, text: str) -> bytes:
        """The vector of a text; a `UsageError` if the run has no embedder."""
        if self._embedder is None:
            raise UsageError("retrieval embedding: expected an embedder (memory.embedder.name), got none")
        [vector] = await self._embedder.embed([text])
        return vector

    async def _of_steps(self, goal: str, steps: Sequence[ObservedAction]) -> tuple[bytes, ...]:
        return await self.of_texts([state_text(goal, step.observation) for step in steps])

    async def of_texts(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        """A vector for each text, in order; none: the run embeds nothing."""
        if self._embedder is None or not texts:
            return ()
        different = tuple(dict.fromkeys(texts))
        vectors = dict(zip(different, await self._embedder.embed(different), strict=True))
        return tuple(vectors[text] for text in texts)


class FoundType(NamedTuple):
    """The type of a text."""

    number: int | None
    """None: there are no types, or the model named none."""
    types: Sequence[ListedType] = ()
    """Those that there are."""
    failed: str = ""
    """Why the model named none."""

    @property
    def smallest(self) -> int | None:
        """The type with the fewest tuples, of several the first; None if there are no types."""
        return min(self.types, key=lambda each: (each.tuples, each.number)).number if self.types else None


@dataclass(frozen=True)
class Index:
    """Asks for the type of a text, and once more if the answer cannot be read. A single type is not asked for.

    Source: LDM2, section 3.1, equation 3, and table 4.
    """

    asker: Asker
    roles: Roles

    async def goal_type(self, version: int, batch: int, goal: str) -> FoundType:
        """The type of a goal in a batch memory, as it was in a version."""
        asking = ListTypes(version=version, batch=batch, text=goal)
        return await self._find(asking, context="", new=f"New goal: {on_one_line(goal)}", observations=False)

    async def observation_type(
        self, version: int, batch: int, goal: str, goal_type: int, observation: str
    ) -> FoundType:
        """The type of an observation among those of a goal type."""
        asking = ListTypes(version=version, batch=batch, goal_type=goal_type, text=observation)
        context, new = f"Goal: {as_sentence(on_one_line(goal))}", f"New observation: {on_one_line(observation)}"
        return await self._find(asking, context=context, new=new, observations=True)

    async def _find(self, asking: ListTypes, *, context: str, new: str, observations: bool) -> FoundType:
        listed = await self.roles.ask(asking)
        types = listed.types
        if listed.known is not None:
            return FoundType(listed.known, types)
        if len(types) <= 1:
            return FoundType(types[0].number if types else None, types)
        about = TypesToChooseFrom(types=types, context=context, new=new, observations=observations)
        answer = await self.asker.ask(INDEX, about)
        if isinstance(answer.found, Unanswered):
            return FoundType(None, types, answer.found.reason)
        return FoundType(types[answer.found - 1].number, types)


class _StateTypes(NamedTuple):
    goal_type: int | None = None
    observation_type: int | None = None
    failed: str = ""


@dataclass(frozen=True)
class Lookup:
    """Looks up what the memory has about states.

    Source: LDM2, section 3.1, equation 3.
    """

    index: Index
    vectors: StateVectors
    roles: Roles

    async def recall(self, request: Recall) -> TuplesRecalled:
        """Recall tuples, or fetch those recorded; a `ReplayMismatch` if they are of another version or batch memory."""

        async def find(path: Path) -> tuple[TuplesRecalled, Recalled]:
            types = await self._types(request)
            tuples = () if types.failed else await self._find(request, types)
            event = Recalled(
                path=path,
                version=request.version,
                batch=request.batch,
                ids=tuple(each.id for each in tuples),
                **types._asdict(),
            )
            return TuplesRecalled(tuples=tuples, **types._asdict()), event

        recalled = await _recorded(request.version, request.batch, find, self._fetch)
        if request.control != "random":
            return recalled
        return replace(recalled, tuples=tuple(random_tuple(each, request.seed) for each in recalled.tuples))

    async def _fetch(self, event: Recalled) -> TuplesRecalled:
        fetched = await self.roles.ask(FetchTuples(ids=event.ids)) if event.ids else None
        return TuplesRecalled(
            tuples=fetched.tuples if fetched else (),
            goal_type=event.goal_type,
            observation_type=event.observation_type,
            failed=event.failed,
        )

    async def _types(self, request: Recall) -> _StateTypes:
        """The types of the request's goal and observation; none by embedding."""
        if request.retrieval == "embedding":
            return _StateTypes()
        version, batch = request.version, request.batch
        goal_type = request.goal_type
        if goal_type is None:
            goal = await self.index.goal_type(version, batch, request.goal)
            if goal.number is None:
                return _StateTypes(failed=goal.failed)
            goal_type = goal.number
        if request.observation_type is not None:
            return _StateTypes(goal_type, request.observation_type)
        seen = await self.index.observation_type(version, batch, request.goal, goal_type, request.observation)
        return _StateTypes(goal_type, seen.number, seen.failed)

    async def _find(self, request: Recall, types: _StateTypes) -> tuple[StoredTuple, ...]:
        by_embedding = request.retrieval == "embedding"
        if not by_embedding and types.observation_type is None:
            return ()
        vector = await self.vectors.of(request.goal, request.observation) if by_embedding else b""
        found = await self.roles.ask(
            FindTuples(
                version=request.version,
                batch=request.batch,
                goal_type=types.goal_type,
                observation_type=types.observation_type,
                retrieval=request.retrieval,
                query=f"{request.goal}\n{request.observation}",
                vector=vector,
                embedder=self.vectors.embedder,
                budget=request.budget,
                shuffled=request.control == "shuffled",
                seed=request.seed,
            )
        )
        return found.tuples


@dataclass(frozen=True)
class NoteLookup:
    """Looks up what a notebook has for tasks, and changes it."""

    vectors: StateVectors
    roles: Roles

    async def recall(self, request: RecallNotes) -> NotesRecalled:
        """Recall notes, or fetch those recorded; a `ReplayMismatch` if they are of another version."""

        async def find(path: Path) -> tuple[NotesRecalled, Recalled]:
            found = await self._find(request)
            ids = tuple(each.id for each in found.notes)
            event = Recalled(
                path=path,
                version=request.version,
                ids=ids,
                left_out=found.left_out,
                section=request.section,
                scores=found.scores,
            )
            return NotesRecalled(notes=found.notes, scores=found.scores, left_out=found.left_out), event

        recalled = await _recorded(request.version, _NOTEBOOK, find, self._fetch)
        if request.control != "random":
            return recalled
        return replace(recalled, notes=tuple(random_note(each, request.seed) for each in recalled.notes))

    async def remember(self, request: RememberNotes) -> NotesChanged:
        """Store changes, with the vectors of the notes that they bring."""
        texts = [each.note.found_by for each in request.changes if isinstance(each, AddNote | EditNote)]
        return await self.roles.ask(
            ChangeNotes(
                version=request.version,
                place=request.place,
                changes=request.changes,
                vectors=await self.vectors.of_texts(texts),
                embedder=self.vectors.embedder,
            )
        )

    async def _find(self, request: RecallNotes) -> NotesFound:
        by_embedding = request.retrieval == "embedding"
        return await self.roles.ask(
            FindNotes(
                version=request.version,
                retrieval=request.retrieval,
                section=request.section,
                task_type=request.task_type,
                query=request.goal,
                vector=await self.vectors.of_text(request.goal) if by_embedding else b"",
                embedder=self.vectors.embedder,
                budget=request.budget,
                most=request.most,
                shuffled=request.control == "shuffled",
                seed=request.seed,
            )
        )

    async def _fetch(self, event: Recalled) -> NotesRecalled:
        asked = FetchNotes(version=event.version, ids=event.ids)
        notes = (await self.roles.ask(asked)).notes if event.ids else ()
        return NotesRecalled(notes=notes, scores=event.scores, left_out=event.left_out)


async def _recorded(
    version: int,
    batch: int,
    find: Callable[[Path], Awaitable[tuple[_RecalledT, Recalled]]],
    fetch: Callable[[Recalled], Awaitable[_RecalledT]],
) -> _RecalledT:
    """Find and commit what is recalled, or fetch what is recorded.

    Raises:
        ReplayMismatch: what is recorded is of another version or batch memory.
    """
    context = current()
    with context.turn() as position:
        recorded = position.recording.here(Recalled.kind)
        if recorded is not None:
            assert isinstance(recorded.event, Recalled)
            _check_replayed(recorded.event, version, batch)
            # Under a number of its own: under 1 are the calls that found what was recalled.
            with running(context.below(position, 2)):
                return await fetch(recorded.event)
        with running(context.below(position, 1)):
            reply, event = await find(position.path)
        await context.commit(event)
    return reply


def _check_replayed(event: Recalled, version: int, batch: int) -> None:
    if (event.version, event.batch) != (version, batch):
        expected, got = _place(event.version, event.batch), _place(version, batch)
        raise ReplayMismatch(f"{event.path}: expected a recall from {expected}, got {got}")


def _place(version: int, batch: int) -> str:
    return f"version {version}, " + ("a notebook" if batch == _NOTEBOOK else f"batch memory {batch}")
