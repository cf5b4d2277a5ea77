from collections.abc import Callable

import pytest
from msgspec.structs import replace

from quintet.messages.execution import Turn
from quintet.messages.learning import Experience
from quintet.messages.message import Unanswered
from quintet.messages.reflection import Reflect, Reflected
from quintet.ports.model import Completion, Finish, Sampling, SamplingOverride
from tests.actors.fakes import (
    FLAW,
    REFLECTOR_INSTRUCTIONS,
    REVISION,
    SAMPLING,
    SUMMARY,
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
EXPERIENCE = Experience(task="supper", opening="Please serve supper.", turns=TURNS, reason="out of steps")
REQUEST = Reflect(experience=EXPERIENCE, plan="1. Burn.", succeeded=False)
JOB = [
    f"system: {REFLECTOR_INSTRUCTIONS}\n\nThe plan that was followed:\n\n1. Burn.",
    "user: Please serve supper.",
    "assistant: Thought: salt.\nAction: take salt",
    "user: You take salt.",
    "assistant: Action: burn",
]
END = "user: It is burnt.\n\nThe job failed: out of steps."


def answer(said: list[str]) -> str:
    """By what was asked last."""
    asked = said[-1]
    if asked.endswith(SUMMARY):
        return "Summary: It was burnt."
    return "Flaws: Burning." if asked.endswith(FLAW) else "Suggested revision: Serve."


def wanted(said: list[str]) -> str:
    """What was asked for, at first or once more."""
    return said[-3] if said[-1].startswith(("user: I found no ", "user: Your answer was cut off")) else said[-1]


def reflect(
    request: Reflect, answered: Callable[[list[str]], str | Completion] = answer
) -> tuple[Reflected | Unanswered, Answering]:
    model = Answering(answered)
    roles = Kitchens(Script({}), reflecting=model)
    return converse(lambda: roles.ask(request)), model


def test_summary_flaws_and_revision_are_asked_for_apart_each_after_the_job_as_it_went() -> None:
    reply, model = reflect(REQUEST)
    assert reply == Reflected(summary="It was burnt.", flaws="Burning.", revision="Serve.")
    assert [contents(prompt) for prompt in model.prompts] == [
        [*JOB, f"{END}\n\n{SUMMARY}"],
        [*JOB, f"{END}\n\n{FLAW}"],
        [*JOB, f"{END}\n\n{FLAW}\n\n{REVISION}"],
    ]


def test_what_the_parts_have_in_common_is_kept_once() -> None:
    _, model = reflect(REQUEST)
    assert len({prompt.node.parent for prompt in model.prompts}) == 1
    assert [len(prompt.node.appended) for prompt in model.prompts] == [1, 1, 1]


def test_in_one_conversation_each_part_follows_the_answer_to_the_one_before() -> None:
    reply, model = reflect(replace(REQUEST, one_conversation=True))
    assert reply == Reflected(summary="It was burnt.", flaws="Burning.", revision="Serve.")
    first = [*JOB, f"{END}\n\n{SUMMARY}"]
    second = [*first, "assistant: It was burnt.", f"user: {FLAW}"]
    third = [*second, "assistant: Burning.", f"user: {REVISION}"]
    assert [contents(prompt) for prompt in model.prompts] == [first, second, third]


def test_without_a_plan_there_is_none_to_show_and_in_one_conversation_none_to_revise() -> None:
    apart, model = reflect(replace(REQUEST, plan=""))
    assert apart == Reflected(summary="It was burnt.", flaws="Burning.", revision="Serve.")
    assert contents(model.prompts[0])[0] == f"system: {REFLECTOR_INSTRUCTIONS}"
    one_conversation, model = reflect(replace(REQUEST, plan="", one_conversation=True))
    assert one_conversation == Reflected(summary="It was burnt.", flaws="Burning.")
    assert len(model.prompts) == 2


@pytest.mark.parametrize("one_conversation", [False, True])
def test_the_summary_alone_is_one_call(one_conversation: bool) -> None:
    reply, model = reflect(replace(REQUEST, depth="summary", one_conversation=one_conversation))
    assert reply == Reflected(summary="It was burnt.")
    assert [contents(prompt) for prompt in model.prompts] == [[*JOB, f"{END}\n\n{SUMMARY}"]]


def test_a_job_that_succeeded_is_said_to_have() -> None:
    _, model = reflect(replace(REQUEST, succeeded=True))
    assert contents(model.prompts[0])[-1] == f"user: It is burnt.\n\nThe job succeeded.\n\n{SUMMARY}"


def test_of_a_job_in_which_nothing_was_done_the_opening_is_all_there_is() -> None:
    _, model = reflect(replace(REQUEST, experience=replace(EXPERIENCE, turns=(), reason="")))
    assert contents(model.prompts[0])[1:] == [f"user: Please serve supper.\n\nThe job failed.\n\n{SUMMARY}"]
    _, model = reflect(replace(REQUEST, experience=Experience(task="supper", opening="", turns=())))
    assert contents(model.prompts[0])[1:] == [f"user: (nothing)\n\nThe job failed.\n\n{SUMMARY}"]


def test_nothing_that_was_said_is_sent_empty() -> None:
    _, model = reflect(
        replace(REQUEST, experience=replace(EXPERIENCE, turns=(Turn(completion="", observation=""), *TURNS)))
    )
    assert contents(model.prompts[0])[2:4] == ["assistant: (nothing)", "user: (nothing)"]


@pytest.mark.parametrize("one_conversation", [False, True])
@pytest.mark.parametrize(("part", "asked"), [("summary", SUMMARY), ("flaws", FLAW), ("revision", REVISION)])
@pytest.mark.parametrize(
    ("finish", "reason", "asked_again"),
    [
        ("stop", "left out the {}", 1),
        ("length", "was cut off before the {} was whole", 1),
        ("content_filter", "was stopped by a content filter at the {}", 0),
    ],
)
def test_a_part_that_is_left_out_or_cut_off_is_no_reflection(
    part: str, asked: str, one_conversation: bool, finish: Finish, reason: str, asked_again: int
) -> None:
    def lacking(said: list[str]) -> Completion:
        if not wanted(said).endswith(asked):
            return Completion(text=answer([wanted(said)]))
        return Completion(text=" " if finish == "stop" else answer([wanted(said)]), finish=finish)

    failed, model = reflect(replace(REQUEST, one_conversation=one_conversation), lacking)
    assert failed == Unanswered(reason=f"the model {reason.format(part)}")
    doubts = ("user: I found no ", "user: Your answer was cut off")
    assert sum(contents(prompt)[-1].startswith(doubts) for prompt in model.prompts) == asked_again
    if one_conversation:
        assert wanted(contents(model.prompts[-1])).endswith(asked)


@pytest.mark.parametrize("one_conversation", [False, True])
@pytest.mark.parametrize(
    ("lacking", "reminder"),
    [
        (Completion(text="<think>Hm.</think>"), "I found no summary in that. "),
        (Completion(text="Summary: It was bur", finish="length"), "Your answer was cut off before its summary. "),
    ],
)
def test_a_missing_part_is_asked_for_once_more(lacking: Completion, reminder: str, one_conversation: bool) -> None:
    def late(said: list[str]) -> str | Completion:
        return lacking if said[-1].endswith(SUMMARY) else answer([wanted(said)])

    reply, model = reflect(replace(REQUEST, one_conversation=one_conversation), late)
    assert reply == Reflected(summary="It was burnt.", flaws="Burning.", revision="Serve.")
    (again,) = (said for prompt in model.prompts if (said := contents(prompt))[-1].startswith(f"user: {reminder}"))
    assert "<think>" not in again[-2]


def test_where_answers_are_json_the_form_is_shown_with_what_is_asked_for_once_more() -> None:
    model = Answering(lambda _said: "")
    converse(lambda: Kitchens(Script({}), reflecting=model, answers="schema").ask(REQUEST))
    again = [said for prompt in model.prompts if "and nothing else." in (said := contents(prompt)[-1])]
    assert len(again) == 3
    assert all(said.endswith('\n\n{"text":"what was asked for, in short"}') for said in again)


def test_flaws_that_come_with_a_revision_are_left_out_of_it() -> None:
    def both(said: list[str]) -> str:
        return "Flaws: Burning.\n\nRevision:\nServe." if said[-1].endswith(REVISION) else answer(said)

    reply, _ = reflect(REQUEST, both)
    assert reply == Reflected(summary="It was burnt.", flaws="Burning.", revision="Serve.")


def test_in_one_conversation_what_was_answered_already_is_not_asked_for() -> None:
    everything = "Summary: It was burnt.\nFlaws: Burning.\nSuggested revision: Serve."
    reply, model = reflect(replace(REQUEST, one_conversation=True), lambda _said: everything)
    assert reply == Reflected(summary="It was burnt.", flaws="Burning.", revision="Serve.")
    assert len(model.prompts) == 1


def test_all_parts_that_were_left_out_are_named() -> None:
    failed, _ = reflect(REQUEST, lambda _said: "<think>Hm.</think>")
    said = "the model left out the summary and left out the flaws and left out the revision"
    assert failed == Unanswered(reason=said)


@pytest.mark.parametrize(
    ("override", "sampling"),
    [
        (None, SAMPLING),
        (SamplingOverride(temperature=1.0, top_p=0.9), Sampling(temperature=1.0, top_p=0.9, stop=SAMPLING.stop)),
    ],
)
@pytest.mark.parametrize("one_conversation", [False, True])
def test_every_part_is_drawn_as_the_request_wants(
    override: SamplingOverride | None, sampling: Sampling, one_conversation: bool
) -> None:
    _, model = reflect(replace(REQUEST, sampling=override, one_conversation=one_conversation))
    assert model.samplings == [sampling] * 3
