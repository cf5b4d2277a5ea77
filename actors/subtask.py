"""The subtask role: the actor in which a method's coroutine runs. An episode is the outermost one."""

import asyncio
from typing import Any

from actors.conversation import current
from actors.episode import Episode
from actors.methods.method import Method
from protocols.environment import Open
from protocols.events import Decided
from protocols.ingredients import Ingredient
from protocols.refs import Roles
from protocols.solving import Solve, Solved, SubtaskRequest, Unsolved

_TIME_LIMIT = "time limit"


class Subtask:
    """Runs a method. Keeps nothing between requests.

    Args:
        method: whose coroutine runs.
        config: an instance of `method.config`.
        ingredients: what the executor is shown before every task.
        roles: whom the coroutine may ask.
        time_limit: working time of an episode in seconds, None for no limit. That it ran out is a decision under the
            episode's path, so a replay ends in the same place.
    """

    def __init__(
        self,
        method: Method,
        config: Any,
        ingredients: tuple[Ingredient, ...],
        roles: Roles,
        *,
        time_limit: float | None = None,
    ) -> None:
        self._method = method
        self._config = config
        self._ingredients = ingredients
        self._roles = roles
        self._time_limit = time_limit

    async def receive(self, request: SubtaskRequest) -> Solved | Unsolved:
        if request.session is not None:
            return await self._method.solve(self._episode(request))
        return await self._outermost(request)

    async def _outermost(self, request: Solve) -> Solved | Unsolved:
        here = current()
        cut_short = Unsolved(session=None, reward=0.0, done=False, reason=_TIME_LIMIT)
        if here.recording.here(Decided.kind) is not None:
            return cut_short
        timer = asyncio.timeout(self._time_limit)
        try:
            async with timer:
                opened = await self._roles.environment().ask(Open(task=request.task))
                posed = Solve(
                    task=request.task,
                    session=opened.session,
                    setting=opened.setting,
                    goal=opened.goal,
                    depth=request.depth,
                )
                return await self._method.solve(self._episode(posed))
        except TimeoutError:
            if not timer.expired():
                raise
            await here.commit(Decided(path=here.path, question=_TIME_LIMIT, answer="true"))
            return cut_short

    def _episode(self, request: Solve) -> Episode[Any]:
        assert request.session is not None
        return Episode(
            config=self._config,
            roles=self._roles,
            task=request.task,
            session=request.session,
            setting=request.setting,
            goal=request.goal,
            depth=request.depth,
            ingredients=self._ingredients,
        )
