"""Pages of a recording in place of sites."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import urldefrag

from quintet.environments.webarena.addresses import SiteAddresses, SiteName
from quintet.environments.webarena.browser.tabs import WebCookie
from quintet.environments.webarena.evaluators.functions import SiteFacts
from quintet.environments.webarena.provision.port import SessionSites, SiteProvider
from quintet.environments.webarena.recording.archive import PageRecording, SavedPage

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Route, WebSocketRoute

NOT_RECORDED: Final = "This page is not in the recording."
_PAGE: Final = f"<!doctype html><title>Not recorded</title><p>{NOT_RECORDED}</p>"

_ANY: Final = re.compile("")
_REFUSED: Final = 1008
"""Why a WebSocket is closed: a policy is against it."""


class RecordedSites(SiteProvider):
    """Serves the pages of one recording to each session."""

    def __init__(self, recording: PageRecording) -> None:
        self._recording = recording
        self.version = f"pages={recording.digest}"
        self.names = tuple(recording.addresses)

    def refusal(self, task: str) -> str:
        return "" if task == self._recording.task else "is not in the recording"

    async def open(self, sites: Collection[SiteName], changes: bytes | None = None) -> SessionSites:
        return RecordedSessionSites(self._recording)


class RecordedSessionSites(SessionSites):
    """The pages, at the addresses that they had when they were recorded."""

    note = "The pages come from a recording; only what was loaded then is there."

    def __init__(self, recording: PageRecording) -> None:
        super().__init__(SiteAddresses(recording.addresses), SiteFacts())
        self._recording = recording

    async def furnish(self, context: "BrowserContext") -> None:
        await serve_recorded(context, {page.url: page for page in self._recording.pages})

    def shown_cookies(self, cookies: Sequence[WebCookie]) -> tuple[WebCookie, ...]:
        return ()


async def serve_recorded(context: "BrowserContext", pages: Mapping[str, SavedPage]) -> None:
    """Answer all that a window asks for, from now on.

    A GET that was not recorded, and everything that is no GET, is answered with a page that says so; a WebSocket is
    closed.
    """

    async def answer(route: "Route") -> None:
        request = route.request
        page = pages.get(urldefrag(request.url).url) if request.method == "GET" else None
        if page is None:
            await route.fulfill(status=404, content_type="text/html", body=_PAGE)
        else:
            await route.fulfill(status=page.status, headers=dict(page.headers), body=page.body)

    async def close(socket: "WebSocketRoute") -> None:
        await socket.close(code=_REFUSED, reason=NOT_RECORDED)

    await context.route("**/*", answer)
    await context.route_web_socket(_ANY, close)
