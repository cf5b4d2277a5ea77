"""A window without a browser: pages of a few nodes, linked with each other."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from quintet.environments.webarena.actions import (
    BrowserAction,
    Click,
    CloseTab,
    GoTo,
    NewTab,
    Press,
    Scroll,
    Type,
)
from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.browser.tabs import TabState, WebCookie
from quintet.environments.webarena.evaluators.functions import SiteFacts
from quintet.environments.webarena.observation.nodes import AXNode, AXProperty, AXValue, Box, CapturedPage
from quintet.environments.webarena.observation.tree import PageElement
from quintet.environments.webarena.provision.port import SessionSites
from quintet.errors import ProcessLost


class FakeNode(Struct, frozen=True):
    """A link (with where it leads), a button that sends a form, a field, or a text."""

    role: str
    name: str
    leads_to: str = ""


class FakeSite(Struct):
    """What several windows show, and what was sent to it."""

    address: str
    pages: Mapping[str, Sequence[FakeNode]]
    """By path; the first node's name is the page's title."""
    sent: list[str] = []


class FakeWindow:
    """Shows a fake site as a browser's window does."""

    def __init__(self, site: FakeSite) -> None:
        self.site = site
        self.tabs: tuple[TabState, ...] = ()
        self.current = 0
        self.sent_changes = False
        self.typed: dict[int, str] = {}
        self.said: list[str] = []
        self.closed = 0
        self.dead = False

    @property
    def last_url(self) -> str:
        return self.tabs[self.current].url

    def clear_changes(self) -> None:
        self.sent_changes = False

    def notes(self) -> tuple[str, ...]:
        said, self.said = tuple(self.said), []
        return said

    async def open(self, urls: Sequence[str]) -> None:
        self.tabs = tuple(self._tab(url) for url in urls)
        self.current = 0

    async def carry_out(self, action: BrowserAction, elements: Mapping[int, PageElement]) -> str:
        if self.dead:
            raise ProcessLost("webarena: the browser ended")
        match action:
            case Click(number) | Type(number) if number not in elements:
                return f"There is no element {number}."
            case Click(number):
                self._click(elements[number])
            case Type(number, text, _):
                self.typed[elements[number].backend_id or 0] = text
            case GoTo(url):
                self._go(url)
            case NewTab():
                self.tabs += (self._tab("about:blank"),)
                self.current = len(self.tabs) - 1
            case CloseTab():
                self.tabs = self.tabs[: self.current] + self.tabs[self.current + 1 :]
                self.current = max(self.current - 1, 0)
            case Press() | Scroll():
                pass
            case _:
                return "It cannot be done here."
        return ""

    async def capture(self) -> CapturedPage:
        nodes, title = self._nodes(), self._title()
        children = range(1, 1 + len(nodes))
        root = AXNode("0", False, AXValue("RootWebArea"), AXValue(title), (), tuple(map(str, children)), 1)
        return CapturedPage(
            url=self.last_url,
            title=title,
            nodes=(root, *map(self._node, children, nodes)),
            boxes={1: Box(0, 0, 1280, 720)} | {10 + number: Box(0, 20 * number, 200, 15) for number in children},
        )

    async def picture(self) -> bytes:
        return b"\xff\xd8" + self.last_url.encode()

    async def cookies(self) -> tuple[WebCookie, ...]:
        return ()

    async def restore(self, tabs: Sequence[TabState], current: int, cookies: Sequence[WebCookie]) -> None:
        self.tabs, self.current, self.typed = tuple(tabs), current, {}

    async def close(self) -> None:
        self.closed += 1

    def _click(self, element: PageElement) -> None:
        node = self._nodes()[(element.backend_id or 0) - 11]
        if node.role == "button":
            self.site.sent.append(node.name)
            self.sent_changes = True
        if node.leads_to:
            self._go(self.site.address + node.leads_to)

    def _go(self, url: str) -> None:
        tab = self.tabs[self.current]
        history = (*tab.history[: tab.index + 1], url)
        tab = replace(tab, url=url, title=self._title(url), history=history, index=len(history) - 1)
        self.typed = {}
        self.tabs = (*self.tabs[: self.current], tab, *self.tabs[self.current + 1 :])

    def _tab(self, url: str) -> TabState:
        return TabState(url=url, title=self._title(url), history=(url,))

    def _nodes(self, url: str | None = None) -> Sequence[FakeNode]:
        return self.site.pages.get((url or self.last_url).removeprefix(self.site.address), ())

    def _title(self, url: str | None = None) -> str:
        nodes = self._nodes(url)
        return nodes[0].name if nodes else ""

    def _node(self, number: int, node: FakeNode) -> AXNode:
        typed = self.typed.get(10 + number)
        properties = () if typed is None else (AXProperty("valuetext", AXValue(typed)),)
        return AXNode(str(number), False, AXValue(node.role), AXValue(node.name), properties, (), 10 + number)


class FakeSites(SessionSites):
    """The fake site as a session's sites."""

    def __init__(self, site: FakeSite, note: str = "") -> None:
        super().__init__(SiteAddresses({"shopping": site.address}), SiteFacts())
        self.note = note
        self.site = site
        self.closed = 0

    def changes(self) -> bytes:
        return "\n".join(self.site.sent).encode()

    def close(self) -> None:
        self.closed += 1
