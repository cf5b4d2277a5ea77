"""A batch memory: formed, typed, enhanced from key steps on, in short, and recalled."""

from random import Random

import pytest
from msgspec.structs import replace

from quintet.errors import ReplayMismatch
from quintet.events import Recalled
from quintet.messages.memory import Classified, Classify, Formed, ObservedAction, Remembered, Summarize, Summarized
from quintet.messages.paths import child
from quintet.messages.store import FetchTuples
from quintet.roles.memory.summaries import NOT_ASKED
from quintet.roles.turn_text import NOTHING_DONE
from tests.actors.roles.memory.memories import (
    EVALUATION,
    FORM,
    GOALS,
    PAN,
    PATH,
    PROMPTS,
    RECALL,
    REMEMBER,
    SEEN,
    SUMMARY,
    Memories,
    answering,
    formed,
    kind,
)


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


def test_types_that_are_known_and_those_of_the_memory_s_own_texts_are_not_asked_for() -> None:
    memories = formed()
    texts = replace(RECALL, goal="cool a pan", observation="a mug on the shelf")
    for known in (texts, replace(RECALL, goal_type=1, observation_type=2)):
        assert [each.tuple.action for each in memories.answer(known).tuples] == ["take mug", "take pan"]
    assert memories.answer(Classify(version=1, batch=1, goal="find a lamp")) == Classified(goal_type=2)
    assert memories.prompts == []


def test_an_index_that_cannot_be_read_twice_recalls_nothing_and_says_why() -> None:
    memories = formed("Hm.")
    reply = memories.answer(RECALL)
    assert (reply.tuples, reply.goal_type) == ((), None)
    assert reply.failed == "the model left out the number of a type"
    assert len(memories.prompts) == 2
    assert memories.answer(Classify(version=1, batch=1, goal="cool a cup")) == Classified(goal_type=None)


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


def test_a_step_is_summarized_from_the_past_alone() -> None:
    memories = Memories(answering())
    steps = (ObservedAction(observation="a kitchen", action="look"), ObservedAction(observation="a shelf", action="go"))
    reply = memories.answer(Summarize(goal="cool a mug", steps=steps, observation="a mug"))
    assert reply == Summarized(evaluation=EVALUATION, summary=SUMMARY)
    said = sorted(prompt[1:] for prompt in memories.prompts)
    past = [
        "user: a kitchen\n\nGoal: cool a mug.",
        "assistant: Action: look",
        "user: a shelf",
        "assistant: Action: go",
    ]
    assert said == [
        [*past, "user: a mug\n\nWhich subgoals are complete now?"],
        [*past, "user: a mug\n\nWrite the summary now."],
    ]


def test_without_a_past_only_the_evaluation_is_asked_for() -> None:
    memories = Memories(answering())
    assert memories.answer(Summarize(goal="cool a mug", observation="a kitchen")) == Summarized(
        evaluation=EVALUATION, summary=NOTHING_DONE
    )
    assert len(memories.prompts) == 1


def test_an_evaluation_that_a_world_leaves_out_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROMPTS, "summarize.evaluation", f"{NOT_ASKED}\n")
    steps = (ObservedAction(observation="a kitchen", action="look"),)
    memories = Memories(answering())
    reply = memories.answer(Summarize(goal="cool a mug", steps=steps, observation="a mug"))
    assert (reply, len(memories.prompts)) == (Summarized(evaluation="", summary=SUMMARY), 1)


def test_what_the_model_does_not_write_is_empty() -> None:
    steps = (ObservedAction(observation="a kitchen", action="look"),)
    memories = Memories(lambda _said: "Thought: hm.\nAction: look")
    reply = memories.answer(Summarize(goal="cool a mug", steps=steps, observation="a mug"))
    assert reply == Summarized(evaluation="", summary="")
    assert len(memories.prompts) == 4  # each is asked for once more


def test_answers_may_be_json() -> None:
    json = {
        "subgoal 1:": '{"subgoals": [{"goal": "find it", "complete": false}]}',
        "Summary:": '{"summary": "Nothing yet."}',
    }
    memories = Memories(lambda said: json[kind(said)], structured=True)
    steps = (ObservedAction(observation="a kitchen", action="look"),)
    reply = memories.answer(Summarize(goal="cool a mug", steps=steps, observation="a mug"))
    assert reply == Summarized(evaluation=EVALUATION, summary=SUMMARY)
    assert {sampling.form for sampling in memories.model.samplings} == {"evaluation", "summary"}
