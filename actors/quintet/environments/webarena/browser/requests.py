"""What a window asks servers for: which hosts it may ask, what is on its way, and whether more than GET was sent."""

from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Error, Page, Request

_PORTS = {"http": 80, "https": 443}


class AllowedHosts:
    """Hosts, each with a port or with all of its ports.

    Args:
        hosts: `shop.example:7770`, or `shop.example` for all ports; `[::1]:7770`.
    """

    def __init__(self, hosts: Collection[str]) -> None:
        self._hosts = frozenset(host.lower() for host in hosts)

    def allow(self, url: str) -> bool:
        """Whether an address may be loaded: one of these hosts, by http or https, or an empty page."""
        if url == "about:blank":
            return True
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme)
        except ValueError:
            return False
        host = f"[{host}]" if ":" in host else host
        return parts.scheme in _PORTS and (host in self._hosts or f"{host}:{port}" in self._hosts)

    @property
    def bypass(self) -> str:
        """The list of hosts that a browser asks without its proxy."""
        # Else, where `localhost` is among them, every address of this machine and of its links would be asked.
        return ",".join(("<-loopback>", *sorted(self._hosts)))


def host_of(url: str) -> str:
    """The host of an address, or the address if it has none."""
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url


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
