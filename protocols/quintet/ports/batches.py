"""The port to a provider's batches: calls handed over together, answered within a day, at a lower price."""

from collections.abc import Collection, Mapping
from typing import Protocol, runtime_checkable

from quintet.errors import ModelFault
from quintet.messages.prompts import Prompt
from quintet.ports.model import Completion, Sampling


class BatchRefused(ModelFault):
    """A provider refused a batch after it had taken it; none of its calls was worked on."""


class NoRoomForBatch(BatchRefused):
    """It did so because more would wait there than may at a time: less, or the same later, may be taken."""


class BatchLost(ModelFault):
    """A provider took a batch, and has no answers to it any more."""


class BatchUnknown(BatchLost):
    """A provider knows no such batch: it forgot it, or another account or address has it."""


@runtime_checkable
class TakesBatches(Protocol):
    """A model whose provider takes batches. Nothing here waits or repeats."""

    @property
    def without_batches(self) -> str:
        """Why it cannot be called by batches, as what is expected and got; empty: it can."""
        ...

    def batch_body(self, prompt: Prompt, sampling: Sampling, n: int) -> bytes:
        """What a call for `n` completions posts, as JSON."""
        ...

    def read_batch(self, answer: bytes, prompt: Prompt, sampling: Sampling) -> tuple[Completion, ...]:
        """The completions in an answer to a call of `prompt`.

        Raises:
            ModelFault: the provider refused the call, or nothing in the answer can be read.
        """
        ...

    async def submit_batch(self, name: str, bodies: Mapping[str, bytes]) -> str:
        """Submit the bodies of calls, by the calls' names, under a name of the batch's own.

        Returns:
            What the provider calls the batch.

        Raises:
            Fault: it may not have been submitted; `ModelFault` itself, or one that suspends a run: it was not.
        """
        ...

    async def find_batch(self, name: str, calls: Collection[str], since: float) -> str | None:
        """What the provider calls a batch that may have been submitted under a name; None: it was not.

        Args:
            calls: the names of its calls.
            since: when it was submitted at the earliest, in seconds since the Unix epoch.

        Raises:
            NoAnswer: the provider cannot say yet.
            Fault: the provider did not say.
        """
        ...

    async def collect_batch(self, batch: str) -> Mapping[str, bytes] | None:
        """The answers of a batch, by the calls' names; None while it is worked on.

        A call without an answer was not worked on (the batch expired or was cancelled, the provider failed): it may be
        submitted again.

        Raises:
            BatchRefused: the provider refused the batch as a whole; a `NoRoomForBatch`, if too much waits there.
            BatchLost: it has no answers to the batch any more; a `BatchUnknown`, if it does not know the batch.
            Fault: it did not say.
        """
        ...
