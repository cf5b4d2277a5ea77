"""Histories in short: which subgoals are complete, and a summary of what was done."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from quintet.messages.memory import ObservedAction, Summarize, Summarized
from quintet.messages.message import request_name
from quintet.messages.prompts import Prompt
from quintet.parsing.histories import read_evaluation, read_summary
from quintet.ports.model import AnswerForm
from quintet.roles.branches import branches
from quintet.roles.conversations import Conversations, with_question
from quintet.roles.role_model import RoleModel
from quintet.roles.turn_text import NOTHING_DONE, turn_of

NOT_ASKED: Final = "{not asked}"
"""The text of a prompt whose question is left out."""

_FORMS: Final[tuple[AnswerForm, ...]] = ("evaluation", "summary")


class Summaries:
    """Asks for an evaluation and a summary at once, each once more if it cannot be read.

    Args:
        model: the memory's.
        prompts: `summarize` and `summarize.evaluation`, the instructions, which prescribe the forms of the answers.
            Where the second is `NOT_ASKED`, no evaluation is asked for, as in the paper on WebShop.

    Source: LDM2, section 3.2, equation 6, and table 4. Differs: without a past the summary is fixed words, and the
    past is a conversation, so that a step's prompt adds only that step to the one before.
    """

    def __init__(self, model: RoleModel, prompts: Mapping[str, str]) -> None:
        self._model = model
        self._prompts = prompts
        self._conversations = Conversations()
        self._reminders = {form: model.reminder(form) for form in _FORMS}

    async def summarize(self, goal: str, steps: Sequence[ObservedAction], observation: str) -> Summarized:
        """The history before a step.

        Args:
            goal: of the task.
            steps: the past, in order.
            observation: what the last of them led to.
        """
        if not steps:
            return Summarized(evaluation=await self._evaluation(goal, steps, observation), summary=NOTHING_DONE)
        async with branches() as group:
            evaluation = group.start(self._evaluation, goal, steps, observation)
            summary = group.start(self._summary, goal, steps, observation)
        return Summarized(evaluation=evaluation.result(), summary=summary.result())

    async def _evaluation(self, goal: str, steps: Sequence[ObservedAction], observation: str) -> str:
        name = f"{request_name(Summarize)}.evaluation"
        if self._prompts[name].strip() == NOT_ASKED:
            return ""
        prompt = self._history(name, goal, steps, observation)
        asked = with_question(prompt, "Which subgoals are complete now?")
        about = Summarize(goal=goal, steps=tuple(steps), observation=observation)
        return await self._written(asked, "evaluation", read_evaluation, about)

    async def _summary(self, goal: str, steps: Sequence[ObservedAction], observation: str) -> str:
        prompt = self._history(request_name(Summarize), goal, steps, observation)
        about = Summarize(goal=goal, steps=tuple(steps), observation=observation)
        return await self._written(with_question(prompt, "Write the summary now."), "summary", read_summary, about)

    def _history(self, name: str, goal: str, steps: Sequence[ObservedAction], observation: str) -> Prompt:
        seen = [*(step.observation for step in steps), observation]
        begun = self._conversations.opening(self._prompts[name], seen[0], goal)
        turns = (turn_of(step.action, after) for step, after in zip(steps, seen[1:], strict=True))
        return self._conversations.after(begun, turns)

    async def _written(
        self, prompt: Prompt, form: AnswerForm, read: Callable[[str], str | None], about: Summarize
    ) -> str:
        sampling = replace(self._model.sampling, form=form)
        text, _ = await self._model.ask(prompt, sampling, read, form, self._reminders[form], about)
        return text or ""
