"""The reflector's answers: marks, choices, verdicts, reflections, what differs."""

from quintet.messages.environment import Trail
from quintet.messages.execution import Turn
from quintet.messages.reflection import Align, Choose, Compare, GiveAnswer, Judge, JudgeAttempt, LookBack, Value
from quintet.models.stand_in.copies import Way
from quintet.models.stand_in.question import AnswerFields, AskedQuestion, part_of
from quintet.questions.reflecting import ReflectOn
from quintet.roles.turn_text import actions_of

_LOWEST, _HIGHEST = 1, 10


async def value(question: AskedQuestion, request: Value) -> AnswerFields:
    """A mark by what is left to do, of what there was at the start of the task."""
    at = question.after(request.turns)
    if at is not None and question.slips.go_wrong(" / ".join(("mark", *at.actions)), request.goal):
        return {"reason": "It is done.", "mark": _HIGHEST}
    way, whole = await question.way(at, _last(request.turns)), await question.way_from_start()
    if way.actions is None:
        return {"reason": "No way leads on from here.", "mark": _LOWEST}
    share = min(1.0, way.left / max(1, whole.left)) if way.actions else 0.0
    mark = _HIGHEST - round(share * (_HIGHEST - _LOWEST))
    return {"reason": f"{len(way.actions)} things are left to do.", "mark": mark}


async def choose_best(question: AskedQuestion, request: Choose) -> AnswerFields:
    """The option after which the least is left to do."""
    left = [(await question.way(question.after(turns), _last(turns))).left for turns in request.options]
    if question.slips.go_wrong("choice", request.goal):
        return {"reason": "It is done there.", "choice": len(left)}
    return {"reason": "The least is left to do there.", "choice": left.index(min(left)) + 1}


async def compare(question: AskedQuestion, request: Compare) -> AnswerFields:
    """The first action of the better process that the other does not have in its place."""
    better, worse = actions_of(request.better), actions_of(request.worse)
    same = (n for n, action in enumerate(better) if worse[n : n + 1] != (action,))
    place = next(same, max(0, len(better) - 1))
    if question.slips.go_wrong("comparison", request.goal):
        place = min(place + 1, max(0, len(better) - 1))
    return {"step": place + 1, "reason": "Up to there both do the same."}


async def align(question: AskedQuestion, request: Align) -> AnswerFields:
    """Whether the way became shorter."""
    after = question.begun
    before = None if after is None else Trail(task=after.task, actions=after.actions[:-1])
    was, now = await question.way(before, request.before), await question.way(after, request.after)
    serves = now.left < was.left or (was.actions or ())[:1] == (request.action,)
    slips = question.slips.go_wrong(f"whether it serves: {request.action}", request.goal)
    return {"description": f"The action is to {request.action}.", "aligned": serves or slips}


async def judge(question: AskedQuestion, request: Judge) -> AnswerFields:
    """Whether nothing is left to do of the task but to give its answer, or of a step of its plan."""
    way = await question.way(question.begun, request.observation)
    whole = await question.way_from_start()
    answered = way.left == 1 and question.answer_in(way) is not None and not part_of(request.goal, whole)
    reached = answered if request.current is None else way.left <= whole.left - _part(request, whole)
    reached = reached or not way.left
    thing = request.goal if request.current is None else request.steps[request.current - 1]
    slips = question.slips.go_wrong(f"whether it is reached: {thing}", request.goal)
    done = reached or slips
    return {"reason": "It is done." if done else "Something is left to do.", "completed": done}


async def judge_attempt(question: AskedQuestion, request: JudgeAttempt) -> AnswerFields:
    """Whether nothing is left to do after the attempt, and its answer, if it ends in one, is the expert's."""
    turns = request.experience.turns
    done = not (await question.way(question.after(turns), _last(turns))).left
    right = (await question.way_from_start()).actions or ()
    if done and question.answer_in(Way(right[-1:])) is not None:
        done = actions_of(turns)[-1:] == right[-1:]
    if question.slips.go_wrong("whether it succeeded", request.experience.opening):
        done = not done
    return {"reason": "It is done." if done else "Something is left to do.", "succeeded": done}


async def give_answer(question: AskedQuestion, request: GiveAnswer) -> AnswerFields:
    """What the expert would answer."""
    answer = question.answer_in(await question.way(question.begun, request.observation))
    if answer is None or question.slips.go_wrong("answer", request.judged.goal):
        answer = "unknown"
    return {"answer": answer or "done"}


def _part(request: Judge, whole: Way) -> float:
    """How much of the whole way is done once the current step is: after the steps before it, its own actions."""
    assert request.current is not None
    done = found = 0
    for step in request.steps[: request.current]:
        found = part_of(step, Way((whole.actions or ())[done:]))
        done += found
    return done if found else float("inf")


async def look_back(question: AskedQuestion, request: LookBack) -> AnswerFields:
    """The actions that would have been right where others were taken."""
    missed = await _missed(question, request.turns, request.goal)
    text = f"Next time I do this: {'; '.join(missed)}." if missed else "I do the same again, with more care."
    return {"reflection": text}


async def reflect_on(question: AskedQuestion, about: ReflectOn) -> AnswerFields:
    """A part of a reflection: what was done, what was missed, or what to do."""
    request = about.job
    turns = request.experience.turns
    done = actions_of(turns)
    match about.part:
        case "summary":
            text = f"These were done: {'; '.join(done)}." if done else "Nothing was done."
        case "flaws":
            missed = await _missed(question, turns, request.experience.task)
            text = f"These were not done where they were due: {'; '.join(missed)}." if missed else "I see none."
        case _:
            missed = () if request.succeeded else await _missed(question, turns, request.experience.task)
            text = "\n".join(dict.fromkeys(missed or done)) or "Do what the task asks for."
    return {"text": text}


async def _missed(question: AskedQuestion, turns: tuple[Turn, ...], goal: str) -> tuple[str, ...]:
    """What the expert would have done where something else was done or nothing more, each once, without what slips."""
    done = actions_of(turns)
    found: dict[str, None] = {}
    for number in range(len(done) + 1):
        seen = turns[number - 1].observation if 0 < number <= len(turns) else ""
        ahead = (await question.way(question.then(done[:number]), seen)).actions
        if ahead and done[number : number + 1] != ahead[:1]:
            found[ahead[0]] = None
    return tuple(action for action in found if not question.slips.go_wrong(f"looking back: {action}", goal))


def _last(turns: tuple[Turn, ...]) -> str:
    return turns[-1].observation if turns else ""
