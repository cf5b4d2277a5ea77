"""Models as roles ask them: a request says which form its answer has, and gets the answer as text."""

from msgspec.structs import replace

from quintet.messages.prompts import Prompt
from quintet.parsing.forms import as_paper_text
from quintet.ports.model import Completion, Model, Sampling


class Formed:
    """A model behind a role.

    Args:
        model: who is called.
        structured: whether answers are asked for as JSON of their form, and turned into text; else the prompt alone
            says what an answer looks like.
    """

    def __init__(self, model: Model, *, structured: bool) -> None:
        self._model = model
        self._structured = structured

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if not self._structured:
            return await self._model.complete(prompt, replace(sampling, form=None))
        completion = await self._model.complete(prompt, sampling)
        return replace(completion, text=as_paper_text(completion.text, sampling.form))
