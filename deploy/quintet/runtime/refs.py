"""Refs: a role of an open run, held by any code of the program and asked concurrently."""

from dataclasses import dataclass
from typing import Any, Generic, Protocol

from quintet.messages.message import ReplyT, Request
from quintet.messages.paths import Path
from quintet.ports.model import Usage


@dataclass(frozen=True)
class RefAnswer(Generic[ReplyT]):
    """A role's reply, and what it took."""

    reply: ReplyT
    path: Path
    """Of the visit, under which the journal has its calls if it keeps them."""
    calls: int
    """Model calls that were answered."""
    usage: Usage
    """Their tokens together."""
    dollars: float | None
    """Their cost in USD; None: one of the models has no price."""
    seconds: float
    """From the request to the reply."""


class Gateway(Protocol):
    """The way from a ref to its run."""

    async def ask(self, role: str, request: Request[ReplyT]) -> RefAnswer[ReplyT]:
        """See `Ref.ask`."""
        ...

    def remote_gateway(self) -> "Gateway":
        """The way to the same run from another process."""
        ...


class Ref:
    """A role of an open run. Hold it as long as the run is open; ask it concurrently, from any task of any thread.

    On Ray it may be an argument of your own tasks and actors, and is asked there too; it crosses to a process and back.
    Without Ray a run is in one process, and pickling a ref of it raises a `UsageError`.
    """

    def __init__(self, role: str, gateway: Gateway) -> None:
        self.role = role
        """Its name."""
        self._gateway = gateway

    async def ask(self, request: Request[ReplyT]) -> RefAnswer[ReplyT]:
        """Ask the role, and wait for its one reply. A cancelled ask ends its model calls too.

        Each ask stands alone: its path, its seeds and the sessions it opens are its own. To ask several things about
        one session, use `Evaluation.visit`.

        Raises:
            UsageError: the role does not answer such requests.
            RunClosed: the run is closed, or was before the reply.
            RunBusy: as many asks are under way as its `max_asks`.
            Fault: what kept the request from its reply. It is not asked again.
        """
        return await self._gateway.ask(self.role, request)

    def __reduce__(self) -> tuple[Any, ...]:
        return Ref, (self.role, self._gateway.remote_gateway())

    def __repr__(self) -> str:
        return f"Ref({self.role!r})"
