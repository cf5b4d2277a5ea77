"""Summary, flaw identification and plan revision (SIR) of one job, as AutoPlan asks for them."""

from typing import TypeAlias

from quintet.messages.message import Unanswered
from quintet.messages.prompts import assistant, user
from quintet.messages.reflection import Reflect, Reflected
from quintet.parsing.reflections import Part, read_parts
from quintet.questions.reflecting import REFLECT, ReflectOn
from quintet.roles.asking import Answered, Asker
from quintet.roles.branches import Branch, branches

_Answers: TypeAlias = dict[Part, str | Unanswered]
"""By part, its text, or why there is none."""


async def reflect(asker: Asker, request: Reflect) -> Reflected | Unanswered:
    """Reflect on a job with one model call per part, or two: a missing part is asked for once more.

    By default all parts run in parallel, each after the whole job and without the others' answers. In one conversation
    the model is asked for one part after the other, except for parts that it has answered already.

    Source: AutoPlan, section 3.2.2, equations 6 to 8. Differs: the parts are drawn in parallel; the released code's one
    conversation is `Reflect.one_conversation`.
    """
    answers = await (_in_one_conversation if request.one_conversation else _in_parallel)(asker, request)
    lacking = {part: answer for part, answer in answers.items() if isinstance(answer, Unanswered)}
    if lacking:
        why_not = " and ".join(answer.reason.removeprefix("the model ") for answer in lacking.values())
        return Unanswered(reason=f"the model {why_not}")
    return Reflected(**{part: text for part, text in answers.items() if isinstance(text, str)})


async def _in_parallel(asker: Asker, request: Reflect) -> _Answers:
    parts: tuple[Part, ...] = ("summary", "flaws", "revision") if request.depth == "full" else ("summary",)
    async with branches() as group:
        begun: dict[Part, Branch[Answered[str]]] = {
            part: group.start(asker.ask, REFLECT, ReflectOn(part=part, job=request)) for part in parts
        }
    return {part: branch.result().found for part, branch in begun.items()}


async def _in_one_conversation(asker: Asker, request: Reflect) -> _Answers:
    further: tuple[Part, ...] = ("flaws", "revision") if request.plan else ("flaws",)
    about = ReflectOn(part="summary", job=request)
    prompt = asker.show(REFLECT, about)
    last = await asker.ask(REFLECT, about, prompt)
    answers: _Answers = {"summary": last.found}
    for part in further if request.depth == "full" else ():
        if isinstance(last.found, Unanswered):
            break
        if said := read_parts(last.completion.text).get(part):
            answers[part] = said
            continue
        about = ReflectOn(part=part, job=request)
        prompt = prompt.extend(assistant(last.found), user(REFLECT.asked(about, asker.prompts)))
        last = await asker.ask(REFLECT, about, prompt)
        answers[part] = last.found
    return answers
