"""The browser of an event loop, which all worlds on it share: a host has one, however many worlds it makes."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from quintet.errors import UsageError

if TYPE_CHECKING:
    from quintet.environments.webarena.browser.browser import Browser


_BROWSERS: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[Path | None, float], "Browser"]]] = (
    WeakKeyDictionary()
)


class HostBrowser:
    """A world's share of the browser of its loop, which starts with the first window unless it is started before.

    The last world that is closed ends the browser. One that is only dropped leaves it to the next.

    Args:
        pause: seconds between loading a page and reading it for an evaluator.
    """

    def __init__(self, chromium: Path | None = None, *, pause: float = 0.0) -> None:
        self._key = chromium, pause
        self._shared: Browser | None = None

    @property
    def browser(self) -> "Browser":
        """The browser, which this world uses from now on."""
        from quintet.environments.webarena.browser.browser import Browser  # imports playwright

        if self._shared is None:
            here = _BROWSERS.setdefault(asyncio.get_running_loop(), {})
            if self._key not in here:
                chromium, pause = self._key
                here[self._key] = Browser(chromium, pause=pause)
            self._shared = here[self._key]
            self._shared.users.add(self)
        return self._shared

    def lacking(self) -> str:
        """Why no browser could be started here; empty: one could."""
        from quintet.environments.webarena.browser.launch import find_chromium  # imports playwright

        try:
            find_chromium(self._key[0])
        except UsageError as error:
            return str(error)
        return ""

    async def close(self) -> None:
        """End the browser, unless another world uses it."""
        if self._shared is None:
            return
        shared, self._shared = self._shared, None
        shared.users.discard(self)
        if not shared.users:
            _BROWSERS.get(asyncio.get_running_loop(), {}).pop(self._key, None)
            await shared.close()
