"""Histories in short: which subgoals are complete, and a summary of what was done."""

from collections.abc import Sequence
from typing import Final

from quintet.messages.memory import ObservedAction, Summarize, Summarized
from quintet.messages.message import Unanswered
from quintet.questions.question import Question
from quintet.questions.remembering import EVALUATION, SUMMARY
from quintet.roles.asking import Asker
from quintet.roles.branches import branches
from quintet.roles.turn_text import NOTHING_DONE

NOT_ASKED: Final = "{not asked}"
"""The text of a prompt whose question is left out."""


class Summaries:
    """Asks for an evaluation and a summary at once.

    Args:
        asker: the memory's. Where the prompt `summarize.evaluation` is `NOT_ASKED`, no evaluation is asked for, as in
            the paper on WebShop.

    Source: LDM2, section 3.2, equation 6, and table 4. Differs: without a past the summary is fixed words.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def summarize(self, goal: str, steps: Sequence[ObservedAction], observation: str) -> Summarized:
        """The history before a step."""
        about = Summarize(goal=goal, steps=tuple(steps), observation=observation)
        if not steps:
            return Summarized(evaluation=await self._evaluation(about), summary=NOTHING_DONE)
        async with branches() as group:
            evaluation = group.start(self._evaluation, about)
            summary = group.start(self._written, SUMMARY, about)
        return Summarized(evaluation=evaluation.result(), summary=summary.result())

    async def _evaluation(self, about: Summarize) -> str:
        if self._asker.prompts[EVALUATION.instructions(about)].strip() == NOT_ASKED:
            return ""
        return await self._written(EVALUATION, about)

    async def _written(self, question: Question[Summarize, str], about: Summarize) -> str:
        answer = await self._asker.ask(question, about)
        return "" if isinstance(answer.found, Unanswered) else answer.found
