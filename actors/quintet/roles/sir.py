"""Summary, flaw identification and plan revision (SIR) of one job, as AutoPlan asks for them."""

from collections.abc import Mapping
from functools import partial
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.messages.reflection import Reflect, Reflected, ReflectionFailed
from quintet.parsing.answers import reason
from quintet.parsing.reflections import Part, read_part, read_parts
from quintet.ports.model import Completion
from quintet.roles.branches import Branch, branches
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import SILENCE, as_messages

_Answers: TypeAlias = dict[Part, tuple[str | None, Completion]]
"""By part, its text, if it was found, and the completion."""


class ReflectOn(Struct, frozen=True, kw_only=True):
    """One part of a reflection."""

    part: Part
    job: Reflect


class SirReflection:
    """Reflects on a job with one model call per part, or two: it asks once more for a missing part.

    By default all parts run in parallel, each after the whole job and without the others' answers. In one conversation
    the model is asked for one part after the other, except for parts that it has answered already.

    Args:
        model: the reflector's.
        prompts: `reflect` says what the job was like, and every prompt begins with it. `reflect.summary` asks for the
            summary, `reflect.flaw` for flaws of plan and actions, and `reflect.revision`, below `reflect.flaw`, for
            what to do instead.

    Source: AutoPlan, section 3.2.2, equations 6 to 8. Differs: the parts are drawn in parallel; the released code's one
    conversation is `Reflect.one_conversation`.
    """

    def __init__(self, model: RoleModel, prompts: Mapping[str, str]) -> None:
        self._model = model
        self._prompts = prompts
        self._sampling = replace(model.sampling, form="reflection")
        self._form = f"\n\n{model.example('reflection')}" if model.structured else ""

    async def reflect(self, request: Reflect) -> Reflected | ReflectionFailed:
        if request.one_conversation:
            return _reflected(await self._in_one_conversation(request))
        return _reflected(await self._in_parallel(request))

    async def _in_parallel(self, request: Reflect) -> _Answers:
        job, end = self._job(request)
        asked: dict[Part, str] = {"summary": self._prompts["reflect.summary"]}
        if request.depth == "full":
            flaw = self._prompts["reflect.flaw"]
            asked |= {"flaws": flaw, "revision": f"{flaw}\n\n{self._prompts['reflect.revision']}"}
        async with branches() as group:
            answers: dict[Part, Branch[tuple[str | None, Completion]]] = {
                part: group.start(self._answer, job.extend(user(f"{end}\n\n{words}")), part, request)
                for part, words in asked.items()
            }
        return {part: answer.result() for part, answer in answers.items()}

    async def _in_one_conversation(self, request: Reflect) -> _Answers:
        job, end = self._job(request)
        further: dict[Part, str] = {"flaws": self._prompts["reflect.flaw"]} if request.depth == "full" else {}
        if further and request.plan:
            further["revision"] = self._prompts["reflect.revision"]
        prompt = job.extend(user(f"{end}\n\n{self._prompts['reflect.summary']}"))
        answers: _Answers = {"summary": await self._answer(prompt, "summary", request)}
        text, completion = answers["summary"]
        for part, words in further.items():
            if not text:
                break
            if said := read_parts(completion.text).get(part):
                answers[part] = said, completion
                continue
            prompt = prompt.extend(assistant(text), user(words))
            answers[part] = text, completion = await self._answer(prompt, part, request)
        return answers

    def _job(self, request: Reflect) -> tuple[Prompt, str]:
        """The job without the world's last words; and these, with how the job ended."""
        followed = f"\n\nThe plan that was followed:\n\n{request.plan}" if request.plan else ""
        opening = user(request.experience.opening or SILENCE)
        *before, last = opening, *(message for turn in request.experience.turns for message in as_messages(turn))
        return Prompt(system(self._prompts["reflect"] + followed), *before), f"{last.content}\n\n{_result(request)}"

    async def _answer(self, prompt: Prompt, part: Part, request: Reflect) -> tuple[str | None, Completion]:
        sampling = self._sampling.overridden(request.sampling)
        words = f"Write the {part} now, in short, and nothing else.{self._form}"
        return await self._model.ask(
            prompt, sampling, partial(_read, part=part), part, words, ReflectOn(part=part, job=request)
        )


def _result(request: Reflect) -> str:
    if request.succeeded:
        return "The job succeeded."
    return f"The job failed: {request.experience.reason}." if request.experience.reason else "The job failed."


def _read(text: str, part: Part) -> str | None:
    return read_part(text, part) or None


def _reflected(answers: Mapping[Part, tuple[str | None, Completion]]) -> Reflected | ReflectionFailed:
    texts = {part: text for part, (text, _) in answers.items() if text}
    if len(texts) == len(answers):
        return Reflected(**texts)
    why_not = [reason(completion.finish, part) for part, (_, completion) in answers.items() if part not in texts]
    return ReflectionFailed(reason=f"the model {' and '.join(why_not)}")
