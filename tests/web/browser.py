"""A real Chromium for tests, driven by Playwright."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from quintet.environments.webarena.browser.launch import find_chromium
from quintet.errors import UsageError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog


def no_chromium() -> str:
    """Why tests marked `web` are skipped; empty: they are not."""
    try:
        find_chromium()
    except UsageError as error:
        return str(error)
    return ""


@contextmanager
def chromium() -> "Generator[Browser]":
    """A browser without a window. As long as it is there, this thread has an event loop that runs."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        yield browser
        browser.close()


class Watched:
    """A tab of which every request, error and dialog is kept.

    Args:
        browser: to open it in, with cookies of its own.
        scheme: of colours: light or dark.
    """

    def __init__(self, browser: "Browser", scheme: Literal["light", "dark"] = "light") -> None:
        self.requests: list[str] = []
        self.errors: list[str] = []
        context = browser.new_context(color_scheme=scheme, viewport={"width": 1440, "height": 900})
        context.set_default_timeout(10_000)
        self.page = context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", self._dialog)

    def _console(self, message: "ConsoleMessage") -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _dialog(self, dialog: "Dialog") -> None:
        self.errors.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def go(self, address: str) -> None:
        """To another page of the viewer: what follows the # of its address."""
        self.page.evaluate("address => { location.hash = address }", address)
