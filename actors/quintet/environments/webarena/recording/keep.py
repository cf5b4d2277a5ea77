"""Keeps the pages that a window loads."""

import asyncio
from typing import TYPE_CHECKING, Final

from quintet.environments.webarena.recording.archive import SavedPage

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Response

_KEPT_HEADERS: Final = ("content-type", "location")
_REDIRECTS: Final = range(300, 400)


class PageKeeper:
    """Keeps the answer to the first GET of each address."""

    def __init__(self, context: "BrowserContext") -> None:
        self._pages: dict[str, SavedPage] = {}
        self._reading: set[asyncio.Task[None]] = set()
        context.on("response", self._keep)

    async def pages(self) -> dict[str, SavedPage]:
        """By address, in the order in which they were asked for first."""
        while self._reading:
            await asyncio.gather(*self._reading)
        return dict(self._pages)

    def _keep(self, response: "Response") -> None:
        url = without_fragment(response.url)
        if response.request.method != "GET" or url in self._pages or not url.startswith("http"):
            return
        headers = {name: value for name, value in response.headers.items() if name.lower() in _KEPT_HEADERS}
        self._pages[url] = SavedPage(url=url, status=response.status, headers=headers, body=b"")
        if response.status not in _REDIRECTS:
            reading = asyncio.get_running_loop().create_task(self._read(url, response))
            self._reading.add(reading)
            reading.add_done_callback(self._reading.discard)

    async def _read(self, url: str, response: "Response") -> None:
        from playwright.async_api import Error

        page = self._pages[url]
        try:
            body = await response.body()
        except Error:
            return  # the tab left the page before it was there
        self._pages[url] = SavedPage(url=url, status=page.status, headers=page.headers, body=body)


def without_fragment(url: str) -> str:
    """An address as a server is asked for it."""
    return url.partition("#")[0]
