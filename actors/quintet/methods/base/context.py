"""What the contexts of a method and of a learner share: the roles, branches, decisions and refusals."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from quintet.messages.completion import Complete, Completed
from quintet.messages.prompts import ChatMessage
from quintet.ports.model import SamplingOverride
from quintet.ports.roles import Roles
from quintet.roles.branches import Branches, branches
from quintet.roles.context import AnswerT, decide, unless_refused

_T = TypeVar("_T")


@dataclass(frozen=True)
class MethodContext:
    """The context of a coroutine that asks roles. It offers no model client, clock or Ray."""

    roles: Roles

    async def complete(
        self, role: str, *messages: ChatMessage, sampling: SamplingOverride | None = None, stop: tuple[str, ...] = ()
    ) -> Completed:
        """Let a model role that the method brings continue a conversation: `complete("critic", user(text))`.

        Args:
            messages: oldest first; at least one.
            sampling: how far completions vary; None: as the role is configured.
            stop: texts at which the completion ends, without them.

        Raises:
            LookupError: the method brings no such role.
        """
        return await self.roles.ask(Complete(role=role, messages=messages, sampling=sampling, stop=stop))

    def branches(self, *, spread: bool = False) -> Branches:
        """Run several things in parallel; see `quintet.roles.branches`.

        Args:
            spread: over the hosts. A branch's model calls, prompts and world steps move, if it acts in a copy that it
                made of a session (`Episode.forked`).
        """
        return branches(spread=spread)

    async def decide(self, question: str, answer: AnswerT) -> AnswerT:
        """Journal a choice that depends on time or arrival; see `quintet.roles.context`."""
        return await decide(question, answer)

    async def unless_refused(self, work: Callable[..., Coroutine[Any, Any, _T]], *args: Any) -> _T | None:
        """Run `work(*args)`; None if a model permanently refuses it; see `quintet.roles.context`."""
        return await unless_refused(work, *args)
