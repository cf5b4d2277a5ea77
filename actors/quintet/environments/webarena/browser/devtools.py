"""A tab's DevTools session."""

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

_NO_REPLY: Final = 2.0
"""Seconds after which a page that does nothing but answer is said not to answer."""


class NotAnswering(Exception):
    """A page does not answer: a script in it does not end, or it is too busy."""


class DevTools:
    """Sends commands, and hears of events."""

    def __init__(self, session: "CDPSession") -> None:
        self._session: Any = session  # its answers have no types

    def on(self, event: str, handler: Callable[[Mapping[str, Any]], None]) -> None:
        """Call a function with each event of a kind."""
        self._session.on(event, handler)

    async def ask(self, command: str, seconds: float = _NO_REPLY, **parameters: Any) -> Mapping[str, Any]:
        """Send a command, and wait for the answer.

        Raises:
            NotAnswering: none came in time.
            playwright.async_api.Error: the browser answers that it cannot do that.
        """
        try:
            answer: Mapping[str, Any] = await asyncio.wait_for(self._session.send(command, parameters), seconds)
        except TimeoutError as error:
            raise NotAnswering from error
        return answer
