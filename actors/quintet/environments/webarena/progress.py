"""What a session sees, how far it has come, the published stops, and what a snapshot holds."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from quintet.environments.webarena.actions import Click, Hover, Type, UnreadableAction, WebAction, read_web_action
from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.browser.tabs import TabState, WebCookie
from quintet.environments.webarena.evaluators.evaluate import WebVerdict
from quintet.environments.webarena.observation.nodes import CapturedPage
from quintet.environments.webarena.observation.page_text import page_text
from quintet.environments.webarena.observation.tree import PageTree, read_tree

if TYPE_CHECKING:
    from quintet.environments.webarena.browser.window import Window


class SeenPage(Struct, frozen=True, kw_only=True):
    """A page as it was captured."""

    captured: CapturedPage
    tree: PageTree
    text: str
    """With the tabs above it and its address below."""
    notes: tuple[str, ...]
    """What happened besides the action, such as a dialog."""

    @property
    def observation(self) -> str:
        return "\n".join((*self.notes, self.text))


async def look(window: "Window", addresses: SiteAddresses, characters: int) -> SeenPage:
    """Capture the page of the current tab, and show at most so many characters of tabs and page."""
    page = await window.capture()
    found = read_tree(page)
    # The addresses are exchanged before the text is cut: those of a session's own sites differ in length.
    tree = PageTree(text=addresses.shown(found.text), elements=found.elements)
    titles = [addresses.shown(tab.title) for tab in window.tabs]
    url = addresses.shown(page.url)
    return SeenPage(
        captured=replace(page, url=url),
        tree=tree,
        text=f"{page_text(titles, window.current, tree, characters)}\nURL: {url}",
        notes=tuple(map(addresses.shown, window.notes())),
    )


MAX_STEPS: Final = 30
_IN_A_ROW = 3


class WebStep(Struct, frozen=True):
    """A step of a session, as far as the stops ask."""

    action: str
    """As it was given."""
    page: str
    """The address of the current tab when it was given: an element's number means something on its page only."""
    refused: bool = False
    """It could not be read or carried out."""


def stop_reason(steps: Sequence[WebStep], max_steps: int = MAX_STEPS) -> str:
    """Why a session ends after these steps, in words; empty: it goes on.

    Source: the released early stops (30 steps, three unreadable answers in a row, three equal actions in a row, and the
    same `type` three times in all). Differs: actions that name an element are equal on the same address only, where
    the released numbers are new for each page that is loaded.
    """
    if len(steps) >= max_steps:
        return f"{max_steps} steps were taken"
    if not steps:
        return ""
    last = _key(steps[-1])
    recent = [_key(step) for step in steps[-_IN_A_ROW:]]
    if len(recent) == _IN_A_ROW and all(each == last for each in recent):
        return "three actions in a row could not be read" if last is None else "the same action three times in a row"
    if last is not None and isinstance(last[0], Type):
        same = sum(_key(step) == last for step in steps)
        return "the same text was typed three times" if same >= _IN_A_ROW else ""
    return ""


def _key(step: WebStep) -> tuple[WebAction, str] | None:
    """What two equal steps have in common; None: it is no action."""
    try:
        action = read_web_action(step.action)
    except UnreadableAction:
        return None
    return action, step.page if isinstance(action, Click | Hover | Type) else ""


class WebProgress(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How far a session has come."""

    steps: tuple[WebStep, ...] = ()
    """All that were tried, rejected ones included."""
    last: str | None = None
    """The answer to the last action that was carried out; None: there is none yet."""
    verdict: WebVerdict | None = None
    """None: the session goes on."""
    verdicts: tuple[bool | None, ...] = ()
    """The judge's."""

    @property
    def reward(self) -> float:
        """What the session earned."""
        return 0.0 if self.verdict is None else self.verdict.reward(self.verdicts)


class WebSnapshot(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """All of a session but its task. Addresses are those that models see, so any process can restore it."""

    opening: str
    """What the task's first pages showed."""
    progress: WebProgress
    digest: bytes
    """Of the page."""
    hidden: bool
    """Something was done that only a repetition of the actions brings back."""
    tabs: tuple[TabState, ...]
    current: int
    cookies: tuple[WebCookie, ...]
    changes: bytes
    """What the session changed in sites of ours."""


def page_digest(seen: SeenPage, addresses: SiteAddresses) -> bytes:
    """A digest of all of a page that a step can depend on: in view or not, with what is typed, chosen and focused."""
    page = seen.captured
    nodes = [
        (
            None if node.role is None else node.role.value,
            None if node.name is None else node.name.value,
            [(each.name, each.value.value) for each in node.properties],
            len(node.children),
        )
        for node in page.nodes
        if not node.ignored
    ]
    content = msgspec.json.encode((page.url, page.title, nodes, seen.text)).decode()
    return blake2b(addresses.shown(content).encode(errors="replace"), digest_size=16).digest()


def shown_tab(tab: TabState, addresses: SiteAddresses) -> TabState:
    """A tab with the addresses that models see."""
    shown = addresses.shown
    return replace(tab, url=shown(tab.url), title=shown(tab.title), history=tuple(map(shown, tab.history)))


def real_tab(tab: TabState, addresses: SiteAddresses) -> TabState:
    """The same tab with the addresses of this session's sites."""
    return replace(
        tab, url=_real(tab.url, addresses), history=tuple(_real(address, addresses) for address in tab.history)
    )


def _real(url: str, addresses: SiteAddresses) -> str:
    real = addresses.real(url) if url.startswith("http") else None
    return url if real is None else real
