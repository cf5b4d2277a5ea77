"""Loads addresses in a tab, and puts a tab back where one did not load."""

from quintet.environments.webarena.browser.devtools import is_gone
from quintet.environments.webarena.browser.hosts import AllowedHosts, host_of
from quintet.environments.webarena.browser.notes import WindowNotes
from quintet.environments.webarena.browser.requests import RequestWatch
from quintet.environments.webarena.browser.settle import Patience, settle
from quintet.environments.webarena.browser.tab import EMPTY, ERROR_PAGE, Tab


class Navigation:
    """Loads pages for one window."""

    def __init__(self, hosts: AllowedHosts, requests: RequestWatch, notes: WindowNotes, patience: Patience) -> None:
        self._hosts = hosts
        self._requests = requests
        self._notes = notes
        self._patience = patience

    async def load(self, tab: Tab, url: str) -> str:
        """Load an address; returns why it did not load, else nothing. The tab may then show the browser's own page.

        Raises:
            playwright.async_api.Error: the tab was closed.
        """
        from playwright.async_api import Error
        from playwright.async_api import TimeoutError as PlaywrightTimeout

        if not self._hosts.allow(url):
            return self._why(url)
        try:
            await tab.page.goto(url, wait_until="commit", timeout=1000 * self._patience.navigation)
        except PlaywrightTimeout:
            await tab.stop_loading()
            return f"{url} did not answer in {self._patience.navigation:g} seconds"
        except Error as error:
            if is_gone(error):
                raise
            if "Download is starting" in error.message:
                tab.loaded()
                return ""
            return self._why(url)
        return ""

    async def settle(self, tab: Tab, mark: int) -> bool:
        """Wait for what an action began in a tab; if its page did not load, show the one before it.

        Returns:
            Whether it shows a page: not where a page opened the tab and its first address did not load.

        Raises:
            NotAnswering: a script in the page does not end.
            playwright.async_api.Error: the tab was closed.
        """
        await settle(tab, self._requests, mark, self._notes, self._patience)
        if not tab.page.url:  # where it was opened for a download, say
            self._notes.add("The new tab showed no page, and was closed.")
            return False
        if not tab.page.url.startswith(ERROR_PAGE):
            return True
        why = self._why(tab.failed)
        if not tab.history:
            self._notes.add(f"{why}. The new tab was closed.")
            return False
        self._notes.add(f"{why}. The tab shows {tab.history[tab.index]} again.")
        await self.put_back(tab)
        return True

    async def put_back(self, tab: Tab) -> None:
        """Load anew what the tab showed last; an empty page if that does not load either."""
        before = tab.history[tab.index] if tab.history else EMPTY
        if await self.load(tab, before):
            await self.load(tab, EMPTY)
        await settle(tab, self._requests, self._requests.mark, self._notes, self._patience)
        if tab.page.url.startswith(ERROR_PAGE):
            await self.load(tab, EMPTY)

    def _why(self, url: str) -> str:
        if not self._hosts.allow(url):
            return f"Requests to {host_of(url)} are refused, as it is none of the sites"
        return f"{url} did not load ({self._requests.failures.get(url, 'the browser does not say why')})"
