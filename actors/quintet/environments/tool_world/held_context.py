"""An asynchronous context that is entered and exited by one task, and exited in every case."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

from quintet.errors import WorldFault, one_line


class HeldContext:
    """Holds a context open between two calls that are made by different tasks.

    Some contexts, such as an MCP client's, can only be exited by the task that entered them. It is also exited if
    entering it is cancelled, or exiting it.

    Args:
        context: what `async with` takes.
        label: of the world and the task, for errors.
    """

    def __init__(self, context: AbstractAsyncContextManager[Any], label: str) -> None:
        self._label = label
        self._exiting = asyncio.Event()
        self._entered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(self._hold(context))
        """Ends when the context is exited."""

    async def enter(self) -> Any:
        """What the context gives; raises what entering it raises."""
        try:
            await asyncio.wait((self._entered, self.task), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._exiting.set()  # it may be entered all the same
            self.task.cancel()
            await asyncio.wait((self.task,))
            raise
        if self._entered.done():
            return self._entered.result()
        if not self.task.cancelled() and (error := self.task.exception()) is not None:
            raise error
        raise self._ended()

    def check(self) -> None:
        """Raises WorldFault if it was exited before anybody asked, as when what it waits for broke down."""
        if self.task.done():
            raise self._ended()

    async def exit(self) -> None:
        """Exit it, and wait for the end; raises what exiting it raises, and WorldFault if it cancelled itself."""
        self._exiting.set()
        try:
            await self.task
        except asyncio.CancelledError:
            if (caller := asyncio.current_task()) is not None and caller.cancelling():
                raise
            raise self._ended() from None

    @asynccontextmanager
    async def exited_on_error(self) -> AsyncGenerator[None]:
        """Exit it if what is done inside raises. What exiting raises then tells less, and is dropped."""
        try:
            yield
        except BaseException:
            with suppress(Exception):
                await self.exit()
            raise

    async def _hold(self, context: AbstractAsyncContextManager[Any]) -> None:
        async with context as value:
            self._entered.set_result(value)
            await self._exiting.wait()

    def _ended(self) -> WorldFault:
        error = None if self.task.cancelled() else self.task.exception()
        why = "by itself" if error is None else f"with {type(error).__name__}: {one_line(error)}"
        fault = WorldFault(f"{self._label}: expected a session that stays open, got one that ended {why}")
        fault.__cause__ = error
        return fault
