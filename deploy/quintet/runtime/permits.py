"""A host's side of the quota: every attempt at a model call takes a permit, which is settled when the attempt ends."""

import itertools
import math
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final

from quintet.errors import EndpointUnavailable, ModelFault, NoAnswer, Overloaded
from quintet.messages.paths import Path
from quintet.messages.quota import HasQueued, Permit, Reserve, Settle
from quintet.ports.model import Completion, Usage
from quintet.ports.transport import DRIVER, Address
from quintet.quota.quota import QUOTA
from quintet.roles.context import current
from quintet.runtime.host import Host

_QUOTA: Final = Address(host=DRIVER, role=QUOTA)


class Permits:
    """A host's side of the quota."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._numbers = itertools.count(1)
        self._known: set[str] = set()

    def knows(self, model: str) -> bool:
        """Whether a model has answered any call from this host so far."""
        return model in self._known

    def hold(
        self,
        path: Path,
        incarnation: int,
        model: str,
        most: Usage,
        delay: tuple[float, float] = (0.0, 0.0),
        *,
        n: int = 1,
        apart: bool = False,
    ) -> "_Holding":
        """Wait for a permit for one attempt at a call, and settle it on leaving.

        Args:
            most: an upper bound of what the attempt uses.
            delay: seconds to pause before it is granted, and seconds that the attempt before took until it failed.
            n: how many answers it may bring, each of which counts as a call.
            apart: whether the episode's limits do not count it.

        Raises:
            BudgetSpent: the run may not spend that much.
            EpisodeBudgetSpent: the episode may not.
        """
        pause, lost = delay
        reserve = Reserve(
            permit=f"{self._host.name}/{next(self._numbers)}",
            host=self._host.name,
            model=model,
            prompt_tokens=most.prompt_tokens,
            completion_tokens=most.completion_tokens,
            pause=pause,
            lost=lost,
            answers=n,
            apart=apart,
        )
        return _Holding(self._host, reserve, path, incarnation, self._known)

    async def queued(self) -> float:
        """For how many seconds the running episode has waited for permits and endpoints so far."""
        here = current()
        reply = await self._host.ask(_QUOTA, HasQueued(), path=here.path, incarnation=here.incarnation)
        return reply.seconds


@dataclass(slots=True, eq=False)
class _Holding:
    host: Host
    reserve: Reserve
    path: Path
    incarnation: int
    known: set[str]
    """The models that have answered."""
    held: "HeldPermit" = field(init=False)

    async def __aenter__(self) -> "HeldPermit":
        self.held = HeldPermit(self.reserve.permit)
        try:
            await self.host.ask(_QUOTA, self.reserve, path=self.path, incarnation=self.incarnation)
        except BaseException:
            self.host.tell(_QUOTA, self.held.settlement)
            raise
        return self.held

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.known.add(self.reserve.model)
        else:
            self.held.failed(error)
        self.host.tell(_QUOTA, self.held.settlement)


class HeldPermit:
    """A permit and its settlement."""

    def __init__(self, permit: Permit) -> None:
        self.permit = permit
        self.settlement = Settle(permit=permit, outcome="unused")

    def answered(self, completion: Completion, answers: int = 1) -> None:
        """The model answered, the first of its `answers` being this; what happens to them changes nothing.

        Usage of 0 tokens means that the model does not report it, unless the prompt did not fit: then nothing was used.
        """
        usage = completion.usage
        known = usage.prompt_tokens or usage.completion_tokens or completion.finish == "context_full"
        self.settlement = Settle(
            permit=self.permit, outcome="answered", usage=usage if known else None, answers=answers
        )

    def failed(self, error: BaseException) -> None:
        """The attempt ended by an exception; after an answer that changes nothing."""
        if self.settlement.outcome != "unused":
            return
        match error:
            case Overloaded(retry_after=after):
                # A plug-in may have put anything there.
                seconds = float(after) if isinstance(after, int | float) and 0 <= after < math.inf else None
                self.settlement = Settle(permit=self.permit, outcome="overloaded", retry_after=seconds)
            case NoAnswer():
                self.settlement = Settle(permit=self.permit, outcome="failed")
            case ModelFault() | EndpointUnavailable():
                self.settlement = Settle(permit=self.permit, outcome="refused")
            case _:
                self.settlement = Settle(permit=self.permit, outcome="failed")
