from pathlib import Path
from typing import Any

import pytest

import quintet.roles
from quintet.messages.prompts import ChatMessage, assistant, system, user
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.base.method import Method
from quintet.methods.base.prompts import Prompts
from quintet.methods.react.react import React
from quintet.methods.search.search import Search
from quintet.models.sim.requests import AnswerRequest, prescribed_request, recognize
from quintet.plugins.prompts import find_prompts
from quintet.questions.shape import with_form
from tests.actors.models.sim.advocate import advocate_prompts

WORLDS = pytest.mark.parametrize("world", ["alfworld", "textcraft", "hotpotqa", "webshop"])
METHODS: tuple[tuple[type[Method[Any]], str], ...] = ((React, "execute"), (Adapt, "decompose"), (Search, "decide"))
TASK = user("You are in a room.\n\nGoal: be happy.")
JOB = (system("Look back."), TASK, assistant("Thought: t\nAction: a"), user("It is done.\n\nThe job failed."))


def prompt(world: str, name: str) -> str:
    return find_prompts(AutoPlan, world).text(name)


def wanted(*messages: ChatMessage) -> str | None:
    found = recognize(messages)
    return None if found is None else found[0].kind


@WORLDS
def test_a_thought_is_asked_for_after_what_it_is_about(world: str) -> None:
    messages = (system(prompt(world, "execute")), TASK, assistant("Action: a"))
    found = recognize((*messages, user(f"Nothing happens.\n\n{prompt(world, 'execute.thought')}")))
    assert found == (AnswerRequest(kind="thought", claims=False), (*messages, user("Nothing happens.")))


@WORLDS
def test_a_bare_label_asks_for_the_action_of_the_thought_before_it(world: str) -> None:
    messages = (system(prompt(world, "execute")), TASK)
    found = recognize((*messages, assistant("Thought: I go."), user("Action:")))
    assert found == (AnswerRequest(kind="action", thought="I go.", claims=False), messages)


TRIED = "Tried at this point already:\n- look\n- go to desk 1\nChoose another action than these."


@WORLDS
@pytest.mark.parametrize("structured", [(), ("decide",)], ids=["text", "json"])
def test_several_actions_with_confidences_are_asked_for_in_the_last_message(
    world: str, structured: tuple[str, ...]
) -> None:
    prompts = find_prompts(Search, world, structured=structured)
    asked = prompts.text("decide.candidates").replace("{n}", "4")
    messages = (system(prompts.text("decide")), TASK, assistant("Action: a"))
    found = recognize((*messages, user(f"Nothing happens.\n\n{TRIED}\n\n{asked}")))
    assert found is not None
    request, rest = found
    assert request.kind == "action"
    assert request.candidates == 4
    assert request.instead_of == {"look", "go to desk 1"}
    assert rest == (*messages, user("Nothing happens."))


@WORLDS
def test_what_was_tried_is_taken_off_the_conversation(world: str) -> None:
    instructions = system(find_prompts(Search, world).text("decide"))
    found = recognize((instructions, user(f"{TASK.content}\n\n{TRIED}")))
    tried = frozenset({"look", "go to desk 1"})
    assert found == (AnswerRequest("action", aloud=True, instead_of=tried), (instructions, TASK))
    thinking = system(prompt(world, "execute"))
    after = recognize((thinking, user(f"{TASK.content}\n\n{TRIED}"), assistant("Thought: I go."), user("Action:")))
    expected = AnswerRequest("action", thought="I go.", claims=False, instead_of=tried)
    assert after == (expected, (thinking, TASK))


@WORLDS
def test_an_action_is_to_be_put_in_other_words(world: str) -> None:
    assert wanted(system(prompt(world, "execute.formalizer")), user("Action: walk")) == "formal"


@WORLDS
def test_a_look_back_asks_for_one_part_at_a_time(world: str) -> None:
    *before, last = JOB
    summary, flaw, revision = (prompt(world, f"reflect.{name}") for name in ("summary", "flaw", "revision"))
    assert wanted(*before, user(f"{last.content}\n\n{summary}")) == "summary"
    assert wanted(*before, user(f"{last.content}\n\n{flaw}")) == "flaws"
    assert wanted(*before, user(f"{last.content}\n\n{flaw}\n\n{revision}")) == "revision"


@WORLDS
def test_a_look_back_may_be_one_conversation(world: str) -> None:
    *before, last = JOB
    messages = (*before, user(f"{last.content}\n\n{prompt(world, 'reflect.summary')}"), assistant("There was a flaw."))
    messages = (*messages, user(prompt(world, "reflect.flaw")))
    assert wanted(*messages) == "flaws"
    assert wanted(*messages, assistant("None."), user(prompt(world, "reflect.revision"))) == "revision"


@WORLDS
def test_a_plan_is_to_be_rewritten_whatever_the_lessons_speak_of(world: str) -> None:
    lessons = "Current plan:\n\n1. Rewrite.\n\nJob 1\n\nGoal: x.\n\nResult: The job failed.\n\nFlaws: a thought"
    found = recognize(
        (system(prompt(world, "revise_plan")), user(f"{lessons}\n\n{prompt(world, 'revise_plan.update')}"))
    )
    assert found is not None
    assert (found[0].kind, found[1][-1].content) == ("update", lessons)


@WORLDS
@pytest.mark.parametrize("said", ["You think of a flaw.", "Action: go", "It is a summary.", "Could not find revision"])
def test_what_a_world_says_asks_for_nothing(world: str, said: str) -> None:
    instructions = system(find_prompts(React, world).text("execute"))
    messages = (instructions, TASK, assistant("Thought: t\nAction: a"), user(said))
    assert recognize(messages) == (prescribed_request(messages), messages)


@WORLDS
def test_stating_the_form_of_an_answer_does_not_ask_for_a_thought_alone(world: str) -> None:
    said = "Please answer in this form:\n\nThought: what you know\nAction: one action"
    messages = (system(find_prompts(React, world).text("execute")), TASK, assistant("Hm."), user(said))
    assert wanted(*messages) == "action"
    assert wanted(*messages[:-1], user(f"{said}\n\n{prompt(world, 'execute.thought')}")) == "thought"


@WORLDS
def test_other_methods_prompts_are_understood_as_before(world: str) -> None:
    for method, name in METHODS:
        messages = (system(find_prompts(method, world).text(name)), TASK)
        assert recognize(messages) == (prescribed_request(messages), messages)


def test_the_executors_own_prompts_ask_for_a_thought_and_an_action() -> None:
    prompts = Prompts(React.prompt_folders, "textcraft")
    text = prompts.text("execute") + "\n\n" + prompts.text("demonstrations")
    assert prescribed_request((system(text), user("Goal: craft beehive."))) == AnswerRequest(
        kind="action", aloud=True, ordered=False
    )


def test_the_planners_own_prompt_asks_for_a_plan_with_its_order() -> None:
    text = Prompts(Adapt.prompt_folders, "textcraft").text("decompose")
    wanted = prescribed_request((system(text), user("Goal: craft beehive.")))
    assert wanted is not None
    assert (wanted.kind, wanted.ordered) == ("plan", True)


def test_a_thought_is_written_only_where_it_is_asked_for() -> None:
    assert prescribed_request((system("Answer `Action: ...`, nothing else."),)) == AnswerRequest(
        kind="action", aloud=False, ordered=False
    )


def test_a_plan_may_be_wanted_without_an_order() -> None:
    assert prescribed_request((system("Step 1: ...\nStep 2: ..."),)) == AnswerRequest(
        kind="plan", aloud=False, ordered=False
    )


def test_instructions_may_stand_in_the_users_first_message() -> None:
    assert prescribed_request((user("Write `Action: ...`\n\nGoal: craft beehive."),)) is not None


def test_what_is_said_in_the_conversation_does_not_change_the_form() -> None:
    plan = "Step 1: a\nStep 2: b\nStep 3: c"
    conversation = (system("Answer `Action: ...`"), user("Goal: x."), assistant(plan), user(plan))
    wanted = prescribed_request(conversation)
    assert wanted is not None
    assert wanted.kind == "action"


def test_the_form_that_is_used_most_wins() -> None:
    plan = prescribed_request((system("Think of an Action: no. Write\nStep 1: ...\nExecution Order: (Step 1)"),))
    assert plan is not None
    assert plan.kind == "plan"


def test_instructions_without_a_form_ask_for_nothing() -> None:
    assert prescribed_request((system("You are a poet."), user("Write about a step."))) is None
    assert prescribed_request(()) is None


MEMORY = Path(next(iter(quintet.roles.__path__))) / "memory" / "prompts"
MEMORY_REQUESTS = {
    "summarize.evaluation": "evaluation",
    "summarize": "past",
    "form": "clusters",
    "form.observations": "clusters",
    "classify": "index",
    "recall": "index",
}


@pytest.mark.parametrize("structured", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("name", MEMORY_REQUESTS)
def test_requests_of_a_memory_are_known_by_their_forms(name: str, structured: bool) -> None:
    text = with_form((MEMORY / f"{name}.txt").read_text(encoding="utf-8"), structured=structured)
    assert wanted(system(text), TASK) == MEMORY_REQUESTS[name]


@pytest.mark.parametrize("structured", [False, True], ids=["text", "json"])
def test_a_comparison_is_known_by_its_form(structured: bool) -> None:
    text = with_form("Find it.\n{form comparison}\n3: why\n{end}", structured=structured)
    assert wanted(system(text), TASK) == "comparison"


def test_the_question_at_the_end_is_taken_off() -> None:
    for name, question in (("summarize", "Write the summary now."), ("summarize.evaluation", "Which subgoals are it?")):
        text = with_form((MEMORY / f"{name}.txt").read_text(encoding="utf-8"), structured=False)
        found = recognize((system(text), TASK, assistant("Action: a"), user(f"It is done.\n\n{question}")))
        assert found is not None
        assert found[1] == (system(text), TASK, assistant("Action: a"), user("It is done."))


@pytest.mark.parametrize("structured", [(), ("execute", "decide", "decompose")], ids=["text", "json"])
@WORLDS
def test_no_other_prompt_is_taken_for_a_request_of_a_memory(world: str, structured: tuple[str, ...]) -> None:
    """Even with a plan or an example that shows such lines."""
    shown = "A plan for tasks of this kind:\n\nSummary: do it\nsubgoal 1: find it - complete\n[2]: go\n3: take it"
    kinds = {"execute": "action", "decide": "action", "decompose": "plan"}
    for method, name in METHODS:
        text = find_prompts(method, world, structured=structured).text(name)
        assert wanted(system(f"{text}\n\n{shown}"), TASK) == kinds[name]


@WORLDS
@pytest.mark.parametrize("structured", [(), ("value", "choose")], ids=["text", "json"])
def test_verdicts_are_known_by_their_forms(world: str, structured: tuple[str, ...]) -> None:
    prompts = find_prompts(Search, world, structured=structured)
    assert wanted(system(prompts.text("value")), TASK) == "mark"
    assert wanted(system(prompts.text("choose")), TASK) == "choice"


STEP_REQUESTS = {
    "make_plan": "steps",
    "align": "alignment",
    "judge": "verdict",
    "judge.step": "verdict",
    "condense": "condensed",
    "retarget": "retargeted",
    "decide": "action",
}


@WORLDS
@pytest.mark.parametrize("structured", [(), tuple(STEP_REQUESTS)], ids=["text", "json"])
@pytest.mark.parametrize("name", STEP_REQUESTS)
def test_requests_about_a_plan_for_one_task_are_known_by_their_forms(
    world: str, name: str, structured: tuple[str, ...]
) -> None:
    assert wanted(system(advocate_prompts(world, structured).text(name)), TASK) == STEP_REQUESTS[name]
