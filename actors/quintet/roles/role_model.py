"""The model of a role: sampling names the form of the answer, and the answer comes back as text."""

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from quintet.messages.prompts import Prompt, assistant, user
from quintet.parsing.answers import answer_text, has_text, missing_answer
from quintet.parsing.forms import as_paper_text, example_of
from quintet.ports.model import AnswerForm, Asked, Completion, Model, Sampling, TakesQuestions
from quintet.roles.turn_text import SILENCE

_T = TypeVar("_T")


class RoleModel:
    """A model behind a role.

    Args:
        model: the one to call.
        sampling: how the role's completions are drawn, unless a request overrides it.
        structured: whether answers are asked for as JSON of their form, and turned into text; else the prompt alone
            says what an answer looks like.
    """

    def __init__(self, model: Model, sampling: Sampling, *, structured: bool = False) -> None:
        self._model = model
        self.sampling = sampling
        self.structured = structured

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, prompt: Prompt, sampling: Sampling, about: Struct | None = None) -> Completion:
        """Draw one completion.

        Args:
            prompt: asks for it.
            sampling: how it is drawn, and the form of the answer.
            about: what the question is about, for a model that takes it beside the prompt.
        """
        asked = None if about is None or sampling.form is None else Asked(form=sampling.form, about=about)
        form, sampling = sampling.form, sampling if self.structured else replace(sampling, form=None)
        if asked is not None and isinstance(self._model, TakesQuestions):
            completion = await self._model.answer(prompt, sampling, asked)
        else:
            completion = await self._model.complete(prompt, sampling)
        return replace(completion, text=as_paper_text(completion.text, form)) if self.structured else completion

    async def ask(
        self,
        prompt: Prompt,
        sampling: Sampling,
        read: Callable[[str], _T | None],
        what: str,
        reminder: str,
        about: Struct | None = None,
    ) -> tuple[_T | None, Completion]:
        """Ask, and ask once more with what was wrong if the answer cannot be read.

        Args:
            prompt: asks for the answer.
            sampling: of both completions.
            read: finds the answer in a whole completion; None: there is none. One that was cut off is not read.
            what: the expected answer, in a word or two, which follow `I found no`.
            reminder: how to answer, for the second time.
            about: what the question is about; see `complete`.

        Returns:
            The answer, None if there is none, and the last completion.
        """
        completion = await self.complete(prompt, sampling, about)
        found = read(completion.text) if completion.finish == "stop" else None
        if found is None and has_text(completion.finish):
            words = f"{missing_answer(completion.finish, what)}. {reminder}"
            completion = await self.complete(once_more(prompt, completion, words), sampling, about)
            found = read(completion.text) if completion.finish == "stop" else None
        return found, completion

    def example(self, form: AnswerForm) -> str:
        """What an answer should look like, as a reminder shows it."""
        return example_of(form, structured=self.structured)

    def reminder(self, form: AnswerForm) -> str:
        """How to answer, for the second time."""
        return f"Please answer in this form:\n\n{self.example(form)}"


def once_more(asked: Prompt, completion: Completion, words: str) -> Prompt:
    """The prompt for a second try: the answer, without its reasoning, and what is wrong with it."""
    return asked.extend(assistant(answer_text(completion.text).strip() or SILENCE), user(words))
