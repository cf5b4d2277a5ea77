"""The logins of a host: one a site, whose cookies are kept in memory only."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any, TypeAlias

from quintet.environments.webarena.accounts.log_in import LoggedIn
from quintet.environments.webarena.accounts.sites_file import SiteAccount, SitesFile
from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.browser.tabs import StorageState

SiteLogin: TypeAlias = Callable[[SiteName, str, SiteAccount], Awaitable[LoggedIn]]
"""Logs in to a site at an address as somebody."""


class SiteLogins:
    """Logs in to each site when a session first needs it, and hands its cookies to all later ones."""

    def __init__(self, sites: SitesFile, login: SiteLogin) -> None:
        self._sites = sites
        self._login = login
        self._made: dict[SiteName, LoggedIn] = {}
        self._turn = asyncio.Lock()

    def __repr__(self) -> str:
        return f"SiteLogins({', '.join(self._made)})"

    async def state(self, names: Collection[SiteName]) -> StorageState:
        """The cookies of the users of some sites; those that nobody logs in to have none."""
        cookies: list[Any] = []
        origins: list[Any] = []
        async with self._turn:
            for name in sorted(names):
                account = self._sites.accounts.get(name)
                if account is None:
                    continue
                if name not in self._made:
                    self._made[name] = await self._login(name, self._sites.addresses[name], account)
                cookies += self._made[name].state["cookies"]
                origins += self._made[name].state["origins"]
        return {"cookies": cookies, "origins": origins}

    def telling(self, names: Collection[SiteName]) -> dict[SiteName, str]:
        """Sites, with their addresses, that tell whether a login still holds."""
        return {
            name: self._sites.addresses[name] for name in names if name in self._made and self._made[name].form_gone
        }

    def forget(self, names: Collection[SiteName]) -> None:
        """Log in anew the next time, since the sites no longer take the cookies."""
        for name in names:
            self._made.pop(name, None)
