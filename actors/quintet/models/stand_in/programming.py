"""The planner's answers about programs: the way as one, and what the next action needs."""

from quintet.messages.programs import Extract, FailedProgram, WriteProgram
from quintet.models.stand_in.copies import Way
from quintet.models.stand_in.question import AnswerFields, AskedQuestion, left_of
from quintet.roles.turn_text import turns_as_texts

_HEAD = "def solution(agent, start_from=1):\n"
_WHAT_IS_IT = "What is the answer to the task?"


async def write_program(question: AskedQuestion, request: WriteProgram) -> AnswerFields:
    """A step for each action, which must be accepted. An answer to the task is asked for first, and slips there.

    A revised program keeps the steps before the one that failed.
    """
    failed = request.failed
    seen = failed.turns[-1].observation if failed is not None and failed.turns and not failed.anew else request.setting
    way = await question.way(question.begun, seen)
    left = left_of(request.goal, way, way)
    actions = (request.goal,) if left is None else left
    shown = (
        request.setting,
        *(() if failed is None else (failed.program, failed.reason, *turns_as_texts(failed.turns))),
    )
    kept = [each for each in actions if _answer(question, each) or not question.slips_on(each, request.goal, *shown)]
    first = 1 if failed is None else failed.step
    steps = [_step(question, number, action) for number, action in enumerate(kept, first)]
    return {"program": _before(failed) + ("".join(steps) or "    pass\n")}


async def extract(question: AskedQuestion, request: Extract) -> AnswerFields:
    """The answer to the task if it is next to give it, else the next action."""
    way = await question.way(question.begun, request.observation)
    if question.slips.go_wrong(f"extracting: {request.question}", request.goal):
        return {"found": "unknown"}
    answer = question.answer_in(way)
    return {"found": answer or (way.actions or ("nothing",))[0]}


def _before(failed: FailedProgram | None) -> str:
    """The program up to the step that failed, where it is one of this form."""
    if failed is None:
        return _HEAD
    before, failing, _ = failed.program.partition(_begin(failed.step))
    return before if failing and not failed.anew else _HEAD


def _step(question: AskedQuestion, number: int, action: str) -> str:
    lines = [f"seen = agent.act({action!r})", "assert agent.accepted, seen"]
    if answer := _answer(question, action):
        before, _, after = action.rpartition(answer)
        lines[0] = f"seen = agent.act({before!r} + answer + {after!r})"
        lines.insert(0, f"answer = agent.ask({_WHAT_IS_IT!r})")
    return _begin(number) + "".join(f"        {line}\n" for line in lines)


def _answer(question: AskedQuestion, action: str) -> str:
    """The answer that an action gives; empty: none."""
    return question.answer_in(Way((action,))) or ""


def _begin(number: int) -> str:
    return f"    if start_from <= {number}:\n"
