"""What a session asks of its sites, and a host of those who provide them."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from quintet.environments.webarena.addresses import SiteAddresses, SiteName
from quintet.environments.webarena.browser.tabs import StorageState, WebCookie
from quintet.environments.webarena.evaluators.functions import SiteFacts

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext


class SessionSites:
    """The sites of one session.

    Args:
        facts: what evaluators ask of the sites themselves.
        storage_state: who is logged in as the session opens.
    """

    note = ""
    """A line above the opening; empty: there is none."""

    def __init__(self, addresses: SiteAddresses, facts: SiteFacts, storage_state: StorageState | None = None) -> None:
        self.addresses = addresses
        self.facts = facts
        self.storage_state = storage_state

    async def furnish(self, context: "BrowserContext") -> None:
        """Prepare a window before its first page."""

    def changes(self) -> bytes:
        """What the session changed, if that can be told; else nothing."""
        return b""

    def shown_cookies(self, cookies: Sequence[WebCookie]) -> tuple[WebCookie, ...]:
        """A window's cookies as a snapshot has them, in an order that depends on them alone."""
        return tuple(cookies)

    def real_cookies(self, cookies: Sequence[WebCookie]) -> tuple[WebCookie, ...]:
        """Cookies of a snapshot as this session's window takes them."""
        return tuple(cookies)

    def close(self) -> None:
        """Give back what the session holds; a second call has no effect."""


class SiteProvider(ABC):
    """Provides the sites of a host's sessions."""

    version: str
    """Part of the world's."""
    names: Collection[SiteName]
    """The sites there are."""
    copies = False
    """Whether a session's changes are its own, and `changes` has them."""
    keeps_changes = False
    """Whether what is sent to the sites stays there."""

    def refusal(self, task: str) -> str:
        """Why a task cannot be played on these sites whatever it asks; empty: it can."""
        return ""

    async def reach(self, sites: Collection[SiteName]) -> None:  # noqa: B027  nothing is the default
        """Make sure that some sites can be used.

        Raises:
            UsageError: a password is not there.
            WorldFault: one cannot be reached, or a login fails.
        """

    @abstractmethod
    async def open(self, sites: Collection[SiteName], changes: bytes | None = None) -> SessionSites:
        """Sites for a session.

        Args:
            changes: what an earlier session changed; None: nothing.

        Raises:
            WorldFault: they cannot be provided, as where a login fails.
        """

    async def reset(self) -> None:  # noqa: B027  nothing is the default
        """Bring the sites to their beginning.

        Raises:
            WorldFault: it failed.
        """

    async def close(self) -> None:  # noqa: B027  nothing is the default
        """End what the host holds."""
