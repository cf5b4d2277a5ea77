"""A batch memory is formed: its tuples, whatever arrives first."""

from random import Random

from msgspec.structs import replace

from quintet.messages.memory import Formed
from quintet.roles.turn_text import NOTHING_DONE
from tests.actors.roles.memory.memories import EVALUATION, FORM, GOALS, PAN, SEEN, SUMMARY, Memories, answering


def test_a_batch_memory_has_every_step_with_its_history_and_its_types() -> None:
    memories = Memories(answering(GOALS, SEEN))
    reply = memories.answer(FORM)
    assert reply == Formed(tuples=5, goal_types=2, observation_types=3)
    stored = memories.store.of(1, 1)
    assert [row.id - (1 << 48) for row in stored] == [4 << 16, 4 << 16 | 1, 5 << 16, 5 << 16 | 1, 6 << 16]
    assert [(row.tuple.goal_type, row.tuple.observation_type) for row in stored] == [
        (1, 1),
        (1, 2),
        (1, 1),
        (1, 2),
        (2, 1),
    ]
    first, second = stored[0].tuple, stored[3].tuple
    assert (first.goal, first.observation, first.action, first.summary) == (
        "cool a mug",
        "a kitchen",
        "go to shelf",
        NOTHING_DONE,
    )
    assert (second.evaluation, second.summary, second.reward, second.source) == (EVALUATION, SUMMARY, 0.5, PAN.source)
    assert memories.store.names == {
        (1, None, 1): "cooling",
        (1, None, 2): "finding",
        (1, 1, 1): "rooms",
        (1, 1, 2): "things",
        (1, 2, 1): "a bedroom",
    }


def test_what_is_stored_is_the_same_whatever_arrives_first() -> None:
    stored: list[object] = []
    arrived: list[object] = []
    for seed in range(6):
        memories = Memories(answering(GOALS, SEEN), delays=Random(seed))
        memories.answer(FORM)
        stored.append((memories.store.rows, memories.store.names))
        arrived.append(memories.prompts)
    assert all(each == stored[0] for each in stored)
    assert any(each != arrived[0] for each in arrived)


def test_without_trajectories_nothing_is_stored() -> None:
    memories = Memories(answering())
    assert memories.answer(replace(FORM, trajectories=())) == Formed(tuples=0, goal_types=0, observation_types=0)
    assert memories.prompts == []
