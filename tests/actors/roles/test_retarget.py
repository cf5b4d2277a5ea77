from quintet.messages.execution import Retarget, Retargeted
from quintet.messages.message import Unanswered
from tests.actors.fakes import RETARGET_INSTRUCTIONS, Answering, Kitchens, contents, converse

REQUEST = Retarget(action="take salt 1", seen="There is salt 1.", now="There is salt 4.")


def ask(*texts: str, structured: bool = False) -> tuple[Retargeted | Unanswered, Answering]:
    left = [*texts]
    model = Answering(lambda _said: left.pop(0))
    roles = Kitchens(model, structured=structured)
    return converse(lambda: roles.ask(REQUEST)), model


def test_the_action_is_asked_for_with_what_was_seen_then_and_now() -> None:
    reply, model = ask("New action is: take salt 4")
    assert reply == Retargeted(action="take salt 4")
    assert contents(model.prompts[0]) == [
        f"system: {RETARGET_INSTRUCTIONS}",
        "user: What was seen then:\nThere is salt 1.\n\nThe action that was chosen then: take salt 1\n\n"
        "What is seen now:\nThere is salt 4.\n\nWhich action does the same now?",
    ]


def test_an_answer_without_an_action_is_asked_for_once_more_and_then_a_failure() -> None:
    reply, model = ask("I do not know.", "New action is: take salt 4")
    assert reply == Retargeted(action="take salt 4")
    assert contents(model.prompts[1])[-1] == (
        "user: I found no action in that. Please answer in this form:\n\nNew action is: one action"
    )
    assert ask("", "New action is: task failed")[0] == Unanswered(reason="the model left out the action")


def test_an_action_as_json_is_read_alike() -> None:
    assert ask('{"new_action": "take salt 4"}', structured=True)[0] == Retargeted(action="take salt 4")
