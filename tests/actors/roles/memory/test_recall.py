"""What is recalled about a state, and in a replay."""

import pytest
from msgspec.structs import replace

from quintet.errors import ReplayMismatch
from quintet.events import Recalled
from quintet.messages.paths import child
from quintet.messages.store import FetchTuples
from tests.actors.roles.memory.memories import PATH, RECALL, REMEMBER, Memories, answering, formed


def test_tuples_of_the_types_that_the_model_names_are_recalled() -> None:
    memories = formed("[1]: why")
    reply = memories.answer(RECALL)
    assert (reply.goal_type, reply.observation_type) == (1, 1)
    assert [each.tuple.action for each in reply.tuples] == ["go to shelf", "go to stove"]
    goal, seen = memories.prompts
    assert goal[1] == (
        "user: Types:\n\n[1] cooling\n- cool a mug\n- cool a pan\n\n[2] finding\n- find a lamp\n\nNew goal: cool a cup"
    )
    assert seen[1] == (
        "user: Goal: cool a cup.\n\nTypes:\n\n[1] rooms\n- a kitchen\n\n"
        "[2] things\n- a mug on the shelf\n- a pan on the stove\n\nNew observation: a cup on the table"
    )
    ids = tuple(each.id for each in reply.tuples)
    recalled = Recalled(path=child(child(PATH, 1), 1), version=1, batch=1, ids=ids, goal_type=1, observation_type=1)
    assert [event for event in memories.events if isinstance(event, Recalled)] == [recalled]


def test_a_replay_fetches_the_same_tuples_and_asks_no_model() -> None:
    memories = formed("[1]: why")
    reply = memories.answer(RECALL)
    memories.model.prompts.clear()
    memories.store.asked.clear()
    assert memories.answer(RECALL, recorded=memories.events) == reply
    assert memories.prompts == []
    assert memories.store.asked == [FetchTuples(ids=tuple(each.id for each in reply.tuples))]


def test_a_replay_with_another_version_or_batch_memory_is_refused() -> None:
    memories = formed("[1]: why")
    memories.answer(RECALL)
    for other in (replace(RECALL, version=2), replace(RECALL, batch=2)):
        with pytest.raises(ReplayMismatch, match="expected a recall from version 1, batch memory 1, got version"):
            memories.answer(other, recorded=memories.events)


def test_an_empty_memory_recalls_nothing_without_a_question() -> None:
    memories = Memories(answering())
    reply = memories.answer(RECALL)
    assert (reply.tuples, reply.failed) == ((), "")
    assert memories.prompts == []


def test_a_version_is_recalled_as_it_was() -> None:
    memories = formed("[1]: why")
    memories.answer(REMEMBER)
    assert len(memories.answer(RECALL).tuples) == 2
    assert len(memories.answer(replace(RECALL, version=2)).tuples) == 4
