"""A model whose weights change between calls: each call says which version answered."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.messages.prompts import Prompt
from quintet.ports.model import Asked, Closes, Completion, Model, PlaysExpert, Sampling, TakesQuestions

if TYPE_CHECKING:
    from quintet.launch.evaluation import Evaluation


@dataclass(frozen=True)
class _Update:
    by: asyncio.Task[object] | None
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    """Of its event loop, of which a policy may see several."""


class TrainedPolicy:
    """A model in training, for runs of this process.

    Args:
        model: asked for completions, such as an `Endpoint` with `token_ids=True`.
        name: shown with every figure, and the same for all versions of the weights; None: the model's.
        weights_version: the one that it has now, at least 0. After a restart, that of the trainer's checkpoint.

    Raises:
        UsageError: the model is a stand-in, which has no weights.
    """

    def __init__(self, model: Model, *, name: str | None = None, weights_version: int = 0) -> None:
        if isinstance(model, PlaysExpert):
            raise UsageError(f"policy: expected a model that has weights, got a stand-in, {model.name}")
        self.model = model
        self.name = model.name if name is None else name
        self.weights_version = weights_version
        """The version that answers now."""
        self.runs: set[Evaluation] = set()
        """The open runs that ask it."""
        self._update: _Update | None = None
        """The one that takes place."""

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        """Draw one completion, with the version of the weights; raises as the model does."""
        return replace(await self.model.complete(prompt, sampling), weights_version=self.weights_version)

    async def answer(self, prompt: Prompt, sampling: Sampling, asked: Asked) -> Completion:
        """The same of a model that takes typed questions; of any other, as `complete`."""
        if not isinstance(self.model, TakesQuestions):
            return await self.complete(prompt, sampling)
        return replace(await self.model.answer(prompt, sampling, asked), weights_version=self.weights_version)

    @asynccontextmanager
    async def asked_by(self, run: "Evaluation") -> AsyncGenerator[None, None]:
        """Count a run among those that ask it. One that opens during an update begins when that has ended.

        Raises:
            UsageError: the update is the same task's, which would wait for itself.
        """
        await self._no_update("rollouts")
        self.runs.add(run)
        try:
            yield
        finally:
            self.runs.discard(run)

    @asynccontextmanager
    async def update(self) -> AsyncGenerator[None, None]:
        """Change the weights inside: no call of its runs begins, and those in flight have answered by the old ones.

        Updates take place one after another. The next version counts from its end; after an exception it is still the
        old one.

        Raises:
            UsageError: it is inside an update of the same task, which would wait for itself.
        """
        await self._no_update("an update")
        self._update = update = _Update(asyncio.current_task())
        try:
            async with AsyncExitStack() as stack:
                for run in tuple(self.runs):  # one may end meanwhile
                    await stack.enter_async_context(run.paused())
                yield
                self.weights_version += 1
        finally:
            self._update = None
            update.ended.set()

    async def _no_update(self, before: str) -> None:
        """Wait until no update takes place."""
        while (update := self._update) is not None:
            if update.by is asyncio.current_task():
                expected = f"{before} after the update has ended"
                raise UsageError(f"policy: expected {expected}, got it inside, where no call begins")
            await update.ended.wait()

    async def aclose(self) -> None:
        """Close the model, if it keeps resources."""
        if isinstance(self.model, Closes):
            await self.model.aclose()
