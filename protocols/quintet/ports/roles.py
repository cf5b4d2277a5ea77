"""How an actor asks another one without knowing where it lives."""

from typing import Protocol

from quintet.messages.message import ReplyT, Request


class Roles(Protocol):
    """The roles as a conversation asks them. Every kind of request is answered by one role."""

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Send a request to the role that answers it and wait for the one reply.

        A request about a session goes to the host that holds the session.

        Raises:
            Fault: the request could not be answered. Methods do not catch it.
        """
        ...
