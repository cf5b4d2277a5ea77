"""How an actor sends a request to another one without knowing its host."""

from typing import Protocol

from quintet.messages.message import ReplyT, Request


class Roles(Protocol):
    """The roles of a run. Every kind of request is answered by one role."""

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Send a request to the role that answers it and wait for the one reply.

        A request about a session goes to the host that holds the session.

        Raises:
            Fault: the request could not be answered. Methods do not catch it.
        """
        ...
