"""The roles around a learner of notes: a real notebook with an embedder, and answers by request."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from quintet.memory.actor import MemoryStore
from quintet.memory.note_search import find_notes
from quintet.memory.store import Store
from quintet.messages.curation import AttemptReviewed, NotesRevised, ReviewAttempt, ReviseNotes
from quintet.messages.learning import EpisodeRan, RunEpisode
from quintet.messages.memory import RecallNotes, RememberNotes
from quintet.messages.message import Request, Unanswered
from quintet.messages.notes import AddNote, Note, StoredNote
from quintet.messages.noting import NotesWritten, WriteNotes
from quintet.messages.reflection import AttemptJudged, JudgeAttempt
from quintet.messages.store import ChangeNotes, FetchNotes, FindNotes, ReadTrajectories, Seal
from quintet.models.embedding.hashed_words import HashedWords
from quintet.roles.memory.memory import Memory
from quintet.roles.role_model import RoleModel
from tests.actors.fakes import SAMPLING, Script
from tests.actors.methods.training_world import TrainingRoles, lived_through

Answer: TypeAlias = AttemptJudged | AttemptReviewed | NotesRevised | NotesWritten | Unanswered


def unanswered(_request: Request[Any]) -> Unanswered:
    return Unanswered(reason="hm")


@dataclass(kw_only=True)
class NotebookRoles(TrainingRoles):
    """Roles around a notebook that is empty at first; episodes earn nothing.

    Args:
        answers: what the reflector and the curator say.
    """

    answers: Callable[[Any], Answer] = field(default=unanswered)

    def ended(self, request: RunEpisode) -> EpisodeRan:
        return EpisodeRan(faulted=False, reward=0.0, experience=lived_through(request))

    @cached_property
    def store(self) -> Store:
        return Store(":memory:", world="kitchen", kind="notebook")

    @cached_property
    def _memory(self) -> Memory:
        return Memory(RoleModel(Script({}), SAMPLING), self, {}, HashedWords())

    @cached_property
    def _store(self) -> MemoryStore:
        return MemoryStore(self.store)

    def actor(self, request: Request[Any]) -> Any:
        match request:
            case RecallNotes() | RememberNotes():
                return self._memory
            case ChangeNotes() | FindNotes() | FetchNotes() | Seal() | ReadTrajectories():
                return self._store
            case _:
                return _Answers(self.answers)

    def notes(self, version: int) -> tuple[StoredNote, ...]:
        """The active notes of a sealed version."""
        return find_notes(self.store.reader, FindNotes(version=version)).notes

    @property
    def noted(self) -> list[tuple[int, Note]]:
        """The notes that were added, each with its version, in the order of their entry."""
        asked = sorted(self.requests(RememberNotes), key=lambda each: (each.version, each.place))
        return [(each.version, change.note) for each in asked for change in each.changes if isinstance(change, AddNote)]


class _Answers:
    def __init__(self, answers: Callable[[Any], Answer]) -> None:
        self._answers = answers

    async def receive(self, request: ReviewAttempt | ReviseNotes | WriteNotes | JudgeAttempt) -> Answer:
        return self._answers(request)
