"""What the contract of models is tried on: a model, asked on one event loop as in a run, and its calls counted."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Self, TypeVar

import pytest
from msgspec import Struct
from msgspec.structs import replace

from quintet.errors import ModelFault
from quintet.messages.completion import Complete
from quintet.messages.prompts import ChatMessage, Prompt, system, user
from quintet.ports.model import Asked, Closes, Completion, DrawsSeveral, Model, Sampling, TakesQuestions
from quintet.testing.subprocesses import NamedPlugIn, name_plug_in

CallResultT = TypeVar("CallResultT")

_QUESTION = (system("You answer in one short sentence."), user("Which seven colours does a rainbow have, from red on?"))

UNCUT = Sampling(max_tokens=1_000)
"""Enough for an uncut answer to a short question, and no large bill."""

VARIED = replace(UNCUT, temperature=1.0)
"""For several answers, which are drawn without a seed."""

TIME_LIMIT = 120.0
"""Seconds a model may take for an answer."""


class CaseOnLoop:
    """A plug-in that is asked on one event loop, closed at the end of `with`."""

    def __init__(self, plug_in: NamedPlugIn, subject: object) -> None:
        self.plug_in = plug_in
        self.calls: int = 0
        """How often it was asked: each call may cost money."""
        self._subject = subject
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if isinstance(self._subject, Closes):
            self._runner.run(self._subject.aclose())
        self._runner.close()


class ModelCase(CaseOnLoop):
    """A model and a conversation for it; used by `with`.

    Args:
        name: the model's in the catalogue; or a class or function that makes it, or `FILE.py:OBJECT`.
        options: the model's, as JSON can say them.
        conversation: the model answers it with at least ten characters.
    """

    def __init__(
        self,
        name: str | Callable[..., Model],
        options: Mapping[str, Any] | None = None,
        conversation: Sequence[ChatMessage] = _QUESTION,
    ) -> None:
        plug_in = name_plug_in("model", name, options)
        self.model: Model = plug_in.model()
        super().__init__(plug_in, self.model)
        self.conversation = tuple(conversation)
        self._answer: Completion | None = None
        self._asked = False
        """The answer was asked for; if there is none yet, the call failed."""

    @property
    def prompt(self) -> Prompt:
        """The conversation as a new prompt."""
        return Prompt(*self.conversation)

    def ask(self, prompt: Prompt, sampling: Sampling) -> Completion:
        """One completion."""
        return self._runner.run(self._call(self.model, prompt, sampling))

    def ask_another(self, prompt: Prompt, sampling: Sampling) -> Completion:
        """One completion of another instance, which is closed after it."""

        async def ask() -> Completion:
            model = self.plug_in.model()
            try:
                return await self._call(model, prompt, sampling)
            finally:
                if isinstance(model, Closes):
                    await model.aclose()

        return self._runner.run(ask())

    def ask_for_several(self, n: int) -> Sequence[Completion]:
        """Completions of the conversation by one request of a model that `DrawsSeveral`."""
        model = self.model
        assert isinstance(model, DrawsSeveral)

        async def draw() -> Sequence[Completion]:
            return await self._limited(model.several(self.prompt, VARIED, _asked(self.prompt), n))

        return self._runner.run(draw())

    def ask_or_fault(self, prompt: Prompt) -> Completion | str:
        """A completion, or the text of the `ModelFault` that ended the call."""
        return self._runner.run(self._call_or_fault(prompt))

    def ask_concurrently(self, prompts: Sequence[Prompt]) -> list[Completion | str]:
        """As `ask_or_fault`, all at a time."""

        async def ask_all() -> list[Completion | str]:
            return await asyncio.gather(*(self._call_or_fault(prompt) for prompt in prompts))

        return self._runner.run(ask_all())

    def answer(self) -> Completion:
        """The uncut answer to the conversation, asked for once. Without one, the calling test is skipped."""
        if self._answer is None:
            if self._asked:
                pytest.skip("there is no answer to try it with")
            self._asked = True
            self._answer = self.ask(self.prompt, UNCUT)
        return self._answer

    async def _call_or_fault(self, prompt: Prompt) -> Completion | str:
        try:
            return await self._call(self.model, prompt, Sampling())
        except ModelFault as fault:
            return str(fault)

    async def _call(self, model: Model, prompt: Prompt, sampling: Sampling) -> Completion:
        if not isinstance(model, TakesQuestions):
            return await self._limited(model.complete(prompt, sampling))
        return await self._limited(model.answer(prompt, sampling, _asked(prompt)))

    async def _limited(self, call: Awaitable[CallResultT]) -> CallResultT:
        self.calls += 1
        timer = asyncio.timeout(TIME_LIMIT)
        try:
            async with timer:
                return await call
        except TimeoutError as error:
            if not timer.expired():
                raise
            raise ModelFault(f"{self.plug_in.name}: no completion within {TIME_LIMIT:g} s") from error

    def __str__(self) -> str:
        return f"model {self.plug_in.name}"


def _asked(prompt: Prompt) -> Asked:
    return Asked(question="", about=Complete(role="model", messages=tuple(prompt.messages())))


class CompletionsRequest(Struct, frozen=True, kw_only=True):
    """Completions to draw, perhaps in another process."""

    plug_in: NamedPlugIn
    messages: tuple[ChatMessage, ...]
    samplings: tuple[Sampling, ...]


def complete_all(request: CompletionsRequest) -> list[Completion]:
    """One completion for each sampling."""
    with ModelCase(request.plug_in.place, request.plug_in.options, request.messages) as case:
        return [case.ask(case.prompt, sampling) for sampling in request.samplings]
