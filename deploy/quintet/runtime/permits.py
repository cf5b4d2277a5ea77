"""Permits: how a host asks the quota before every attempt at a model call, and tells it what became of it."""

import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from quintet.errors import EndpointUnavailable, ModelFault, NoAnswer, Overloaded
from quintet.messages.paths import Path
from quintet.messages.quota import HasQueued, Permit, Reserve, Settle
from quintet.ports.model import Completion
from quintet.ports.transport import DRIVER, Address
from quintet.quota.quota import QUOTA
from quintet.roles.context import current
from quintet.runtime.host import Host

_QUOTA: Final = Address(host=DRIVER, role=QUOTA)


class Permits:
    """A host's side of the quota.

    Args:
        host: whose calls these are.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._given = 0
        self._known: set[str] = set()

    def knows(self, model: str) -> bool:
        """Whether a model has answered any call from this host so far."""
        return model in self._known

    @asynccontextmanager
    async def one(
        self,
        path: Path,
        incarnation: int,
        *,
        model: str,
        prompt_tokens: int,
        completion_tokens: int,
        pause: float = 0.0,
        lost: float = 0.0,
    ) -> AsyncGenerator["Attempt", None]:
        """Hold a permit, from its grant on, for one attempt at a call.

        Args:
            path: of the call.
            incarnation: of its episode.
            model: whose gate is to be passed.
            prompt_tokens: an upper bound.
            completion_tokens: an upper bound.
            pause: seconds before it may be granted.
            lost: seconds that the attempt before took until it failed.

        Raises:
            BudgetSpent: the run may not spend that much.
            EpisodeBudgetSpent: the episode may not.
        """
        self._given += 1
        permit: Permit = f"{self._host.name}/{self._given}"
        settle = Settle(permit=permit, outcome="unused")
        try:
            await self._host.ask(
                _QUOTA,
                Reserve(
                    permit=permit,
                    host=self._host.name,
                    model=model,
                    prompt_tokens=prompt_tokens,
                    completion_tokens=completion_tokens,
                    pause=pause,
                    lost=lost,
                ),
                path=path,
                incarnation=incarnation,
            )
            attempt = Attempt(permit)
            try:
                yield attempt
            except BaseException as error:
                settle = attempt.settlement or settlement_of(permit, error)
                raise
            assert attempt.settlement is not None, "an attempt that ends well is answered"
            settle = attempt.settlement
            self._known.add(model)
        finally:
            self._host.tell(_QUOTA, settle)

    async def queued(self) -> float:
        """For how many seconds the running episode has waited for permits and endpoints so far."""
        here = current()
        reply = await self._host.ask(_QUOTA, HasQueued(), path=here.path, incarnation=here.incarnation)
        return reply.seconds


class Attempt:
    """One attempt at a call."""

    def __init__(self, permit: Permit) -> None:
        self._permit = permit
        self.settlement: Settle | None = None
        """What the quota is told once the permit returns; None: not answered so far."""

    def answered(self, completion: Completion) -> None:
        """The model answered, whatever becomes of its answer.

        Usage of nothing means that it does not say, except where the prompt did not fit: then nothing was used.
        """
        usage = completion.usage
        known = usage.prompt_tokens or usage.completion_tokens or completion.finish == "context_full"
        self.settlement = Settle(permit=self._permit, outcome="answered", usage=usage if known else None)


def settlement_of(permit: Permit, error: BaseException) -> Settle:
    """What the quota is told of an attempt that ended by an exception."""
    match error:
        case Overloaded():
            return Settle(permit=permit, outcome="overloaded", retry_after=_seconds(error.retry_after))
        case ModelFault() if not isinstance(error, NoAnswer):
            return Settle(permit=permit, outcome="refused")
        case EndpointUnavailable():
            return Settle(permit=permit, outcome="refused")
        case _:
            return Settle(permit=permit, outcome="failed")


def _seconds(asked: object) -> float | None:
    # A plug-in may have put anything there.
    return float(asked) if isinstance(asked, int | float) and 0 <= asked < math.inf else None
