"""Logs in to sites through their forms, once a host; cookies are kept in memory only."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast
from urllib.parse import urlsplit

from msgspec import Struct

from quintet.environments.webarena.accounts.sites_file import LOGIN_FORMS, FoundBy, SiteAccount, SitesFile
from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.browser.tabs import StorageState
from quintet.errors import WorldFault

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Locator, Page, Request

_LOGIN_SECONDS: Final = 30.0
"""For a page to load, and for a form to appear. The official shop takes 10 s for its first page."""
_BROKEN: Final = 500
"""From this status on, it is the server that failed."""
_SECRET_FIELD: Final = "input[type=password]:visible"
_SECRET_IN_HTML: Final = re.compile(r"""<input\b[^>]*\btype\s*=\s*["']?password\b""", re.IGNORECASE)


class LoggedIn(Struct, frozen=True, kw_only=True):
    """A login that was made."""

    state: StorageState
    """Cookies; never shown, and kept in memory only."""
    form_gone: bool
    """The address of the form shows none to who is logged in, so that it tells whether they still are."""

    def __repr__(self) -> str:
        return "LoggedIn()"


async def log_in(context: "BrowserContext", name: SiteName, address: str, account: SiteAccount) -> LoggedIn:
    """Log in, and return the cookies with which pages are opened as that user.

    Args:
        context: a new one, which sends requests to that site.

    Raises:
        UsageError: the password is not there any more.
        WorldFault: the site cannot be reached, has no such form, or refuses the account. No text has a secret.
    """
    password = account.password.reveal()
    page = await context.new_page()
    failure = await _try(page, name, address, account.username, password)
    if failure:
        await context.cookies()  # fails by itself if the browser has ended, in words that have no secret
        raise WorldFault(f"webarena: {name}: log in: {failure} ({address})")
    form_gone = not await shows_form(context, name, address)
    return LoggedIn(state=cast("StorageState", await context.storage_state()), form_gone=form_gone)


async def shows_form(context: "BrowserContext", name: SiteName, address: str) -> bool:
    """Whether the address of a site's form shows it to a context's user; False where it does not answer."""
    from playwright.async_api import Error

    try:
        answer = await context.request.get(f"{address}{LOGIN_FORMS[name].path}", timeout=_LOGIN_SECONDS * 1000)
        return _SECRET_IN_HTML.search(await answer.text()) is not None
    except Error:
        return False


async def _try(page: "Page", name: SiteName, address: str, username: str, password: str) -> str:
    """Fill the form in and send it; in words what went wrong, or nothing.

    Errors of the browser are not passed on, since their logs may say what was typed.
    """
    from playwright.async_api import Error

    page.set_default_timeout(_LOGIN_SECONDS * 1000)
    form = LOGIN_FORMS[name]
    if failure := await _load_page(page, address, form.path):
        return failure
    step = "a field for the user's name"
    try:
        await _find(page, form.name).fill(username)
        step = "a field for the password"
        await _find(page, form.secret).fill(password)
        step = "a button that sends the form"
        await _find(page, form.button).click()
        step = "a page that loads after the form was sent"
        await page.wait_for_load_state("domcontentloaded")
        refused = await page.locator(_SECRET_FIELD).count() > 0
    except Error as error:
        late = f" in {_LOGIN_SECONDS:g} s" if type(error).__name__ == "TimeoutError" else ""
        return f"expected {step}, got none{late}"
    return "expected to be logged in, got the form again: is the password right?" if refused else ""


def _find(page: "Page", field: FoundBy) -> "Locator":
    match field:
        case "label", text:
            found = page.get_by_label(text, exact=True)
        case "placeholder", text:
            found = page.get_by_placeholder(text, exact=True)
        case "test id", text:
            found = page.get_by_test_id(text)
        case _:
            found = page.get_by_role("button", name=field[1], exact=True)
    return found.first


async def reach_site(context: "BrowserContext", name: SiteName, address: str) -> None:
    """Load the first page of a site that nobody logs in to."""
    failure = await _load_page(await context.new_page(), address)
    if failure:
        await context.cookies()  # fails by itself if the browser has ended
        raise WorldFault(f"webarena: {name}: {failure} ({address})")


async def _load_page(page: "Page", address: str, path: str = "") -> str:
    """Load a page of a site; in words what came in its place, or nothing."""
    from playwright.async_api import Error

    asked = [address]

    def note(request: "Request") -> None:
        if request.is_navigation_request() and request.frame == page.main_frame:
            asked.append(request.url)

    page.on("request", note)
    status, reason = 0, ""
    try:
        answer = await page.goto(f"{address}{path}", wait_until="domcontentloaded", timeout=_LOGIN_SECONDS * 1000)
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
    return next((word for word in words if word.startswith("net::")), f"no answer in {_LOGIN_SECONDS:g} s")


SiteLogin: TypeAlias = Callable[[SiteName, str, SiteAccount], Awaitable[LoggedIn]]
"""Logs in to a site at an address as somebody."""


class SiteLogins:
    """Logs in to each site when a session first needs it, and hands its cookies to all later ones."""

    def __init__(self, sites: SitesFile, login: SiteLogin) -> None:
        self._sites = sites
        self._login = login
        self._made: dict[SiteName, LoggedIn] = {}
        self._turn = asyncio.Lock()

    async def state(self, names: Collection[SiteName]) -> StorageState:
        """The cookies of the users of some sites; those that nobody logs in to have none."""
        cookies: list[Any] = []
        origins: list[Any] = []
        async with self._turn:
            for name in sorted(names):
                account = self._sites.accounts.get(name)
                if account is None:
                    continue
                if name not in self._made:
                    self._made[name] = await self._login(name, self._sites.addresses[name], account)
                cookies += self._made[name].state["cookies"]
                origins += self._made[name].state["origins"]
        return {"cookies": cookies, "origins": origins}

    def telling(self, names: Collection[SiteName]) -> dict[SiteName, str]:
        """Sites, with their addresses, that tell whether a login still holds."""
        return {
            name: self._sites.addresses[name] for name in names if name in self._made and self._made[name].form_gone
        }

    def forget(self, names: Collection[SiteName]) -> None:
        """Log in anew the next time, since the sites no longer take the cookies."""
        for name in names:
            self._made.pop(name, None)
