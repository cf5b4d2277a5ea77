"""What a session asks of its sites, and a host of those who provide them."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Protocol

from quintet.environments.webarena.addresses import SiteAddresses, SiteName
from quintet.environments.webarena.browser.tabs import StorageState, WebCookie
from quintet.environments.webarena.evaluators.judged import SiteFacts

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext


class SessionSites(Protocol):
    """The sites of one session."""

    @property
    def addresses(self) -> SiteAddresses: ...

    @property
    def facts(self) -> SiteFacts:
        """What evaluators ask of the sites themselves."""
        ...

    @property
    def storage_state(self) -> StorageState | None:
        """Who is logged in as the session opens."""
        ...

    @property
    def note(self) -> str:
        """A line above the opening; empty: there is none."""
        ...

    async def furnish(self, context: "BrowserContext") -> None:
        """Prepare a window before its first page."""
        ...

    def changes(self) -> bytes:
        """What the session changed, if that can be told; else nothing."""
        ...

    def shown_cookies(self, cookies: Sequence[WebCookie]) -> tuple[WebCookie, ...]:
        """Cookies as a snapshot has them, in an order of their own."""
        ...

    def real_cookies(self, cookies: Sequence[WebCookie]) -> tuple[WebCookie, ...]:
        """Cookies of a snapshot as this session's window takes them."""
        ...

    def close(self) -> None:
        """Give back what the session holds; a second call has no effect."""
        ...


class SiteProvider(Protocol):
    """Provides the sites of a host's sessions."""

    @property
    def version(self) -> str:
        """Part of the world's."""
        ...

    @property
    def names(self) -> Collection[SiteName]:
        """The sites there are."""
        ...

    @property
    def copies(self) -> bool:
        """Whether a session's changes are its own, and `changes` has them."""
        ...

    @property
    def keeps_changes(self) -> bool:
        """Whether what is sent to the sites stays there."""
        ...

    def refusal(self, task: str) -> str:
        """Why a task cannot be played on these sites whatever it asks; empty: it can."""
        ...

    async def reach(self, sites: Collection[SiteName]) -> None:
        """Make sure that some sites can be used.

        Raises:
            UsageError: a password is not there.
            WorldFault: one cannot be reached, or a login fails.
        """
        ...

    async def open(self, sites: Collection[SiteName], changes: bytes | None = None) -> SessionSites:
        """Sites for a session.

        Args:
            sites: that its task is on.
            changes: what an earlier session changed; None: nothing.

        Raises:
            WorldFault: they cannot be provided, as where a login fails.
        """
        ...

    async def reset(self) -> None:
        """Bring the sites to their beginning.

        Raises:
            WorldFault: it failed.
        """
        ...

    async def close(self) -> None: ...
