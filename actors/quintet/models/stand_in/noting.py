"""The reflector's notes: what was done where that was right, what would have been right, what attempts share."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from quintet.messages.noting import WriteNotes
from quintet.models.stand_in.question import AnswerFields, AskedQuestion
from quintet.models.stand_in.reflecting import missed_actions
from quintet.models.stand_in.slips import thing_of
from quintet.roles.turn_text import actions_of


async def write_notes(question: AskedQuestion, request: WriteNotes) -> AnswerFields:
    """One note that names actions, in their order, without what slips."""
    attempts = [actions_of(each.turns) for each in request.attempts]
    task = request.attempts[0].task
    right: Iterable[str]
    match request.of:
        case "success":
            title, right = "What was right", attempts[0]
        case "failure" | "contrast":
            each = [await missed_actions(question, attempt.turns, task) for attempt in request.attempts]
            title, right = "What would have been right", [action for actions in each for action in actions]
            if request.of == "contrast" and not right:
                title, right = "What was right", attempts[0]
        case "workflows":
            title, right = "What such tasks share", _abstracted(attempts)
        case _:
            assert_never(request.of)
    named = [action for action in dict.fromkeys(right) if not question.slips.go_wrong(f"noting: {action}", task)]
    note = {"title": title, "description": "Actions, in their order.", "content": "\n".join(named)}
    return {"notes": (note,) if named else ()}


def _abstracted(attempts: Sequence[Sequence[str]]) -> list[str]:
    """The actions of the shortest attempt without numbers; what no other attempt names is a variable."""
    first, *others = sorted(([thing_of(action) for action in each] for each in attempts), key=len)
    shared = {word for each in others or [first] for action in each for word in action.split()}
    names: dict[str, str] = {}

    def said(word: str) -> str:
        return word if word in shared else names.setdefault(word, f"{{x{len(names) + 1}}}")

    return [" ".join(map(said, action.split())) for action in first]
