import pytest

from quintet.messages.prompts import ChatMessage, assistant, system, user
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.base.prompts import Prompts
from quintet.methods.react.react import React
from quintet.models.sim.asked import Asked, asked
from quintet.models.sim.request import understood

WORLDS = pytest.mark.parametrize("world", ["alfworld", "textcraft"])
TASK = user("You are in a room.\n\nGoal: be happy.")
JOB = (system("Look back."), TASK, assistant("Thought: t\nAction: a"), user("It is done.\n\nThe job failed."))


def prompt(world: str, name: str) -> str:
    return Prompts(AutoPlan.prompt_folders, world).text(name)


def wanted(*messages: ChatMessage) -> str | None:
    found = understood(messages)
    return None if found is None else found[0].answer


@WORLDS
def test_a_thought_is_asked_for_after_what_it_is_about(world: str) -> None:
    told = (system(prompt(world, "executor")), TASK, assistant("Action: a"))
    found = understood((*told, user(f"Nothing happens.\n\n{prompt(world, 'thought')}")))
    assert found == (Asked(answer="thought", claims=False), (*told, user("Nothing happens.")))


@WORLDS
def test_a_bare_label_asks_for_the_action_of_the_thought_before_it(world: str) -> None:
    told = (system(prompt(world, "executor")), TASK)
    found = understood((*told, assistant("Thought: I go."), user("Action:")))
    assert found == (Asked(answer="action", thought="I go.", claims=False), told)


@WORLDS
def test_an_action_is_to_be_put_in_other_words(world: str) -> None:
    assert wanted(system(prompt(world, "formalizer")), user("Action: walk")) == "formal"


@WORLDS
def test_a_look_back_asks_for_one_part_at_a_time(world: str) -> None:
    *before, last = JOB
    summary, flaw, revision = (prompt(world, name) for name in ("summary", "flaw", "revision"))
    assert wanted(*before, user(f"{last.content}\n\n{summary}")) == "summary"
    assert wanted(*before, user(f"{last.content}\n\n{flaw}")) == "flaws"
    assert wanted(*before, user(f"{last.content}\n\n{flaw}\n\n{revision}")) == "revision"


@WORLDS
def test_a_look_back_may_be_one_conversation(world: str) -> None:
    *before, last = JOB
    told = (*before, user(f"{last.content}\n\n{prompt(world, 'summary')}"), assistant("There was a flaw."))
    told = (*told, user(prompt(world, "flaw")))
    assert wanted(*told) == "flaws"
    assert wanted(*told, assistant("None."), user(prompt(world, "revision"))) == "revision"


@WORLDS
def test_a_plan_is_to_be_rewritten_whatever_the_lessons_speak_of(world: str) -> None:
    lessons = "Current plan:\n\n1. Rewrite.\n\nJob 1\n\nGoal: x.\n\nResult: The job failed.\n\nFlaws: a thought"
    found = understood((system(prompt(world, "planner")), user(f"{lessons}\n\n{prompt(world, 'update')}")))
    assert found is not None
    assert (found[0].answer, found[1][-1].content) == ("update", lessons)


@WORLDS
@pytest.mark.parametrize("said", ["You think of a flaw.", "Action: go", "It is a summary.", "Could not find revision"])
def test_what_a_world_says_asks_for_nothing(world: str, said: str) -> None:
    instructions = system(Prompts(React.prompt_folders, world).text("execute"))
    told = (instructions, TASK, assistant("Thought: t\nAction: a"), user(said))
    assert understood(told) == (asked(told), told)


@WORLDS
def test_being_told_the_form_of_an_answer_asks_for_no_thought_alone(world: str) -> None:
    said = "Please answer in this form:\n\nThought: what you know\nAction: one action"
    told = (system(Prompts(React.prompt_folders, world).text("execute")), TASK, assistant("Hm."), user(said))
    assert wanted(*told) == "action"
    assert wanted(*told[:-1], user(f"{said}\n\n{prompt(world, 'thought')}")) == "thought"


@WORLDS
def test_other_methods_prompts_are_understood_as_before(world: str) -> None:
    for folders, name in ((React.prompt_folders, "execute"), (Adapt.prompt_folders, "decompose")):
        told = (system(Prompts(folders, world).text(name)), TASK)
        assert understood(told) == (asked(told), told)
