"""A model in the process that logs what it is asked and answers, as an endpoint's log does."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random

from quintet.messages.prompts import Prompt
from quintet.ports.model import Asked, Completion, Model, Sampling, TakesQuestions
from quintet.serving.request import CompletionRequest
from tests.soak.requests import Entry, write_entry

_LONGEST = 4
"""Turns of the event loop that an answer takes at most."""


class LoggedModel:
    """Logs another model's calls before they are answered; a pure function of the prompt and the seed, as that is."""

    def __init__(self, name: str, model: Model) -> None:
        assert isinstance(model, TakesQuestions), model
        self.name = f"logged-{name}"
        self._complete = model.complete
        self._answer = model.answer
        self.log = -1
        """File descriptor."""
        self.delays = 0
        """Seed of how long answers take, which changes the order in which concurrent calls end."""

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return await self._logged(prompt, sampling, partial(self._complete, prompt, sampling))

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        return await self._logged(prompt, sampling, partial(self._answer, prompt, sampling, asked))

    async def _logged(
        self, prompt: Prompt, sampling: Sampling, draw: Callable[[], Awaitable[Completion]]
    ) -> Completion:
        digest = CompletionRequest(self.name, prompt.messages(), sampling).digest
        write_entry(self.log, Entry(digest=digest, answered=False))
        for _ in range(Random(f"{self.delays}/{digest}").randint(0, _LONGEST)):
            await asyncio.sleep(0)
        completion = await draw()
        tokens = completion.usage.prompt_tokens + completion.usage.completion_tokens
        write_entry(self.log, Entry(digest=digest, answered=True, tokens=tokens))
        return completion
