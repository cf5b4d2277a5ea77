"""A process is remembered from its key step on."""

from msgspec.structs import replace

from quintet.messages.memory import Remembered
from tests.actors.roles.memory.memories import REMEMBER, Memories, answering, formed, kind


def test_a_process_is_remembered_from_its_key_step_on_with_the_whole_past() -> None:
    memories = formed("[1]: why")
    assert memories.answer(REMEMBER) == Remembered(tuples=2)
    new = [row.tuple for row in memories.store.of(2, 1) if row.id >> 48 == 2]
    assert [(each.observation, each.action, each.goal_type, each.observation_type) for each in new] == [
        ("a cup", "take cup", 1, 1),
        ("a cup", "cool cup", 1, 1),
    ]
    indices = [prompt for prompt in memories.prompts if kind(prompt) == "[2]:"]
    assert len(indices) == 2  # one for the goal, one for both equal observations
    assert any("assistant: Action: look" in prompt for prompt in memories.prompts)


def test_tuples_without_a_type_are_in_the_smallest() -> None:
    memories = formed("Hm.")
    assert memories.answer(REMEMBER) == Remembered(tuples=2, unreadable=1)
    new = [row.tuple for row in memories.store.of(2, 1) if row.id >> 48 == 2]
    assert {each.goal_type for each in new} == {2}  # of one tuple, beside one of four


def test_a_batch_memory_that_was_empty_gets_its_first_types() -> None:
    memories = Memories(answering())
    assert memories.answer(REMEMBER) == Remembered(tuples=2)
    assert memories.store.names == {(1, None, 1): "all goals", (1, 1, 1): "all observations"}
    assert memories.answer(replace(REMEMBER, place=1)) == Remembered(tuples=2)
