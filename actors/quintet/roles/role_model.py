"""The model of a role: the question goes with a call, and its answer comes back as text."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from quintet.messages.completion import Complete
from quintet.messages.prompts import Prompt
from quintet.ports.model import Asked, Completion, Model, Sampling, TakesQuestions
from quintet.questions.question import Question
from quintet.roles.conversations import ExamplesShown


class RoleModel:
    """A model behind a role.

    Args:
        sampling: how the role's completions are drawn, unless a request overrides it.
        structured: whether answers are asked for as JSON of their shape, and turned into text; else the prompt alone
            says what an answer looks like.
        examples: see `Conversations`.
    """

    def __init__(
        self, model: Model, sampling: Sampling, *, structured: bool = False, examples: ExamplesShown = "text"
    ) -> None:
        self._model = model
        # Looked at once: it costs a turn ten microseconds.
        self._takes_questions = model if isinstance(model, TakesQuestions) else None
        self.sampling = sampling
        self.structured = structured
        self.examples: ExamplesShown = examples

    async def complete(self, prompt: Prompt, sampling: Sampling, about: Complete) -> Completion:
        """Draw one completion that answers no question of ours, but goes on with a conversation."""
        return await self._draw(prompt, sampling, Asked(question="", about=about))

    async def answer(
        self, prompt: Prompt, sampling: Sampling, question: Question[Any, Any], about: Struct
    ) -> Completion:
        """Draw one answer, as text; `about` is for a model that takes it beside the prompt."""
        shape = question.shape
        if self.structured:
            sampling = replace(sampling, form=shape.name)
        completion = await self._draw(prompt, sampling, Asked(question=shape.name, about=about))
        return replace(completion, text=shape.as_text(completion.text)) if self.structured else completion

    async def _draw(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        if self._takes_questions is None:
            return await self._model.complete(prompt, sampling)
        return await self._takes_questions.answer(prompt, sampling, asked)
