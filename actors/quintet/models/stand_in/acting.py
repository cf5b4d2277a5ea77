"""The executor's answers: the next action, several with confidences, a thought, an action in other words."""

from collections.abc import Sequence

from quintet.messages.execution import Decide, Retarget
from quintet.messages.parts import Situation
from quintet.models.stand_in.question import AnswerFields, AskedQuestion, left_of

_REACHED, _NO_WAY = "task completed", "task failed"


async def decide_turn(question: AskedQuestion, request: Decide) -> AnswerFields:
    """The next action, in the form that is asked for."""
    match question.asked.question:
        case "candidates":
            return _weighed((await _actions(question, request))[: request.n])
        case "thought":
            return {"thought": _thought((await _actions(question, request))[0])}
        case "action":
            return {"action": (await _actions(question, request))[0]}
        case _:
            action = (await _actions(question, request))[0]
            return {"thought": _thought(action), "action": action}


async def retarget(question: AskedQuestion, request: Retarget) -> AnswerFields:
    """What the expert does now, in place of what was chosen elsewhere."""
    way = await question.way(question.begun, request.now)
    return {"new_action": (way.actions or (request.action,))[0]}


async def _actions(question: AskedQuestion, request: Decide) -> Sequence[str]:
    """The answer, and what comes next best."""
    seen = _seen(request)
    begun = await question.way(question.begun, seen)
    now = await question.way(question.after(request.history), seen)
    left = left_of(request.goal, begun, now)
    if left is None:
        return (_NO_WAY,)
    ahead = (*left, _REACHED)
    if left and question.slips_on(left[0], request.goal, request.setting, seen):
        ahead = (*ahead[1:], ahead[0])
    untried = [action for action in dict.fromkeys(ahead) if action not in request.instead_of]
    return untried or ahead


def _seen(request: Decide) -> str:
    situation = next((part for part in request.parts if isinstance(part, Situation)), None)
    if situation is not None:
        return situation.observation
    return request.history[-1].observation if request.history else request.setting


def _thought(action: str) -> str:
    match action:
        case "task completed":
            return "Everything that was asked for is done."
        case "task failed":
            return "I know no way to do this."
        case _:
            return f"The next thing to do is: {action}."


def _weighed(actions: Sequence[str]) -> AnswerFields:
    """Each half as likely as the one before it."""
    weights = [0.5**place for place in range(len(actions))]
    return {
        "candidates": tuple(
            {"action": action, "confidence": round(weight / sum(weights), 2)}
            for action, weight in zip(actions, weights, strict=True)
        )
    }
