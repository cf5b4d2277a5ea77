"""The model of a role: the question goes with a call, and its answer comes back as text."""

import re
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from quintet.messages.completion import Complete
from quintet.messages.environment import ListTools
from quintet.messages.execution import Decide
from quintet.messages.prompts import Prompt
from quintet.messages.tools import OfferedTool
from quintet.ports.model import Asked, Completion, DrawsSeveral, Legibility, Model, Sampling, TakesQuestions
from quintet.ports.roles import Roles
from quintet.questions.question import Question
from quintet.questions.shape import AnswerForm
from quintet.roles.branches import branches
from quintet.roles.conversations import ExamplesShown

_CALLED: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The names of tools that every endpoint takes."""


class RoleModel:
    """A model behind a role.

    Args:
        sampling: how the role's completions are drawn, unless a request overrides it.
        answers: what they are. Where they are text, the prompt alone says what an answer looks like.
        examples: see `Conversations`.
        roles: where it asks which tools a session offers; None: it offers its model none.
    """

    def __init__(
        self,
        model: Model,
        sampling: Sampling,
        *,
        answers: AnswerForm = "text",
        examples: ExamplesShown = "text",
        roles: Roles | None = None,
    ) -> None:
        self._model = model
        # Looked at once: it costs a turn ten microseconds.
        self._takes_questions = model if isinstance(model, TakesQuestions) else None
        self._draws_several = model if isinstance(model, DrawsSeveral) else None
        self.sampling = sampling
        self.structured = answers != "text"
        self._offering = roles if answers == "tools" else None
        self.examples: ExamplesShown = examples

    async def complete(self, prompt: Prompt, sampling: Sampling, about: Complete) -> Completion:
        """Draw one completion that answers no question of ours, but goes on with a conversation."""
        return await self._draw(prompt, sampling, Asked(question="", about=about))

    async def answer(
        self, prompt: Prompt, sampling: Sampling, question: Question[Any, Any], about: Struct
    ) -> Completion:
        """Draw one answer.

        Args:
            prompt: asks for it.
            sampling: how it is drawn.
            question: what is asked.
            about: what it is asked about, for a model that takes it beside the prompt.
        """
        return await self._draw(prompt, await self._formed(sampling, question, about), self._asked(question, about))

    async def answers(
        self, prompt: Prompt, sampling: Sampling, question: Question[Any, Any], about: Struct, n: int
    ) -> list[Completion]:
        """Draw `n` answers to one prompt, at least 1.

        By one request, where the model takes that. Else the first comes alone, so that its prompt is in the endpoint's
        cache when the others are drawn at once.
        """
        sampling, asked = await self._formed(sampling, question, about), self._asked(question, about)
        if self._draws_several is None:
            drawn = [await self._draw(prompt, sampling, asked)]
        else:
            drawn = list(await self._draws_several.several(prompt, sampling, asked, n))
        async with branches() as group:
            begun = [group.start(self._draw, prompt, sampling, asked) for _ in range(n - len(drawn))]
        return [*drawn, *(branch.result() for branch in begun)]

    def as_text(self, answer: Completion, question: Question[Any, Any]) -> Completion:
        """An answer with text in place of JSON of its shape."""
        return replace(answer, text=question.shape.as_text(answer.text)) if self.structured else answer

    async def _formed(self, sampling: Sampling, question: Question[Any, Any], about: Struct) -> Sampling:
        if not self.structured:
            return sampling
        tools = await self._offered(about) if question.shape.tool else ()
        return replace(sampling, form=question.shape.name, tools=tools)

    async def _offered(self, about: Struct) -> tuple[OfferedTool, ...]:
        """The tools of the session in which an action is to be taken; none if an endpoint would refuse a name."""
        if self._offering is None or not isinstance(about, Decide) or about.tools_of is None:
            return ()
        listed = await self._offering.ask(ListTools(session=about.tools_of))
        return listed.tools if all(_CALLED.fullmatch(each.name) for each in listed.tools) else ()

    async def _draw(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        if self._takes_questions is None:
            return await self._model.complete(prompt, sampling)
        return await self._takes_questions.answer(prompt, sampling, asked)

    def _asked(self, question: Question[Any, Any], about: Struct) -> Asked:
        def legibility(answer: Completion) -> Legibility:
            return question.legibility(about, self.as_text(answer, question))

        return Asked(question=question.shape.name, about=about, legibility=legibility)
