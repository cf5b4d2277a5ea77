"""Refs: how an actor asks another without knowing where it lives."""

from typing import Protocol

from quintet.messages.environment import Session
from quintet.messages.message import ReplyT, Request


class Ref(Protocol):
    """A reference to a role, on whichever host."""

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Send a request and wait for its one reply.

        Raises:
            Fault: the request could not be answered. Methods do not catch it.
        """
        ...


class Roles(Protocol):
    """The roles as a method sees them."""

    @property
    def planner(self) -> Ref: ...

    @property
    def executor(self) -> Ref: ...

    @property
    def reflector(self) -> Ref: ...

    def environment(self, session: Session | None = None) -> Ref:
        """The environment that holds `session`; without one, the one to open a new session at."""
        ...

    def subtask(self, session: Session | None = None) -> Ref:
        """Where a subtask that acts in `session` runs."""
        ...


class LearnerRoles(Roles, Protocol):
    """The roles as a learner sees them, on the driver's host."""

    @property
    def episodes(self) -> Ref:
        """The role that runs episodes for it."""
        ...
