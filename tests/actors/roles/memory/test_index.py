"""The type of a text: known, named by the model, or not to be read."""

from msgspec.structs import replace

from quintet.messages.memory import Classified, Classify
from tests.actors.roles.memory.memories import RECALL, formed


def test_texts_of_the_memory_have_their_types_and_nobody_is_asked() -> None:
    memories = formed()
    reply = memories.answer(replace(RECALL, goal="cool a pan", observation="a mug on the shelf"))
    assert [each.tuple.action for each in reply.tuples] == ["take mug", "take pan"]
    assert memories.answer(Classify(version=1, batch=1, goal="find a lamp")) == Classified(goal_type=2)
    assert memories.prompts == []


def test_types_that_are_known_are_not_asked_for() -> None:
    memories = formed()
    reply = memories.answer(replace(RECALL, goal_type=1, observation_type=2))
    assert [each.tuple.action for each in reply.tuples] == ["take mug", "take pan"]
    assert memories.prompts == []


def test_an_index_that_cannot_be_read_twice_recalls_nothing_and_says_why() -> None:
    memories = formed("Hm.")
    reply = memories.answer(RECALL)
    assert (reply.tuples, reply.goal_type) == ((), None)
    assert reply.failed == "the model left out the number of a type"
    assert len(memories.prompts) == 2
    assert memories.answer(Classify(version=1, batch=1, goal="cool a cup")) == Classified(goal_type=None)
