"""What the contexts of a method and of a learner share: the roles, branches, decisions and refusals."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from quintet.ports.roles import Roles
from quintet.roles.branches import Branches, branches
from quintet.roles.context import AnswerT, decide, unless_refused

_T = TypeVar("_T")


@dataclass(frozen=True)
class MethodContext:
    """The context of a coroutine that asks roles. It offers no model client, clock or Ray."""

    roles: Roles

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
