"""Loads a site's page, and says in words why another was shown or none."""

from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from quintet.environments.webarena.addresses import SiteName
from quintet.errors import WorldFault

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Request

LOGIN_SECONDS: Final = 30.0
"""For a page to load, and for a form to appear. The official shop takes 10 s for its first page."""
_BROKEN: Final = 500
"""From this status on, it is the server that failed."""


async def reach_site(context: "BrowserContext", name: SiteName, address: str) -> None:
    """Load the first page of a site that nobody logs in to."""
    failure = await load_page(await context.new_page(), address)
    if failure:
        await context.cookies()  # fails by itself if the browser has ended
        raise WorldFault(f"webarena: {name}: {failure} ({address})")


async def load_page(page: "Page", address: str, path: str = "") -> str:
    """Load a page of a site; in words what came in its place, or nothing."""
    from playwright.async_api import Error

    asked = [address]

    def note(request: "Request") -> None:
        if request.is_navigation_request() and request.frame == page.main_frame:
            asked.append(request.url)

    page.on("request", note)
    status, reason = 0, ""
    try:
        answer = await page.goto(f"{address}{path}", wait_until="domcontentloaded", timeout=LOGIN_SECONDS * 1000)
        status = 0 if answer is None else answer.status
        asked.append(page.url)
    except Error as error:
        reason = _reason(error)
    if urlsplit(asked[-1]).netloc != urlsplit(address).netloc:
        return f"expected a page of this site, got one of {asked[-1].split('?')[0]}"
    if reason or status >= _BROKEN:
        return f"expected a page, got {reason or f'status {status}'}"
    return ""


def _reason(error: Exception) -> str:
    """What the browser says of an address: `net::ERR_CONNECTION_REFUSED`. No form was filled in yet."""
    words = str(error).split()
    return next((word for word in words if word.startswith("net::")), f"no answer in {LOGIN_SECONDS:g} s")
