"""Pages of a recording in place of sites."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from quintet.environments.webarena.addresses import SiteAddresses, SiteName
from quintet.environments.webarena.browser.tabs import StorageState, WebCookie
from quintet.environments.webarena.evaluators.judged import SiteFacts
from quintet.environments.webarena.provision.port import SessionSites
from quintet.environments.webarena.recording.archive import PageRecording
from quintet.environments.webarena.recording.serve import serve_recorded

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext


class RecordedSites:
    """Serves the pages of one recording to each session.

    Args:
        recording: that was read.
    """

    copies = False
    keeps_changes = False

    def __init__(self, recording: PageRecording) -> None:
        self._recording = recording

    @property
    def version(self) -> str:
        return f"pages={self._recording.digest}"

    @property
    def names(self) -> Collection[SiteName]:
        return tuple(self._recording.addresses)

    def refusal(self, task: str) -> str:
        return "" if task == self._recording.task else "is not in the recording"

    async def reach(self, sites: Collection[SiteName]) -> None:
        """Nothing: no site is asked."""

    async def open(self, sites: Collection[SiteName], changes: bytes | None = None) -> SessionSites:
        return RecordedSessionSites(self._recording)

    async def reset(self) -> None:
        """Nothing: a recording does not change."""

    async def close(self) -> None:
        """Nothing is held."""


class RecordedSessionSites:
    """The pages, at the addresses that they had when they were recorded."""

    note = "The pages come from a recording; only what was loaded then is there."

    def __init__(self, recording: PageRecording) -> None:
        self._recording = recording
        self.addresses = SiteAddresses(recording.addresses)
        self.storage_state: StorageState | None = None
        self.facts: SiteFacts = NoFacts()

    async def furnish(self, context: "BrowserContext") -> None:
        await serve_recorded(context, self._recording.pages)

    def changes(self) -> bytes:
        return b""

    def shown_cookies(self, cookies: Sequence[WebCookie]) -> tuple[WebCookie, ...]:
        return ()

    def real_cookies(self, cookies: Sequence[WebCookie]) -> tuple[WebCookie, ...]:
        return ()

    def close(self) -> None:
        """Nothing is held."""


class NoFacts:
    """Nothing can be sent to a recording, so no order and no review was made."""

    async def latest_order_url(self) -> str:
        return ""

    async def latest_review_author(self, sku: str) -> str:
        return ""

    async def latest_review_rating(self, sku: str) -> str:
        return ""
