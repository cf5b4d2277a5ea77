"""The executor's and the planner's answers: actions, thoughts, subtasks, steps, a plan for all tasks of a kind."""

from collections.abc import Sequence

from quintet.messages.execution import Decide, Retarget
from quintet.messages.planning import Decompose, MakePlan, RevisePlan
from quintet.models.stand_in.copies import Way
from quintet.models.stand_in.question import AnswerFields, AskedQuestion, left_of
from quintet.questions.acting import ActionToRewrite
from quintet.roles.recollection import seen_now, situation_of

_REACHED, _NO_WAY = "task completed", "task failed"
_MOST_SUBTASKS = 4
_MOST_LINES = 40
"""Of a plan for all tasks."""


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


async def keep_action(_question: AskedQuestion, request: ActionToRewrite) -> AnswerFields:
    """The same action."""
    return {"action": request.action}


async def retarget(question: AskedQuestion, request: Retarget) -> AnswerFields:
    """What the expert does now, in place of what was chosen elsewhere."""
    way = await question.way(question.begun, request.now)
    return {"new_action": (way.actions or (request.action,))[0]}


async def _actions(question: AskedQuestion, request: Decide) -> Sequence[str]:
    """The answer, and what comes next best."""
    seen = seen_now(request.setting, request.history, situation_of(request.parts))
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


async def decompose(question: AskedQuestion, request: Decompose) -> AnswerFields:
    """At most four subtasks, each of which names its actions."""
    actions = await _planned(question, request)
    size = -(-len(actions) // _MOST_SUBTASKS) or 1
    parts = [actions[at : at + size] for at in range(0, len(actions), size)]
    steps = [", then ".join(part) for part in parts] or [request.goal]
    joined = " AND ".join(f"Step {number}" for number in range(1, len(steps) + 1))
    return {"thought": "", "steps": tuple(steps), "order": f"({joined})"}


async def make_plan(question: AskedQuestion, request: MakePlan) -> AnswerFields:
    """A step for each action but the answer, which is asked for apart."""
    steps = [action for action in await _planned(question, request) if question.answer_in(Way((action,))) is None]
    return {"steps": tuple(steps) or (request.goal,)}


async def revise_plan(question: AskedQuestion, request: RevisePlan) -> AnswerFields:
    """The plan so far, with the lines that lessons add to it."""
    lessons = (lesson.revision or lesson.summary for lesson in request.lessons)
    lines = dict.fromkeys(line.strip() for text in (request.plan, *lessons) for line in text.splitlines())
    kept = [line for line in lines if line and (line in request.plan or not question.slips.go_wrong(line, ""))]
    return {"plan": "\n".join(kept[:_MOST_LINES]) or "Do what the task asks for."}


async def _planned(question: AskedQuestion, request: Decompose | MakePlan) -> list[str]:
    """The actions to the goal, without those that slip."""
    way = await question.way(question.begun, request.setting)
    left = left_of(request.goal, way, way) or ()
    shown = (request.setting, *request.failed)
    return [action for action in left if not question.slips_on(action, request.goal, *shown)]
