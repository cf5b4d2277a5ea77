"""The reflector role: asks a model what a job came to, what was wrong with it, and what to do instead."""

from typing import assert_never

from msgspec.structs import replace

from actors.conversation import branches
from actors.free_text import read_part
from actors.telling import SILENCE, told
from protocols.models import Completion, Model, Sampling
from protocols.prompts import Prompt, assistant, system, user
from protocols.reflecting import Reflect, Reflected, ReflectionFailed, ReflectorRequest

_LABELS = {
    "summary": ("summary",),
    "flaws": ("flaws", "flaw", "flawed parts", "identified flaws"),
    "revision": ("revision", "revisions", "suggested revision", "suggested revisions"),
}


class Reflector:
    """Reflects on a job with one model call per part. Keeps nothing between requests; `deploy/` decides where it runs.

    The parts are asked for at once, each after the job as it went and without the others' answers; or, together, one
    after the other in one conversation.

    Args:
        model: who reflects; it may be another one than the executor's.
        instructions: what the job was like; every prompt begins with it.
        summary: asks for the summary.
        flaw: asks for flaws of plan and actions.
        revision: asks what to do instead. Follows `flaw`, whatever that was answered with.
        sampling: how completions are drawn.

    Source: AutoPlan, section 3.2.2, equations 6 to 8. Differs: the parts are drawn in parallel; the released code's one
    conversation is `Reflect.together`.
    """

    def __init__(
        self, model: Model, *, instructions: str, summary: str, flaw: str, revision: str, sampling: Sampling
    ) -> None:
        self._model = model
        self._instructions = instructions
        self._summary = summary
        self._flaw = flaw
        self._revision = revision
        self._sampling = replace(sampling, form="reflection")

    async def receive(self, request: ReflectorRequest) -> Reflected | ReflectionFailed:
        match request:
            case Reflect(together=True):
                return _reflected(await self._together(request))
            case Reflect():
                return _reflected(await self._apart(request))
            case _:
                assert_never(request)

    async def _apart(self, request: Reflect) -> dict[str, Completion]:
        job, end = self._job(request)
        asked = {"summary": self._summary}
        if request.depth == "full":
            asked |= {"flaws": self._flaw, "revision": f"{self._flaw}\n\n{self._revision}"}
        async with branches() as group:
            answers = {
                part: group.start(self._answer, job.extend(user(f"{end}\n\n{words}")), request)
                for part, words in asked.items()
            }
        return {part: answer.result() for part, answer in answers.items()}

    async def _together(self, request: Reflect) -> dict[str, Completion]:
        job, end = self._job(request)
        further = {"flaws": self._flaw} if request.depth == "full" else {}
        if further and request.plan:
            further["revision"] = self._revision
        prompt = job.extend(user(f"{end}\n\n{self._summary}"))
        before, answer = "summary", await self._answer(prompt, request)
        answers = {before: answer}
        for part, words in further.items():
            if _why_not(before, answer):
                break
            prompt = prompt.extend(assistant(_read(before, answer)), user(words))
            before, answer = part, await self._answer(prompt, request)
            answers[part] = answer
        return answers

    def _job(self, request: Reflect) -> tuple[Prompt, str]:
        """The job as it went but for the last that the world said; and that, with how the job ended."""
        followed = f"\n\nThe plan that was followed:\n\n{request.plan}" if request.plan else ""
        opening = user(request.experience.opening or SILENCE)
        *before, last = opening, *(message for turn in request.experience.turns for message in told(turn))
        result = "The job succeeded." if request.succeeded else "The job failed."
        return Prompt(system(self._instructions + followed), *before), f"{last.content}\n\n{result}"

    async def _answer(self, prompt: Prompt, request: Reflect) -> Completion:
        return await self._model.complete(prompt, self._sampling.varied(request.drawn))


def _reflected(answers: dict[str, Completion]) -> Reflected | ReflectionFailed:
    why_not = [why for part, answer in answers.items() if (why := _why_not(part, answer))]
    if why_not:
        return ReflectionFailed(reason=f"the model {' and '.join(why_not)}")
    return Reflected(**{part: _read(part, answer) for part, answer in answers.items()})


def _read(part: str, answer: Completion) -> str:
    return read_part(answer.text, *_LABELS[part])


def _why_not(part: str, answer: Completion) -> str:
    """Why an answer is no part of a reflection; empty where it is one."""
    if answer.finish != "stop":
        return f"did not finish the {part} ({answer.finish})"
    return "" if _read(part, answer) else f"left out the {part}"
