"""The logins of a host: one a site, whose cookies are kept in memory only."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any, TypeAlias

from quintet.environments.webarena.accounts.sites_file import SiteAccount, SitesFile
from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.browser.tabs import StorageState

SiteLogin: TypeAlias = Callable[[SiteName, str, SiteAccount], Awaitable[StorageState]]
"""Logs in to a site at an address as somebody."""


class SiteLogins:
    """Logs in to each site when a session first needs it, and hands its cookies to all later ones.

    Args:
        sites: addresses and accounts.
        login: makes one login.
    """

    def __init__(self, sites: SitesFile, login: SiteLogin) -> None:
        self._sites = sites
        self._login = login
        self._states: dict[SiteName, StorageState] = {}
        self._turn = asyncio.Lock()

    def __repr__(self) -> str:
        return f"SiteLogins({', '.join(self._states)})"

    async def state(self, names: Collection[SiteName]) -> StorageState:
        """The cookies of the users of some sites; those that nobody logs in to have none.

        Raises:
            WorldFault: a login failed.
        """
        cookies: list[Any] = []
        origins: list[Any] = []
        async with self._turn:
            for name in sorted(names):
                account = self._sites.accounts.get(name)
                if account is None:
                    continue
                if name not in self._states:
                    self._states[name] = await self._login(name, self._sites.addresses[name], account)
                cookies += self._states[name]["cookies"]
                origins += self._states[name]["origins"]
        return {"cookies": cookies, "origins": origins}

    def forget(self, name: SiteName) -> None:
        """Log in anew the next time, since the site no longer takes the cookies."""
        self._states.pop(name, None)
