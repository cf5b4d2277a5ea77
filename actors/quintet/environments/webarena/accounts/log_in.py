"""Logs in to one site through its form, and asks whether somebody is still logged in."""

import re
from typing import TYPE_CHECKING, Final, cast

from msgspec import Struct

from quintet.environments.webarena.accounts.login_forms import LOGIN_FORMS, FoundBy
from quintet.environments.webarena.accounts.reach import LOGIN_SECONDS, load_page
from quintet.environments.webarena.accounts.sites_file import SiteAccount
from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.browser.tabs import StorageState
from quintet.errors import WorldFault

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Locator, Page

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
        answer = await context.request.get(f"{address}{LOGIN_FORMS[name].path}", timeout=LOGIN_SECONDS * 1000)
        return _SECRET_IN_HTML.search(await answer.text()) is not None
    except Error:
        return False


async def _try(page: "Page", name: SiteName, address: str, username: str, password: str) -> str:
    """Fill the form in and send it; in words what went wrong, or nothing.

    Errors of the browser are not passed on, since their logs may say what was typed.
    """
    from playwright.async_api import Error

    page.set_default_timeout(LOGIN_SECONDS * 1000)
    form = LOGIN_FORMS[name]
    if failure := await load_page(page, address, form.path):
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
        late = f" in {LOGIN_SECONDS:g} s" if type(error).__name__ == "TimeoutError" else ""
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
