from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from quintet.messages.execution import Turn
from quintet.messages.message import Unanswered
from quintet.messages.parts import Reflections
from quintet.messages.reflection import Choose, Chosen, Value, Valued
from quintet.ports.model import Completion, Finish, Sampling, SamplingOverride
from tests.actors.fakes import (
    CHOICE_INSTRUCTIONS,
    GOAL,
    SAMPLING,
    SETTING,
    VALUE_INSTRUCTIONS,
    Answering,
    Kitchens,
    Script,
    contents,
    converse,
)

SALT = Turn(completion="Thought: salt.\nAction: take salt", observation="You take salt.")
BURN = Turn(completion="Action: burn", observation="It is burnt.")
VALUE = Value(setting=SETTING, goal=GOAL, turns=(SALT, BURN))
CHOOSE = Choose(setting=SETTING, goal=GOAL, options=((SALT, BURN), (), (SALT,)))
TASK = f"user: {SETTING}\n\nGoal: {GOAL}."
MARK = "How promising is this? Give your mark, from 1 to 10."


def answers(*texts: str | Completion) -> Callable[[list[str]], str | Completion]:
    left = [*texts]
    return lambda _said: left.pop(0)


def ask(
    request: Value | Choose, answer: Callable[[list[str]], str | Completion], *, structured: bool = False
) -> tuple[Valued | Unanswered | Chosen | Unanswered, Answering]:
    model = Answering(answer)
    roles = Kitchens(Script({}), reflecting=model, structured=structured)

    async def asked() -> Valued | Unanswered | Chosen | Unanswered:
        match request:  # one ask for each kind, since the reply's type follows from it
            case Value():
                return await roles.ask(request)
            case Choose():
                return await roles.ask(request)

    return converse(asked), model


def test_the_mark_is_asked_for_after_the_turns_and_scaled() -> None:
    reply, model = ask(VALUE, answers("Mark: 7"))
    assert reply == Valued(value=6 / 9)
    assert [contents(prompt) for prompt in model.prompts] == [
        [
            f"system: {VALUE_INSTRUCTIONS}",
            TASK,
            "assistant: Thought: salt.\nAction: take salt",
            "user: You take salt.",
            "assistant: Action: burn",
            f"user: It is burnt.\n\n{MARK}",
        ]
    ]


def test_the_state_at_the_start_has_a_mark_too() -> None:
    reply, model = ask(replace(VALUE, turns=()), answers("Mark: 1"))
    assert reply == Valued(value=0.0)
    assert contents(model.prompts[0]) == [f"system: {VALUE_INSTRUCTIONS}", f"{TASK}\n\n{MARK}"]


def test_reflections_are_shown_before_the_task() -> None:
    _, model = ask(replace(VALUE, parts=(Reflections(texts=("Buy salt.", "Serve.")),)), answers("Mark: 1"))
    learnt = "What was learnt from failed attempts at this task:\n\nBuy salt.\n\nServe."
    assert contents(model.prompts[0])[0] == f"system: {VALUE_INSTRUCTIONS}\n\n{learnt}"


def test_what_the_states_of_a_tree_have_in_common_is_built_and_kept_once() -> None:
    model = Answering(lambda _said: "Mark: 5")
    roles = Kitchens(Script({}), reflecting=model)

    async def asked() -> None:
        for last in (BURN, SALT):
            await roles.ask(replace(VALUE, turns=(SALT, SALT, last)))

    converse(asked)
    one, other = (prompt.parent for prompt in model.prompts)
    assert one is other
    assert one is not None
    assert len(one.messages()) == 6


@given(st.lists(st.sampled_from(["Mark: 1", "Mark: 4", "Mark: 10/10", "Mark: 80%", "Hm."]), min_size=1, max_size=5))
def test_the_value_is_the_mean_of_the_readable_samples(texts: list[str]) -> None:
    marks = {"Mark: 1": 1, "Mark: 4": 4, "Mark: 10/10": 10}
    left = [*texts]

    def answer(said: list[str]) -> str:
        return "Hm." if said[-1].startswith("user: I found no") else left.pop()

    reply, _ = ask(replace(VALUE, samples=len(texts)), answer)
    read = [marks[text] for text in texts if text in marks]
    if read:
        assert isinstance(reply, Valued)
        assert reply.value == pytest.approx((sum(read) / len(read) - 1) / 9)
        assert 0 <= reply.value <= 1
    else:
        assert reply == Unanswered(reason="the model left out the mark from 1 to 10")


@pytest.mark.parametrize(
    ("lacking", "reminder"),
    [
        ("It is good.", "I found no mark from 1 to 10 in that."),
        ("Mark: 11", "I found no mark from 1 to 10 in that."),
        ("<think>Mark: 7</think>Mark: 80%", "I found no mark from 1 to 10 in that."),
        (Completion(text="Mark: 1", finish="length"), "Your answer was cut off before its mark from 1 to 10."),
    ],
)
def test_an_unreadable_or_cut_off_mark_is_asked_for_once_more(lacking: str | Completion, reminder: str) -> None:
    reply, model = ask(VALUE, answers(lacking, "Mark: 10"))
    assert reply == Valued(value=1.0)
    first, again = map(contents, model.prompts)
    assert again[: len(first)] == first
    assert "<think>" not in again[-2]
    assert again[-1].startswith(f"user: {reminder} Please answer in this form:\n\n")


@pytest.mark.parametrize("finish", ["refusal", "content_filter", "empty", "context_full"])
def test_where_there_is_no_answer_none_is_asked_for_again(finish: Finish) -> None:
    for request, failed in ((VALUE, Unanswered), (CHOOSE, Unanswered)):
        reply, model = ask(request, answers(Completion(text="Mark: 7\nChoice: 1", finish=finish)))
        assert isinstance(reply, failed)
        assert len(model.prompts) == 1


def test_options_stand_side_by_side_as_text() -> None:
    reply, model = ask(CHOOSE, answers("Choice: 3"))
    assert reply == Chosen(number=3, votes=(0, 0, 1))
    taken = "Thought: salt.\nAction: take salt\nObservation: You take salt."
    assert [contents(prompt) for prompt in model.prompts] == [
        [
            f"system: {CHOICE_INSTRUCTIONS}",
            f"{TASK}\n\nOption 1:\n\n{taken}\n\nAction: burn\nObservation: It is burnt.\n\nOption 2:\n\n(nothing)"
            f"\n\nOption 3:\n\n{taken}\n\nWhich option is best? Give your choice from 1 to 3.",
        ]
    ]


def test_the_last_observation_of_an_option_that_has_ended_is_not_shown() -> None:
    _, model = ask(replace(CHOOSE, ended=(1, 2)), answers("Choice: 3"))
    shown = contents(model.prompts[0])[-1]
    assert "Action: burn\n\nOption 2:" in shown
    assert "It is burnt." not in shown
    assert shown.count("Observation: You take salt.") == 2


@pytest.mark.parametrize(
    ("texts", "number", "votes"),
    [
        (("Choice: 2", "Choice: 3", "Choice: 3"), 3, (0, 1, 2)),
        (("Choice: 3", "Choice: 2"), 2, (0, 1, 1)),
    ],
)
def test_the_option_with_most_votes_is_chosen_and_of_several_the_first(
    texts: Sequence[str], number: int, votes: tuple[int, ...]
) -> None:
    reply, _ = ask(replace(CHOOSE, samples=len(texts)), answers(*texts))
    assert reply == Chosen(number=number, votes=votes)


def test_a_choice_that_is_none_of_the_options_is_asked_for_once_more_and_then_a_failure() -> None:
    reply, model = ask(CHOOSE, answers("Choice: 4", "Choice: 2"))
    assert reply == Chosen(number=2, votes=(0, 1, 0))
    assert contents(model.prompts[1])[-1].startswith("user: I found no choice from 1 to 3 in that. ")
    assert ask(CHOOSE, answers("Choice: 4", "Choice: 0"))[0] == Unanswered(
        reason="the model left out the choice from 1 to 3"
    )


def test_answers_as_json_are_read_alike() -> None:
    assert ask(VALUE, answers('{"reason": "salt", "mark": 4}'), structured=True)[0] == Valued(value=3 / 9)
    reply, _ = ask(CHOOSE, answers('{"reason": "salt", "choice": 2}'), structured=True)
    assert reply == Chosen(number=2, votes=(0, 1, 0))


def test_samples_are_drawn_as_the_request_wants() -> None:
    override = SamplingOverride(temperature=1.0, top_p=0.9)
    _, model = ask(replace(VALUE, samples=2, sampling=override), answers("Mark: 1", "Mark: 2"))
    assert model.samplings == [Sampling(temperature=1.0, top_p=0.9, stop=SAMPLING.stop)] * 2
    _, model = ask(VALUE, answers("Mark: 1"))
    assert model.samplings == [SAMPLING]
