import pytest
from msgspec.structs import replace

from quintet.messages.execution import Turn
from quintet.messages.message import Unanswered
from quintet.messages.reflection import LookBack, LookedBack
from quintet.ports.model import Completion, Sampling, SamplingOverride
from tests.actors.fakes import (
    GOAL,
    REFLECTOR_INSTRUCTIONS,
    SAMPLING,
    SETTING,
    Answering,
    Kitchens,
    Script,
    contents,
    converse,
)

TURNS = (
    Turn(completion="Thought: salt.\nAction: take salt", observation="You take salt."),
    Turn(completion="Action: burn", observation="It is burnt."),
)
REQUEST = LookBack(setting=SETTING, goal=GOAL, turns=TURNS, reason="step limit")
QUESTION = "Write your reflection now: what will you do differently next time?"


def ask(request: LookBack, *texts: str | Completion) -> tuple[LookedBack | Unanswered, Answering]:
    left = [*texts]
    model = Answering(lambda _said: left.pop(0))
    return converse(lambda: Kitchens(Script({}), reflecting=model).ask(request)), model


def test_the_trial_is_shown_with_how_it_ended() -> None:
    reply, model = ask(REQUEST, "Reflection: I will serve.")
    assert reply == LookedBack(reflection="I will serve.")
    assert [contents(prompt) for prompt in model.prompts] == [
        [
            f"system: {REFLECTOR_INSTRUCTIONS}",
            f"user: {SETTING}\n\nGoal: {GOAL}.",
            "assistant: Thought: salt.\nAction: take salt",
            "user: You take salt.",
            "assistant: Action: burn",
            f"user: It is burnt.\n\nThe attempt failed: step limit.\n\n{QUESTION}",
        ]
    ]


def test_without_a_reason_and_turns_it_has_only_failed() -> None:
    _, model = ask(replace(REQUEST, turns=(), reason=""), "I will serve.")
    assert contents(model.prompts[0])[-1].endswith(f"Goal: {GOAL}.\n\nThe attempt failed.\n\n{QUESTION}")


def test_earlier_reflections_are_shown_as_the_executor_sees_them() -> None:
    _, model = ask(replace(REQUEST, earlier=("Buy salt.", "Do not burn.")), "I will serve.")
    learnt = "What was learnt from failed attempts at this task:\n\nBuy salt.\n\nDo not burn."
    assert contents(model.prompts[0])[0] == f"system: {REFLECTOR_INSTRUCTIONS}\n\n{learnt}"


@pytest.mark.parametrize(
    ("lacking", "reminder"),
    [
        ("Thought: salt.\nAction: take salt", "I found no reflection in that."),
        ("Reflection:", "I found no reflection in that."),
        (Completion(text="Reflection: I wi", finish="length"), "Your answer was cut off before its reflection."),
    ],
)
def test_what_is_no_reflection_is_asked_for_once_more_and_then_a_failure(
    lacking: str | Completion, reminder: str
) -> None:
    reply, model = ask(REQUEST, lacking, "Reflection: I will serve.")
    assert reply == LookedBack(reflection="I will serve.")
    form = "Reflection: what you will do differently next time"
    assert contents(model.prompts[1])[-1] == f"user: {reminder} Please answer in this form:\n\n{form}"
    reply, model = ask(REQUEST, lacking, lacking)
    assert isinstance(reply, Unanswered)
    assert len(model.prompts) == 2


def test_it_is_drawn_as_the_request_wants() -> None:
    _, model = ask(replace(REQUEST, sampling=SamplingOverride(temperature=1.0, top_p=0.9)), "I will serve.")
    assert model.samplings == [Sampling(temperature=1.0, top_p=0.9, stop=SAMPLING.stop)]
