"""What a window asks servers for: what is still on its way, and whether anything but GET and HEAD was sent."""

from typing import Final

from playwright.async_api import BrowserContext, Error, Page, Request

_READS: Final = ("GET", "HEAD")
_ENDLESS: Final = ("websocket", "eventsource", "ping", "media")
"""What is open as long as its page."""


class RequestWatch:
    """Counts the requests of a context."""

    def __init__(self, context: BrowserContext) -> None:
        self.sent_changes = False
        self.failures: dict[str, str] = {}
        """Why navigations failed, in the browser's words, by address."""
        self._open: dict[Request, int] = {}
        self._count = 0
        context.on("request", self._begun)
        context.on("requestfinished", self._ended)
        context.on("requestfailed", self._failed)

    @property
    def mark(self) -> int:
        """The number of requests so far."""
        return self._count

    def open_since(self, mark: int, page: Page) -> bool:
        """Whether a request that a page began after `mark` is still on its way."""
        return any(number > mark and _of(request, page) for request, number in self._open.items())

    def _begun(self, request: Request) -> None:
        self._count += 1
        self.sent_changes = self.sent_changes or request.method not in _READS
        if request.resource_type not in _ENDLESS:
            self._open[request] = self._count

    def _failed(self, request: Request) -> None:
        self._ended(request)
        if request.is_navigation_request():
            self.failures[request.url] = request.failure or "no reason given"

    def _ended(self, request: Request) -> None:
        self._open.pop(request, None)


def _of(request: Request, page: Page) -> bool:
    try:
        return request.frame.page is page
    except Error:
        return False  # of a service worker, or of a page that is not there yet
