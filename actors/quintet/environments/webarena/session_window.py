"""What a session asks of its window, which is one of a browser, or a test's."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from quintet.environments.webarena.actions import WebAction
from quintet.environments.webarena.browser.tabs import TabState, WebCookie
from quintet.environments.webarena.evaluators.judged import JudgedPage
from quintet.environments.webarena.observation.nodes import CapturedPage
from quintet.environments.webarena.observation.tree import PageElement


class SessionWindow(JudgedPage, Protocol):
    """A window with tabs. `browser.window.Window` says what each member does."""

    @property
    def tabs(self) -> tuple[TabState, ...]: ...

    @property
    def current(self) -> int: ...

    @property
    def sent_changes(self) -> bool: ...

    def clear_changes(self) -> None: ...

    def notes(self) -> tuple[str, ...]: ...

    async def open(self, urls: Sequence[str]) -> None: ...

    async def carry_out(self, action: WebAction, elements: Mapping[int, PageElement]) -> str: ...

    async def capture(self) -> CapturedPage: ...

    async def picture(self) -> bytes: ...

    async def cookies(self) -> tuple[WebCookie, ...]: ...

    async def restore(self, tabs: Sequence[TabState], current: int, cookies: Sequence[WebCookie]) -> None: ...

    async def close(self) -> None: ...
