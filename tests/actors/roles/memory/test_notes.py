"""The memory role recalls notes once, whatever is changed later; and what a control shows in their place."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from quintet.errors import ReplayMismatch, UsageError
from quintet.events import AnyEvent, Recalled, Record
from quintet.events.recording import Recording
from quintet.memory.actor import MemoryStore
from quintet.messages.memory import MemoryTuple, RecallNotes, RememberNotes, StoredTuple
from quintet.messages.message import ReplyT, Request
from quintet.messages.notes import AddNote, Note, StoredNote, VoteNote
from quintet.messages.paths import Path, child
from quintet.messages.store import FetchNotes, FindNotes
from quintet.methods.base.learner_context import LearnerContext
from quintet.models.embedding.hashed_words import HashedWords
from quintet.ports.model import Sampling
from quintet.roles.context import RequestContext, running
from quintet.roles.memory.memory import MEMORY_ROLE, Memory
from quintet.roles.memory.random_words import random_note, random_tuple
from quintet.roles.role_model import RoleModel
from tests.actors.fakes import Here, Script
from tests.deploy.memory.notebooks import CLEAN, EGG, NOTES, a_notebook, added, change

_T = TypeVar("_T")

_PATH = Path("heat/0/0")
_RECALL = child(child(_PATH, 1), 1)


class Notebooks:
    """The memory role, its store with four notes in version 1, and what was journaled and asked."""

    def __init__(self, embedder: HashedWords | None = None) -> None:
        self.store = a_notebook()
        self.events: list[AnyEvent] = []
        self.asked: list[Request[Any]] = []
        self._store = MemoryStore(self.store)
        self._memory = Memory(RoleModel(Script({}), Sampling()), self, {}, embedder)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        actor: Any = self._memory if type(request) in MEMORY_ROLE.requests else self._store
        return await Here("actor", actor, self.asked).ask(request)

    def answer(self, request: Request[ReplyT], *, recorded: Sequence[AnyEvent] = ()) -> ReplyT:
        """Ask, as the first thing of an episode in which these events are recorded."""
        return self.run(lambda: self.ask(request), recorded=recorded)

    def run(self, work: Callable[[], Awaitable[_T]], *, recorded: Sequence[AnyEvent] = ()) -> _T:
        """The same with anything that asks."""

        async def commit(*events: AnyEvent) -> None:
            self.events += events

        async def run() -> _T:
            recording = Recording(_PATH, [Record(event=event, incarnation=1) for event in recorded])
            with running(RequestContext(_PATH, 1, recording, commit, self.events.append)):
                return await work()

        return asyncio.run(run())


def _with_notes(embedder: HashedWords | None = None) -> Notebooks:
    found = Notebooks(embedder)
    found.answer(RememberNotes(version=1, place=0, changes=added(*NOTES)))
    found.store.seal(1)
    found.asked.clear()
    return found


_WANTED = RecallNotes(version=1, goal="clean a dirty mug", retrieval="lexical", most=1)


def test_what_is_recalled_is_an_event_and_a_replay_fetches_the_same_as_it_was() -> None:
    notebooks = _with_notes()
    reply = notebooks.answer(_WANTED)
    assert [each.note for each in reply.notes] == [CLEAN]
    (event,) = notebooks.events
    assert event == Recalled(path=_RECALL, version=1, ids=(reply.notes[0].id,), scores=reply.scores)
    assert len(reply.scores) == 1
    notebooks.store.change(
        change(VoteNote(id=reply.notes[0].id, helpful=3), *added(Note(text="a dirty mug")), version=2)
    )
    notebooks.store.seal(2)
    notebooks.asked.clear()
    assert notebooks.answer(_WANTED, recorded=[event]) == reply
    assert notebooks.asked[1:] == [FetchNotes(version=1, ids=(reply.notes[0].id,))]
    assert notebooks.events == [event]


def test_what_the_budget_left_out_is_in_the_event_and_in_its_replay() -> None:
    notebooks = _with_notes()
    wanted = RecallNotes(version=1, goal="", budget=60)
    reply = notebooks.answer(wanted)
    assert (len(reply.notes), reply.left_out) == (1, 3)
    assert notebooks.answer(wanted, recorded=notebooks.events) == reply


class _Counting(HashedWords):
    texts = 0

    async def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        self.texts += len(texts)
        return await super().embed(texts)


def test_a_learner_is_given_the_nearest_notes_with_their_cosines_and_a_replay_embeds_nothing() -> None:
    embedder = _Counting(dimensions=64)
    notebooks = _with_notes(embedder)
    run = LearnerContext(roles=notebooks, seed=0, training=(), held_out=(), test=(), start="")
    embedder.texts = 0
    found = notebooks.run(lambda: run.similar(1, CLEAN.found_by, 3))
    assert [found[0], len(found), embedder.texts] == [(found[0][0], 1.0), 3, 1]
    assert found[0][0].note == CLEAN
    assert 1.0 > found[1][1] >= found[2][1]
    assert notebooks.run(lambda: run.similar(1, CLEAN.found_by, 3), recorded=notebooks.events) == found
    assert embedder.texts == 1


def test_a_recall_of_another_version_or_of_tuples_is_no_replay() -> None:
    notebooks = _with_notes()
    recorded = Recalled(path=_RECALL, version=1, ids=())
    for event, said in (
        (replace(recorded, version=0), "expected a recall from version 0, a notebook, got version 1, a notebook"),
        (replace(recorded, batch=2), "expected a recall from version 1, batch memory 2, got version 1, a notebook"),
    ):
        with pytest.raises(ReplayMismatch, match=said):
            notebooks.answer(_WANTED, recorded=[event])


def test_notes_are_embedded_when_they_are_stored_and_the_goal_when_they_are_recalled() -> None:
    notebooks = _with_notes(HashedWords(dimensions=64))
    reply = notebooks.answer(replace(_WANTED, retrieval="embedding"))
    assert [each.note for each in reply.notes] == [CLEAN]
    without = _with_notes()
    with pytest.raises(UsageError, match="retrieval embedding: expected an embedder"):
        without.answer(replace(_WANTED, retrieval="embedding"))


def test_shuffled_notes_are_asked_of_the_store_with_the_seed() -> None:
    notebooks = _with_notes()
    reply = notebooks.answer(replace(_WANTED, control="shuffled", seed=5))
    assert len(reply.notes) == 1
    assert CLEAN not in [each.note for each in reply.notes]
    asked = [each for each in notebooks.asked if isinstance(each, FindNotes)]
    assert [(each.shuffled, each.seed) for each in asked] == [(True, 5)]


def test_random_notes_are_as_long_and_the_same_in_a_replay() -> None:
    notebooks = _with_notes()
    wanted = replace(_WANTED, control="random", seed=5)
    reply = notebooks.answer(wanted)
    (shown,) = (each.note for each in reply.notes)
    for field in ("title", "description", "text"):
        assert len(getattr(shown, field)) == len(getattr(CLEAN, field))
    assert not {*shown.text.split()} & {*CLEAN.text.split()}
    assert notebooks.answer(wanted, recorded=notebooks.events) == reply
    assert notebooks.answer(replace(wanted, seed=6)) != reply


def test_random_texts_depend_on_seed_and_id_and_keep_their_bytes() -> None:
    note = StoredNote(id=1, note=Note(title="é" * 5, text="open the fridge 1 and take the egg"))
    assert random_note(note, 0) == random_note(note, 0)
    assert len({random_note(replace(note, id=number), seed).note.text for number in (1, 2) for seed in (0, 1)}) == 4
    assert len(random_note(note, 0).note.title.encode()) == 10
    stored = StoredTuple(
        id=1,
        tuple=MemoryTuple(
            goal="heat", evaluation="", summary="one", observation="two", action="go", goal_type=1, observation_type=2
        ),
    )
    other = random_tuple(stored, 0).tuple
    assert (other.goal_type, other.observation_type, other.evaluation) == (1, 2, "")
    assert (len(other.action), len(other.observation)) == (2, 3)
    assert other.action != "go"


def test_changes_asked_again_are_there_already() -> None:
    notebooks = Notebooks()
    asked = RememberNotes(version=1, place=3, changes=(AddNote(note=EGG, helpful=1),))
    assert notebooks.answer(asked) == notebooks.answer(asked)
    assert notebooks.store.seal(1).notes == 1
