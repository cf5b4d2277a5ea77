from quintet.messages.message import Unanswered
from quintet.messages.reflection import Condense, Condensed
from quintet.ports.model import Completion
from tests.actors.fakes import CONDENSE_INSTRUCTIONS, GOAL, Answering, Kitchens, Script, contents, converse

REQUEST = Condense(goal=GOAL, observation="You see salt, and a long wall.\n")


def ask(*texts: str | Completion, structured: bool = False) -> tuple[Condensed | Unanswered, Answering]:
    left = [*texts]
    model = Answering(lambda _said: left.pop(0))
    roles = Kitchens(Script({}), reflecting=model, structured=structured)
    return converse(lambda: roles.ask(REQUEST)), model


def test_what_is_seen_is_described_in_short() -> None:
    reply, model = ask("Short description: There is salt.")
    assert reply == Condensed(text="There is salt.")
    assert contents(model.prompts[0]) == [
        f"system: {CONDENSE_INSTRUCTIONS}",
        f"user: Goal: {GOAL}.\n\nWhat is seen:\nYou see salt, and a long wall.\n\nDescribe this in short.",
    ]


def test_an_empty_or_unfinished_description_is_asked_for_once_more_and_then_a_failure() -> None:
    reply, model = ask(Completion(text="Short description: There is", finish="length"), "There is salt.")
    assert reply == Condensed(text="There is salt.")
    assert contents(model.prompts[1])[-1].endswith("form:\n\nShort description: what is seen, in short")
    assert ask("Short description:", "")[0] == Unanswered(reason="the model left out the short description")


def test_a_description_as_json_is_read_alike() -> None:
    assert ask('{"short_description": "There is salt."}', structured=True)[0] == Condensed(text="There is salt.")
