"""A tab's DevTools session.

Whatever is done in a page raises `NotAnswering` where a script in it does not end, and `playwright.async_api.Error`
where its tab was closed.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from playwright.async_api import CDPSession, Error

_NO_REPLY: Final = 10.0
"""Seconds after which a page that does nothing but answer is said not to answer."""


class NotAnswering(Exception):
    """A page does not answer: a script in it does not end, it is too busy, or it crashed."""


def is_gone(error: Error) -> bool:
    """Whether a call failed because what it asked has ended: a tab, or all of the browser."""
    return "has been closed" in error.message


class DevTools:
    """Sends commands, and hears of events."""

    def __init__(self, session: CDPSession) -> None:
        self.crashed = False
        """The page's process has ended."""
        self._session = session
        # The public wrapper walks the whole answer in Python, which takes ten times as long as reading it.
        self._answers: Any = session._impl_obj  # pyright: ignore[reportPrivateUsage]

    def on(self, event: str, handler: Callable[[Mapping[str, Any]], None]) -> None:
        """Call a function with each event of a kind."""
        self._session.on(event, handler)

    async def ask(self, command: str, seconds: float = _NO_REPLY, **parameters: Any) -> Mapping[str, Any]:
        """Send a command, and wait for the answer.

        Raises:
            NotAnswering: none came in time.
            playwright.async_api.Error: the browser answers that it cannot do that.
        """
        async with self.answering(seconds):
            answer: Mapping[str, Any] = await self._answers.send(command, parameters, None)
            return answer

    async def evaluate(self, script: str, seconds: float) -> Any:
        """The value of an expression in the page; None: it has none, or throws. Raises what `ask` does."""
        answer = await self.ask("Runtime.evaluate", seconds, expression=script, returnByValue=True)
        return answer["result"].get("value")

    @asynccontextmanager
    async def answering(self, seconds: float) -> AsyncGenerator[None]:
        """Within it, something is done in the page, for so many seconds.

        Raises:
            NotAnswering: it takes longer, or the page crashed.
            playwright.async_api.Error: the page cannot do that.
        """
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError as error:
            raise NotAnswering from error
        except Error as error:
            if self.crashed:
                raise NotAnswering from error
            raise
