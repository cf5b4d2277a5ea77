import pytest

from quintet.messages.execution import Turn
from quintet.messages.message import Unanswered
from quintet.messages.reflection import Compare, Compared
from quintet.ports.model import Completion, SamplingOverride
from quintet.roles.role_model import RoleModel
from tests.actors.asking import start_reflector
from tests.actors.fakes import SAMPLING, Answering, converse

BETTER = (
    Turn(completion="Action: wait", observation="It is late."),
    Turn(completion="Action: serve", observation=""),
)
WORSE = (
    Turn(completion="Action: wait", observation="It is late."),
    Turn(completion="Action: burn", observation="Ash."),
)


def compared(
    *answers: str | Completion,
    worse: tuple[Turn, ...] = WORSE,
    structured: bool = False,
    sampling: SamplingOverride | None = None,
) -> tuple[Answering, Compared | Unanswered]:
    left = list(answers)
    model = Answering(lambda _said: left.pop(0))
    actor = start_reflector(RoleModel(model, SAMPLING, structured=structured), {"compare": "Compare the two."})
    request = Compare(goal="serve supper", better=BETTER, worse=worse, sampling=sampling)
    answer = converse(lambda: actor.receive(request))
    assert isinstance(answer, Compared | Unanswered)
    return model, answer


def test_both_processes_are_shown_as_numbered_steps_and_nothing_of_their_rewards() -> None:
    model, answer = compared("2: supper is served there, not burnt")
    assert answer == Compared(step=2)
    ((instructions, material),) = ([message.content for message in prompt.messages()] for prompt in model.prompts)
    assert instructions == "Compare the two."
    assert material == (
        "Goal: serve supper.\n\n"
        "Process 1 (the better one):\n\n"
        "1. Action: wait\nObservation: It is late.\n\n"
        "2. Action: serve\nObservation: (nothing)\n\n"
        "Process 2:\n\n"
        "1. Action: wait\nObservation: It is late.\n\n"
        "2. Action: burn\nObservation: Ash.\n\n"
        "In which step of process 1 do the two first differ?"
    )


def test_a_process_without_a_turn_is_shown_too() -> None:
    model, answer = compared("1: it acts at all", worse=())
    assert answer == Compared(step=1)
    assert "Process 2:\n\n(nothing)" in model.prompts[0].messages()[1].content


@pytest.mark.parametrize("said", ["I cannot say.", "3: beyond the end", "0: before the first"])
def test_it_is_asked_once_more_and_then_it_has_failed(said: str) -> None:
    model, answer = compared(said, "2: now I see")
    assert (answer, len(model.prompts)) == (Compared(step=2), 2)
    model, answer = compared(said, said)
    assert isinstance(answer, Unanswered)
    assert "step of process 1" in answer.reason


def test_a_structured_answer_is_read_too_and_the_sampling_is_the_requests() -> None:
    override = SamplingOverride(temperature=0.3, top_p=0.5)
    model, answer = compared('{"reason": "served", "step": 2}', structured=True, sampling=override)
    assert answer == Compared(step=2)
    (sampling,) = model.samplings
    assert (sampling.form, sampling.temperature, sampling.top_p) == ("comparison", 0.3, 0.5)
