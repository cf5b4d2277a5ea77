"""One live session of a task: its page, and what was done on it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from quintet.environments.miniwob.page import NO_ADDRESSES, PageVerdict, TaskPage
from quintet.environments.miniwob.walks import next_action
from quintet.environments.webarena.actions import (
    Click,
    Hover,
    Press,
    Scroll,
    Type,
    UnreadableAction,
    WebStop,
    read_web_action,
)
from quintet.environments.webarena.progress import page_digest
from quintet.environments.webarena.session import WEB_TASK_ENDED
from quintet.messages.environment import Task
from quintet.ports.async_world import AsyncState
from quintet.ports.world import Opening, Outcome

_ONE_PAGE: Final = "There is one page, and it stays open: expected click, hover, type, press, scroll or stop."


class MiniwobSnapshot(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """All of a session but its task: what was done, and by what a repetition is checked."""

    actions: tuple[str, ...]
    digest: bytes
    """Of the page that was seen last."""
    verdict: PageVerdict | None


class MiniwobSession(AsyncState):
    """A session in a window of its own, until it is closed. `begin` comes first.

    Args:
        max_steps: the action after which the page's time is over.
        characters: the most of a page that are shown.
        restore: makes a session of a snapshot, for forks.
    """

    def __init__(
        self, task: Task, page: TaskPage, *, max_steps: int, characters: int, restore: "_RestoreSession"
    ) -> None:
        self._task = task
        self.page = page
        self._max_steps = max_steps
        self._characters = characters
        self._restore = restore
        self._taken: tuple[str, ...] = ()
        self._verdict: PageVerdict | None = None
        self._closing: asyncio.Future[None] | None = None

    async def begin(self) -> None:
        """Open the page, and begin its task."""
        self.asked = await self.page.begin(self._task.name, self._task.seed, self._max_steps)
        self._seen = await self.page.look(self._characters)
        goal = self.asked.rstrip(".!?").rstrip()
        setting = self._seen.observation
        self.opening = Opening(observation=f"{setting}\n\nOBJECTIVE: {goal}", setting=setting, goal=goal)
        self.observation = self.opening.observation

    async def step(self, action: str) -> Outcome:
        if self._verdict is not None:
            return self._outcome(WEB_TASK_ENDED, rejected=True)
        action = action.encode(errors="replace").decode()  # what UTF-8 cannot encode becomes a question mark
        try:
            wanted = read_web_action(action)
        except UnreadableAction as error:
            return self._outcome(str(error), rejected=True)
        match wanted:
            case WebStop():
                self._verdict = PageVerdict()
            case Click() | Hover() | Type() | Press() | Scroll():
                refused = await self.page.window.carry_out(wanted, self._seen.tree.elements)
                if refused:
                    return self._outcome(refused, rejected=True)
                await self.page.pass_time()
                self._verdict = await self.page.verdict()
            case _:
                return self._outcome(_ONE_PAGE, rejected=True)
        self._taken = (*self._taken, action)
        if self._verdict is None:
            self._seen = await self.page.look(self._characters)
        self.observation = self._seen.observation if self._verdict is None else WEB_TASK_ENDED
        return self._outcome(self.observation, rejected=False)

    async def expert(self) -> tuple[str, ...] | None:
        """What the task's walk says to do next, if it has one."""
        if self._verdict is not None:
            return ()
        return next_action(self._task.name, self.asked, self._taken, self.observation)

    async def fork(self) -> "MiniwobSession":
        return await self._restore(self._task, await self.snapshot())

    async def snapshot(self) -> bytes:
        held = MiniwobSnapshot(self._taken, page_digest(self._seen, NO_ADDRESSES), self._verdict)
        return msgspec.msgpack.encode(held)

    async def close(self) -> None:
        """Close the window, even if the caller is cancelled. A second call has no effect."""
        self._closing = self._closing or asyncio.ensure_future(self.page.window.close())
        await asyncio.shield(self._closing)

    def _outcome(self, said: str, *, rejected: bool) -> Outcome:
        verdict = self._verdict
        return Outcome(
            observation=said,
            reward=0.0 if verdict is None else _share(verdict.raw),
            done=verdict is not None,
            rejected=rejected,
            figures={} if verdict is None else {"decayed": _share(verdict.decayed)},
        )


_RestoreSession: TypeAlias = Callable[[Task, bytes], Coroutine[Any, Any, MiniwobSession]]


def _share(reward: float) -> float:
    return min(max(reward, 0.0), 1.0)
