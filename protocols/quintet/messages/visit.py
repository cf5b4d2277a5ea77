"""A visit from another process: a ref of a run asks through one of its hosts."""

from quintet.errors import FaultNote
from quintet.messages.message import Message, Request
from quintet.messages.paths import Path
from quintet.ports.model import Usage


class Visited(Message, frozen=True, kw_only=True, tag="visited"):
    """The role replied."""

    reply: bytes
    """Encoded."""
    path: Path
    """Of the visit."""
    calls: int
    """Model calls that were answered."""
    usage: Usage
    """Their tokens together."""
    dollars: float | None
    """Their cost in USD; None: one of the models has no price."""
    seconds: float
    """From the request to the reply, at the run."""


class VisitFailed(Message, frozen=True, kw_only=True, tag="visit_failed"):
    """There is no reply."""

    fault: FaultNote


class Visit(Request[Visited | VisitFailed], frozen=True, kw_only=True, tag="visit"):
    """Ask a role from outside any episode."""

    role: str
    request: bytes
    """One that the role answers, encoded."""
