"""Questions to a model: on one event loop, as in a run, and counted, since each may cost money."""

import asyncio
from collections.abc import Sequence
from types import TracebackType

from quintet.errors import ModelFault
from quintet.messages.prompts import ChatMessage, Prompt, system, user
from quintet.ports.model import Closes, Completion, Model, Sampling
from quintet.testing.clauses import Skipped
from quintet.testing.named import Named

PLAIN = (system("You answer in one short sentence."), user("Which seven colours does a rainbow have, from red on?"))
"""What any model can be asked."""

WHOLE = Sampling(max_tokens=1_000)
"""Enough for an uncut answer to `PLAIN`, and no ruin."""

PATIENCE = 120.0
"""Seconds a model may take for an answer."""


class Questioned:
    """A model, and how often it was asked; used by `with`.

    Args:
        conversation: what it answers with at least ten characters.
        odd: odd texts of its own kind, beside what is odd everywhere.
    """

    def __init__(self, named: Named, conversation: Sequence[ChatMessage] = PLAIN, *, odd: Sequence[str] = ()) -> None:
        self.named = named
        self.conversation = tuple(conversation)
        self.odd = tuple(odd)
        self.calls = 0
        self.model: Model = named.model()
        self._runner = asyncio.Runner()
        self._whole: Completion | None = None
        self._silent = False
        """The answer was asked for; where there is none yet, it failed."""

    @property
    def prompt(self) -> Prompt:
        """The conversation as a prompt, never asked before."""
        return Prompt(*self.conversation)

    def ask(self, prompt: Prompt, sampling: Sampling, model: Model | None = None) -> Completion:
        """One completion; of another instance if one is given."""
        return self._runner.run(self._call(model or self.model, prompt, sampling))

    def ask_at_once(self, prompts: Sequence[Prompt]) -> list[Completion | str]:
        """The completions of several calls at a time, and for one that ended in a `ModelFault` its text."""

        async def together() -> list[Completion | str]:
            return await asyncio.gather(*(self._answered(prompt) for prompt in prompts))

        return self._runner.run(together())

    def answered(self, prompt: Prompt) -> Completion | str:
        """A completion, or the text of the `ModelFault` that it ended in."""
        return self._runner.run(self._answered(prompt))

    def answer(self) -> Completion:
        """The uncut answer to the conversation, asked for once.

        Raises:
            Skipped: there was none when it was asked for.
        """
        if self._whole is None:
            if self._silent:
                raise Skipped("there is no answer to try it with")
            self._silent = True
            self._whole = self.ask(self.prompt, WHOLE)
        return self._whole

    async def _answered(self, prompt: Prompt) -> Completion | str:
        try:
            return await self._call(self.model, prompt, Sampling())
        except ModelFault as fault:
            return str(fault)

    async def _call(self, model: Model, prompt: Prompt, sampling: Sampling) -> Completion:
        self.calls += 1
        timer = asyncio.timeout(PATIENCE)
        try:
            async with timer:
                return await model.complete(prompt, sampling)
        except TimeoutError as error:
            if not timer.expired():
                raise
            raise ModelFault(f"{self.named.name}: no completion within {PATIENCE:g} s") from error

    def __str__(self) -> str:
        return f"model {self.named.name}"

    def __enter__(self) -> "Questioned":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(self.model, Closes):
            self._runner.run(self.model.aclose())
        self._runner.close()
