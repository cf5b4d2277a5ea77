"""What is remembered of a tab and of a cookie, so that another browser can show the same."""

from typing import Any, Literal, TypeAlias

from msgspec import Struct

StorageState: TypeAlias = dict[str, Any]
"""Cookies and local storage as Playwright reads and writes them: `{"cookies": [...], "origins": [...]}`."""


class TabState(Struct, frozen=True, kw_only=True):
    """One tab, as it was captured last."""

    url: str
    title: str = ""
    history: tuple[str, ...] = ()
    """The addresses that this tab showed, oldest first. `go_back` loads one of them anew."""
    index: int = 0
    """Which of them it shows."""
    scroll: tuple[int, int] = (0, 0)
    """CSS pixels from the left and from the top."""


class WebCookie(Struct, frozen=True, kw_only=True, rename="camel"):
    """A cookie of one host, as Playwright reads and writes it."""

    name: str
    value: str
    domain: str
    path: str = "/"
    expires: float = -1
    """Seconds of the epoch; -1: with the session."""
    http_only: bool = False
    secure: bool = False
    same_site: Literal["Lax", "None", "Strict"] = "Lax"
