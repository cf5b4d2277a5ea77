"""The reflector role: asks a model what a job came to, what was wrong with it, and what to do instead."""

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from msgspec.structs import replace

from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.messages.reflection import Reflect, Reflected, ReflectionFailed, ReflectorRequest
from quintet.parsing.answers import has_text, reason, unanswered
from quintet.parsing.forms import example_of
from quintet.parsing.reflections import Part, read_part, read_parts
from quintet.ports.model import Completion, Model, Sampling
from quintet.roles.asking import once_more
from quintet.roles.context import Branch, branches
from quintet.roles.telling import SILENCE, as_messages

_Answers: TypeAlias = dict[Part, tuple[str, Completion]]
"""What was read as each part, empty where nothing was, and of which completion."""


class Reflector:
    """Reflects on a job with one model call per part, or two: what an answer lacks is asked for once more.

    The parts are asked for at once, each after the job as it went and without the others' answers; or, together, one
    after the other in one conversation, in which a part that was answered already is not asked for.

    Keeps nothing between requests; `deploy/` decides where it runs.

    Args:
        model: who reflects; it may be another one than the executor's.
        instructions: what the job was like; every prompt begins with it.
        summary: asks for the summary.
        flaw: asks for flaws of plan and actions.
        revision: asks what to do instead. Follows `flaw`, whatever that was answered with.
        sampling: how completions are drawn.
        structured: whether answers are asked for as JSON.

    Source: AutoPlan, section 3.2.2, equations 6 to 8. Differs: the parts are drawn in parallel; the released code's one
    conversation is `Reflect.together`.
    """

    def __init__(
        self,
        model: Model,
        *,
        instructions: str,
        summary: str,
        flaw: str,
        revision: str,
        sampling: Sampling,
        structured: bool = False,
    ) -> None:
        self._model = model
        self._instructions = instructions
        self._summary = summary
        self._flaw = flaw
        self._revision = revision
        self._sampling = replace(sampling, form="reflection")
        self._form = f"\n\n{example_of('reflection', structured=True)}" if structured else ""

    async def receive(self, request: ReflectorRequest) -> Reflected | ReflectionFailed:
        match request:
            case Reflect(one_conversation=True):
                return _reflected(await self._together(request))
            case Reflect():
                return _reflected(await self._apart(request))
            case _:
                assert_never(request)

    async def _apart(self, request: Reflect) -> _Answers:
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

    async def _together(self, request: Reflect) -> _Answers:
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
        """The job as it went but for the last that the world said; and that, with how the job ended."""
        followed = f"\n\nThe plan that was followed:\n\n{request.plan}" if request.plan else ""
        opening = user(request.experience.opening or SILENCE)
        *before, last = opening, *(message for turn in request.experience.turns for message in as_messages(turn))
        return Prompt(system(self._instructions + followed), *before), f"{last.content}\n\n{_result(request)}"

    async def _answer(self, prompt: Prompt, part: Part, request: Reflect) -> tuple[str, Completion]:
        sampling = self._sampling.overridden(request.sampling)
        completion = await self._model.complete(prompt, sampling)
        read = _read(completion, part)
        if not read and has_text(completion.finish):
            lacking = unanswered(completion.finish, part)
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
