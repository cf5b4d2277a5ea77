"""A model whose calls wait for a batch: on any host, it asks the batcher, which is on the driver's."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, cast

from quintet.errors import UsageError
from quintet.messages.batches import AnswerInBatch
from quintet.messages.prompts import Prompt
from quintet.ports.batches import TakesBatches
from quintet.ports.model import Asked, Billed, Closes, Completion, DrawsSeveral, Model, Sampling
from quintet.ports.transport import DRIVER, Address
from quintet.runtime.calls import running_attempt

BATCHER: Final = "batcher"
"""Name of its role on the driver's host."""


@dataclass(frozen=True)
class Batched:
    """A model that is called by batches.

    Raises:
        UsageError: its provider takes none.
    """

    model: Model

    def __post_init__(self) -> None:
        if not isinstance(self.model, TakesBatches):
            expected = "expected a model of an endpoint (OpenAI's batches) or of Anthropic by the bridge"
            raise UsageError(f"model.batch: {expected}, got {self.model.name}")
        if self.model.without_batches:
            raise UsageError(f"model.batch: {self.model.without_batches}")

    @property
    def name(self) -> str:
        """Other than the model's own: it has another price, and no rate limit."""
        return f"{self.model.name} (batch)"

    @property
    def account(self) -> str:
        """See `quintet.ports.model.Billed`."""
        return self.model.account if isinstance(self.model, Billed) else ""

    @property
    def batches(self) -> TakesBatches:
        """Its provider's."""
        return cast("TakesBatches", self.model)

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return (await self._ask(prompt, sampling, 1))[0]

    def draws_at_once(self, sampling: Sampling, n: int) -> int:
        return self.model.draws_at_once(sampling, n) if isinstance(self.model, DrawsSeveral) else 1

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> Sequence[Completion]:
        return (await self._ask(prompt, sampling, n))[:n]

    async def _ask(self, prompt: Prompt, sampling: Sampling, n: int) -> tuple[Completion, ...]:
        attempt, body = running_attempt(), self.batches.batch_body(prompt, sampling, n)
        named = blake2b(f"{attempt.path} {sampling.seed} {self.name} ".encode() + body, digest_size=16)
        request = AnswerInBatch(model=self.name, call=named.hexdigest(), permit=attempt.held.permit, body=body)
        to = Address(host=DRIVER, role=BATCHER)
        answered = await attempt.host.ask(to, request, path=attempt.path, incarnation=attempt.incarnation)
        return self.batches.read_batch(answered.answer, prompt, sampling)

    async def aclose(self) -> None:
        """Close the model."""
        if isinstance(self.model, Closes):
            await self.model.aclose()
