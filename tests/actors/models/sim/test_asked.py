from quintet.messages.prompts import assistant, system, user
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.base.prompts import Prompts
from quintet.methods.react.react import React
from quintet.models.sim.asked import Asked, asked


def test_the_executors_own_prompts_ask_for_a_thought_and_an_action() -> None:
    prompts = Prompts(React.prompt_folders, "textcraft")
    text = prompts.text("execute") + "\n\n" + prompts.text("demonstrations")
    assert asked((system(text), user("Goal: craft beehive."))) == Asked(answer="action", aloud=True, ordered=False)


def test_the_planners_own_prompt_asks_for_a_plan_with_its_order() -> None:
    text = Prompts(Adapt.prompt_folders, "textcraft").text("decompose")
    wanted = asked((system(text), user("Goal: craft beehive.")))
    assert wanted is not None
    assert (wanted.answer, wanted.ordered) == ("plan", True)


def test_a_thought_is_written_only_where_it_is_asked_for() -> None:
    assert asked((system("Answer `Action: ...`, nothing else."),)) == Asked(answer="action", aloud=False, ordered=False)


def test_a_plan_may_be_wanted_without_an_order() -> None:
    assert asked((system("Step 1: ...\nStep 2: ..."),)) == Asked(answer="plan", aloud=False, ordered=False)


def test_instructions_may_stand_in_the_users_first_message() -> None:
    assert asked((user("Write `Action: ...`\n\nGoal: craft beehive."),)) is not None


def test_what_is_said_in_the_conversation_does_not_change_the_form() -> None:
    plan = "Step 1: a\nStep 2: b\nStep 3: c"
    conversation = (system("Answer `Action: ...`"), user("Goal: x."), assistant(plan), user(plan))
    wanted = asked(conversation)
    assert wanted is not None
    assert wanted.answer == "action"


def test_the_form_that_is_used_most_wins() -> None:
    plan = asked((system("Think of an Action: no. Write\nStep 1: ...\nExecution Order: (Step 1)"),))
    assert plan is not None
    assert plan.answer == "plan"


def test_instructions_without_a_form_ask_for_nothing() -> None:
    assert asked((system("You are a poet."), user("Write about a step."))) is None
    assert asked(()) is None
