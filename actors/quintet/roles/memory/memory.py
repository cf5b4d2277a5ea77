"""The memory role: forms batch memories, adds to them, and recalls tuples and notes, which lie in a store."""

from collections.abc import Mapping
from pathlib import Path
from typing import assert_never

from quintet.messages.memory import (
    Classified,
    Classify,
    Form,
    Formed,
    MemoryRequest,
    NotesChanged,
    NotesRecalled,
    Recall,
    RecallNotes,
    Remember,
    Remembered,
    RememberNotes,
    Summarize,
    Summarized,
    TuplesRecalled,
)
from quintet.ports.embedder import Embedder
from quintet.ports.roles import Roles
from quintet.questions.remembering import FINDING, HISTORY, SORTING
from quintet.roles.asking import Asker
from quintet.roles.memory.clustering import Clustering
from quintet.roles.memory.formation import Enhancement, Formation
from quintet.roles.memory.recall import Index, Lookup, NoteLookup, StateVectors
from quintet.roles.memory.summaries import Summaries
from quintet.roles.role import ActorParts, Role
from quintet.roles.role_model import RoleModel


class Memory:
    """Asks its model for summaries and types, and the store for tuples and notes.

    Keeps nothing between requests but prompts, which are the same when they are built anew. `deploy/` decides where it
    runs.

    Args:
        model: may be another one than the executor's.
        prompts: by name; only those of the requests that are asked are needed.
        embedder: of states and goals; None: the run embeds nothing.
    """

    def __init__(
        self, model: RoleModel, roles: Roles, prompts: Mapping[str, str], embedder: Embedder | None = None
    ) -> None:
        vectors = StateVectors(embedder)
        asker = Asker(model, prompts)
        self._summaries = Summaries(asker)
        self._index = Index(asker, roles)
        self._formation = Formation(self._summaries, Clustering(asker), vectors, roles)
        self._enhancement = Enhancement(self._summaries, self._index, vectors, roles)
        self._lookup = Lookup(self._index, vectors, roles)
        self._note_lookup = NoteLookup(vectors, roles)

    async def receive(
        self, request: MemoryRequest
    ) -> Summarized | Formed | Remembered | Classified | TuplesRecalled | NotesRecalled | NotesChanged:
        match request:
            case Summarize():
                return await self._summaries.summarize(request.goal, request.steps, request.observation)
            case Form():
                return await self._formation.form(request)
            case Remember():
                return await self._enhancement.remember(request)
            case Classify():
                found = await self._index.goal_type(request.version, request.batch, request.goal)
                return Classified(goal_type=found.number)
            case Recall():
                return await self._lookup.recall(request)
            case RecallNotes():
                return await self._note_lookup.recall(request)
            case RememberNotes():
                return await self._note_lookup.remember(request)
            case _:
                assert_never(request)


def _start(parts: ActorParts) -> Memory:
    return Memory(parts.model(), parts.roles, parts.prompts, parts.embedder)


MEMORY_ROLE = Role(
    name="memory",
    requests={
        Summarize: HISTORY,
        Form: (*SORTING, *HISTORY),
        Remember: (*HISTORY, *FINDING),
        Classify: FINDING[:1],
        Recall: FINDING,
        RecallNotes: (),
        RememberNotes: (),
    },
    start=_start,
    completion_tokens=4_096,
    prompts=Path(__file__).parent / "prompts",
)
