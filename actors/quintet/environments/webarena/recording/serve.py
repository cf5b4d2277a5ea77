"""Serves a window from a recording; nothing is sent anywhere."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from quintet.environments.webarena.recording.archive import SavedPage
from quintet.environments.webarena.recording.keep import without_fragment

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Route

NOT_RECORDED: Final = "This page is not in the recording."
_PAGE: Final = f"<!doctype html><title>Not recorded</title><p>{NOT_RECORDED}</p>"


async def serve_recorded(context: "BrowserContext", pages: Mapping[str, SavedPage]) -> None:
    """Answer all that a window asks for, from now on.

    A GET that was not recorded, and everything that is no GET, is answered with a page that says so.

    Args:
        context: of the window.
        pages: by address.
    """

    async def answer(route: "Route") -> None:
        request = route.request
        page = pages.get(without_fragment(request.url)) if request.method == "GET" else None
        if page is None:
            await route.fulfill(status=404, content_type="text/html", body=_PAGE)
        else:
            await route.fulfill(status=page.status, headers=dict(page.headers), body=page.body)

    await context.route("**/*", answer)
