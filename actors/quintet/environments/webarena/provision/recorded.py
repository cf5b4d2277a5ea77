"""Pages of a recording in place of sites."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from quintet.environments.webarena.addresses import SiteAddresses, SiteName
from quintet.environments.webarena.browser.tabs import WebCookie
from quintet.environments.webarena.evaluators.judged import SiteFacts
from quintet.environments.webarena.provision.port import SessionSites, SiteProvider
from quintet.environments.webarena.recording.archive import PageRecording
from quintet.environments.webarena.recording.serve import serve_recorded

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext


class RecordedSites(SiteProvider):
    """Serves the pages of one recording to each session."""

    def __init__(self, recording: PageRecording) -> None:
        self._recording = recording
        self.version = f"pages={recording.digest}"
        self.names = tuple(recording.addresses)

    def refusal(self, task: str) -> str:
        return "" if task == self._recording.task else "is not in the recording"

    async def open(self, sites: Collection[SiteName], changes: bytes | None = None) -> SessionSites:
        return RecordedSessionSites(self._recording)


class RecordedSessionSites(SessionSites):
    """The pages, at the addresses that they had when they were recorded."""

    note = "The pages come from a recording; only what was loaded then is there."

    def __init__(self, recording: PageRecording) -> None:
        super().__init__(SiteAddresses(recording.addresses), SiteFacts())
        self._recording = recording

    async def furnish(self, context: "BrowserContext") -> None:
        await serve_recorded(context, {page.url: page for page in self._recording.pages})

    def shown_cookies(self, cookies: Sequence[WebCookie]) -> tuple[WebCookie, ...]:
        return ()
