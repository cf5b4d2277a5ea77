"""Serves a window from a recording; nothing is sent anywhere."""

from collections.abc import Mapping
from re import compile as pattern
from typing import TYPE_CHECKING, Final

from quintet.environments.webarena.recording.archive import SavedPage
from quintet.environments.webarena.recording.keep import without_fragment

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Route, WebSocketRoute

NOT_RECORDED: Final = "This page is not in the recording."
_PAGE: Final = f"<!doctype html><title>Not recorded</title><p>{NOT_RECORDED}</p>"

_ANY: Final = pattern("")
_REFUSED: Final = 1008
"""Why a WebSocket is closed: a policy is against it."""


async def serve_recorded(context: "BrowserContext", pages: Mapping[str, SavedPage]) -> None:
    """Answer all that a window asks for, from now on.

    A GET that was not recorded, and everything that is no GET, is answered with a page that says so; a WebSocket is
    closed.
    """

    async def answer(route: "Route") -> None:
        request = route.request
        page = pages.get(without_fragment(request.url)) if request.method == "GET" else None
        if page is None:
            await route.fulfill(status=404, content_type="text/html", body=_PAGE)
        else:
            await route.fulfill(status=page.status, headers=dict(page.headers), body=page.body)

    async def close(socket: "WebSocketRoute") -> None:
        await socket.close(code=_REFUSED, reason=NOT_RECORDED)

    await context.route("**/*", answer)
    await context.route_web_socket(_ANY, close)
