"""What a snapshot of a session holds, and how it is known that a restored page is the page."""

from hashlib import blake2b
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.browser.tabs import TabState, WebCookie
from quintet.environments.webarena.evaluators.evaluate import WebVerdict
from quintet.environments.webarena.observation.nodes import CapturedPage
from quintet.environments.webarena.stops import WebStep

_DIGEST: Final = 16


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


def page_digest(page: CapturedPage, text: str, addresses: SiteAddresses) -> bytes:
    """A digest of all of a page that a step can depend on: in view or not, with what is typed, chosen and focused."""
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
    content = msgspec.json.encode((page.url, page.title, nodes, text)).decode()
    return blake2b(addresses.shown(content).encode(errors="replace"), digest_size=_DIGEST).digest()


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
