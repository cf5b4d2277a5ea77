"""Histories in short, from the past alone."""

import pytest

from quintet.messages.memory import ObservedAction, Summarize, Summarized
from quintet.roles.memory.summaries import NOT_ASKED
from quintet.roles.turn_text import NOTHING_DONE
from tests.actors.roles.memory.memories import EVALUATION, PROMPTS, SUMMARY, Memories, answering, kind


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
