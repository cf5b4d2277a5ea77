import pytest
from msgspec.structs import replace

from quintet.messages.message import Unanswered
from quintet.messages.parts import Inventory
from quintet.messages.reflection import Align, Aligned
from quintet.ports.model import Completion
from tests.actors.fakes import (
    ALIGN_INSTRUCTIONS,
    GOAL,
    SAMPLING,
    SETTING,
    Answering,
    Kitchens,
    Script,
    contents,
    converse,
)

REQUEST = Align(
    setting=SETTING, goal=GOAL, steps=("take salt", "serve"), current=1, action="take salt", before=SETTING, after=""
)
TAKEN = "The action is to take salt, and salt was taken."


def ask(request: Align, *texts: str | Completion, structured: bool = False) -> tuple[Aligned | Unanswered, Answering]:
    left = [*texts]
    model = Answering(lambda _said: left.pop(0))
    roles = Kitchens(Script({}), reflecting=model, structured=structured)
    return converse(lambda: roles.ask(request)), model


def test_one_prompt_asks_what_the_action_did_and_whether_it_serves_the_step() -> None:
    reply, model = ask(REQUEST, f"{TAKEN}\nYES")
    assert reply == Aligned(description=TAKEN, aligned=True)
    assert [contents(prompt) for prompt in model.prompts] == [
        [
            f"system: {ALIGN_INSTRUCTIONS}",
            f"user: {SETTING}\n\nThe plan for this task:\n1. take salt\n2. serve\n\nThe step to do now: 1. take salt"
            f"\n\nGoal: {GOAL}.\n\nBefore the action:\n{SETTING}\n\nThe action: take salt\n\nAfter the action:\n"
            "(nothing)\n\nWhat is the action about, and does it serve the step to do now? "
            'Begin with "The action is to", and end with YES or NO.',
        ]
    ]


def test_what_the_task_was_given_is_shown_as_well() -> None:
    _, model = ask(replace(REQUEST, parts=(Inventory(text="You carry: pepper"),)), f"{TAKEN}\nYES")
    assert contents(model.prompts[0])[1].startswith(f"user: {SETTING}\n\nYou carry: pepper\n\nThe plan for this task:")


@pytest.mark.parametrize(
    ("lacking", "reminder"),
    [
        (TAKEN, "I found no YES or NO in that."),
        ("YES or NO", "I found no YES or NO in that."),
        (Completion(text=f"{TAKEN}\nYES", finish="length"), "Your answer was cut off before its YES or NO."),
    ],
)
def test_an_answer_without_yes_or_no_is_asked_for_once_more_and_then_a_failure(
    lacking: str | Completion, reminder: str
) -> None:
    reply, model = ask(REQUEST, lacking, f"{TAKEN}\nNO")
    assert reply == Aligned(description=TAKEN, aligned=False)
    assert contents(model.prompts[1])[-1].startswith(
        f"user: {reminder} Does the action serve the step? Please answer in this form:\n\nThe action is to"
    )
    assert isinstance(ask(REQUEST, lacking, lacking)[0], Unanswered)


def test_a_failure_keeps_the_description() -> None:
    assert ask(REQUEST, TAKEN, "Hm.")[0] == Unanswered(reason="the model left out the YES or NO", said=TAKEN)


def test_a_second_answer_may_leave_out_what_the_first_said_and_the_action_describes_itself() -> None:
    assert ask(REQUEST, TAKEN, "YES")[0] == Aligned(description=TAKEN, aligned=True)
    assert ask(REQUEST, "NO")[0] == Aligned(description="The action is to take salt", aligned=False)


def test_an_answer_as_json_is_read_alike_and_drawn_as_the_role_is() -> None:
    answer = f'{{"description": "{TAKEN}", "aligned": false}}'
    reply, model = ask(REQUEST, answer, structured=True)
    assert reply == Aligned(description=TAKEN, aligned=False)
    assert model.samplings == [replace(SAMPLING, form="alignment")]
