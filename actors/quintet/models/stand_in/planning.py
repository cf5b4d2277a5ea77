"""The planner's answers: subtasks, the steps of a task, a plan for all tasks of a kind."""

from quintet.messages.planning import Decompose, MakePlan, RevisePlan
from quintet.models.stand_in.question import AnswerFields, AskedQuestion, left_of

_MOST_SUBTASKS = 4
_MOST_LINES = 40
"""Of a plan for all tasks."""


async def decompose(question: AskedQuestion, request: Decompose) -> AnswerFields:
    """At most four subtasks, each of which names its actions."""
    actions = await _planned(question, request)
    size = -(-len(actions) // _MOST_SUBTASKS) or 1
    parts = [actions[at : at + size] for at in range(0, len(actions), size)]
    steps = [", then ".join(part) for part in parts] or [request.goal]
    joined = " AND ".join(f"Step {number}" for number in range(1, len(steps) + 1))
    return {"steps": tuple(steps), "order": f"({joined})"}


async def make_plan(question: AskedQuestion, request: MakePlan) -> AnswerFields:
    """A step for each action."""
    return {"steps": tuple(await _planned(question, request)) or (request.goal,)}


def revise_plan(question: AskedQuestion, request: RevisePlan) -> AnswerFields:
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
