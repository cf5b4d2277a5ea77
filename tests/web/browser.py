"""A real Chromium, driven by Playwright, which is only in the environment of `make test-web`."""

import os
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Protocol, cast

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"


class Locator(Protocol):
    """What matches a selector, now or soon."""

    @property
    def first(self) -> "Locator": ...
    def click(self) -> None: ...
    def fill(self, value: str) -> None: ...
    def count(self) -> int: ...
    def inner_text(self) -> str: ...
    def wait_for(self) -> None: ...


class Page(Protocol):
    """A tab; see Playwright's own documentation."""

    def goto(self, url: str) -> object: ...
    def evaluate(self, script: str, argument: object = None) -> Any: ...
    def locator(self, selector: str) -> Locator: ...
    def get_by_text(self, text: str, *, exact: bool = False) -> Locator: ...
    def wait_for_function(self, script: str, *, arg: object = None) -> object: ...
    def screenshot(self, *, path: str) -> bytes: ...
    def on(self, event: str, handler: Callable[[Any], None]) -> None: ...
    def close(self) -> None: ...


class Browser(Protocol):
    """A browser; every context has cookies of its own."""

    def new_context(self, **options: Any) -> Any: ...
    def close(self) -> None: ...


@contextmanager
def chromium() -> Generator[Browser]:
    """A browser without a window."""
    api = import_module("playwright.sync_api")
    with api.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield cast("Browser", browser)
        browser.close()


class Watched:
    """A tab of which every request, error and dialog is kept.

    Args:
        browser: to open it in, with cookies of its own.
        scheme: of colours: light or dark.
    """

    def __init__(self, browser: Browser, scheme: str = "light") -> None:
        self.requests: list[str] = []
        self.errors: list[str] = []
        context = browser.new_context(color_scheme=scheme, viewport={"width": 1440, "height": 900})
        context.set_default_timeout(10_000)
        self.page = cast("Page", context.new_page())
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", self._dialog)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _dialog(self, dialog: Any) -> None:
        self.errors.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def go(self, address: str) -> None:
        """To another page of the viewer: what follows the # of its address."""
        self.page.evaluate("address => { location.hash = address }", address)
