"""The reflector role: asks a model for the summary of a job, its flaws, and what to do instead."""

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from msgspec.structs import replace

from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.messages.reflection import Reflect, Reflected, ReflectionFailed, ReflectorRequest
from quintet.parsing.answers import has_text, missing_answer, reason
from quintet.parsing.reflections import Part, read_part, read_parts
from quintet.ports.model import Completion
from quintet.roles.branches import Branch, branches
from quintet.roles.role import ActorParts, Role
from quintet.roles.role_model import RoleModel, once_more
from quintet.roles.turn_text import SILENCE, as_messages

_Answers: TypeAlias = dict[Part, tuple[str, Completion]]
"""By part, its text, which may be empty, and the completion."""


class Reflector:
    """Reflects on a job with one model call per part, or two: it asks once more for a missing part.

    By default all parts run in parallel, each after the whole job and without the others' answers. In one conversation
    the model is asked for one part after the other, except for parts that it has answered already.

    Keeps nothing between requests; `deploy/` decides where it runs.

    Args:
        model: may be another one than the executor's.
        prompts: `reflect` says what the job was like, and every prompt begins with it. `reflect.summary` asks for the
            summary, `reflect.flaw` for flaws of plan and actions, and `reflect.revision`, below `reflect.flaw`, for
            what to do instead.

    Source: AutoPlan, section 3.2.2, equations 6 to 8. Differs: the parts are drawn in parallel; the released code's one
    conversation is `Reflect.one_conversation`.
    """

    def __init__(self, model: RoleModel, prompts: Mapping[str, str]) -> None:
        self._model = model
        self._instructions = prompts["reflect"]
        self._summary = prompts["reflect.summary"]
        self._flaw = prompts["reflect.flaw"]
        self._revision = prompts["reflect.revision"]
        self._sampling = replace(model.sampling, form="reflection")
        self._form = f"\n\n{model.example('reflection')}" if model.structured else ""

    async def receive(self, request: ReflectorRequest) -> Reflected | ReflectionFailed:
        match request:
            case Reflect(one_conversation=True):
                return _reflected(await self._in_one_conversation(request))
            case Reflect():
                return _reflected(await self._in_parallel(request))
            case _:
                assert_never(request)

    async def _in_parallel(self, request: Reflect) -> _Answers:
        job, end = self._job(request)
        asked: dict[Part, str] = {"summary": self._summary}
        if request.depth == "full":
            asked |= {"flaws": self._flaw, "revision": f"{self._flaw}\n\n{self._revision}"}
        async with branches() as group:
            answers: dict[Part, Branch[tuple[str, Completion]]] = {
                part: group.start(self._answer, job.extend(user(f"{end}\n\n{words}")), part, request)
                for part, words in asked.items()
            }
        return {part: answer.result() for part, answer in answers.items()}

    async def _in_one_conversation(self, request: Reflect) -> _Answers:
        job, end = self._job(request)
        further: dict[Part, str] = {"flaws": self._flaw} if request.depth == "full" else {}
        if further and request.plan:
            further["revision"] = self._revision
        prompt = job.extend(user(f"{end}\n\n{self._summary}"))
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
        return Prompt(system(self._instructions + followed), *before), f"{last.content}\n\n{_result(request)}"

    async def _answer(self, prompt: Prompt, part: Part, request: Reflect) -> tuple[str, Completion]:
        sampling = self._sampling.overridden(request.sampling)
        completion = await self._model.complete(prompt, sampling)
        read = _read(completion, part)
        if not read and has_text(completion.finish):
            lacking = missing_answer(completion.finish, part)
            words = f"{lacking}. Write the {part} now, in short, and nothing else.{self._form}"
            completion = await self._model.complete(once_more(prompt, completion, words), sampling)
            read = _read(completion, part)
        return read, completion


def _result(request: Reflect) -> str:
    if request.succeeded:
        return "The job succeeded."
    return f"The job failed: {request.experience.reason}." if request.experience.reason else "The job failed."


def _read(completion: Completion, part: Part) -> str:
    return read_part(completion.text, part) if completion.finish == "stop" else ""


def _reflected(answers: Mapping[Part, tuple[str, Completion]]) -> Reflected | ReflectionFailed:
    why_not = [reason(completion.finish, part) for part, (text, completion) in answers.items() if not text]
    if why_not:
        return ReflectionFailed(reason=f"the model {' and '.join(why_not)}")
    return Reflected(**{part: text for part, (text, _) in answers.items()})


def _start(parts: ActorParts) -> Reflector:
    return Reflector(parts.model(), parts.prompts)


REFLECTOR_ROLE = Role(
    name="reflector",
    requests={Reflect: ("reflect.summary", "reflect.flaw", "reflect.revision")},
    start=_start,
    completion_tokens=2_048,
)
