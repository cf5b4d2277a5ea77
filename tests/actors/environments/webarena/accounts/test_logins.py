import asyncio
from pathlib import Path

import pytest

from quintet.environments.webarena.accounts.log_in import LoggedIn, SiteLogins
from quintet.environments.webarena.accounts.sites_file import Secret, SiteAccount, SitesFile
from quintet.environments.webarena.addresses import SiteName
from quintet.errors import WorldFault
from tests.actors.environments.loops import in_loop

ACCOUNT = SiteAccount(username="me", password=Secret(variable="SHOP_PASSWORD"))
SITES = SitesFile(
    path=Path("sites.toml"),
    addresses={"shopping": "http://shop.example", "reddit": "http://forum.example", "map": "http://map.example"},
    accounts={"shopping": ACCOUNT, "reddit": ACCOUNT},
)


class Forms:
    """Logs in by counting."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.failing = False

    async def log_in(self, name: SiteName, address: str, account: SiteAccount) -> LoggedIn:
        await asyncio.sleep(0)
        if self.failing:
            raise WorldFault("no")
        self.made.append(f"{name} {address} {account.username}")
        cookie = {"name": "session", "value": f"secret-{len(self.made)}"}
        return LoggedIn(state={"cookies": [cookie], "origins": []}, form_gone=name == "shopping")


@in_loop
async def test_each_site_is_logged_in_to_once_for_all_sessions_and_only_if_needed() -> None:
    forms = Forms()
    logins = SiteLogins(SITES, forms.log_in)
    states = await asyncio.gather(*(logins.state(["shopping", "map"]) for _ in range(5)))
    assert forms.made == ["shopping http://shop.example me"]
    assert all(state == {"cookies": [{"name": "session", "value": "secret-1"}], "origins": []} for state in states)
    both = await logins.state(["shopping", "reddit"])
    assert forms.made[1:] == ["reddit http://forum.example me"]
    assert [cookie["value"] for cookie in both["cookies"]] == ["secret-2", "secret-1"]
    assert await logins.state(["map"]) == {"cookies": [], "origins": []}


@in_loop
async def test_a_login_that_is_forgotten_or_failed_is_made_anew() -> None:
    forms = Forms()
    logins = SiteLogins(SITES, forms.log_in)
    forms.failing = True
    with pytest.raises(WorldFault):
        await logins.state(["shopping"])
    forms.failing = False
    await logins.state(["shopping", "reddit"])
    assert logins.telling(["shopping", "reddit", "map"]) == {"shopping": "http://shop.example"}
    logins.forget(["shopping"])
    await logins.state(["shopping", "reddit"])
    assert len(forms.made) == 3


@in_loop
async def test_cookies_show_themselves_nowhere() -> None:
    logins = SiteLogins(SITES, Forms().log_in)
    await logins.state(["shopping"])
    made = LoggedIn(state={"cookies": [{"value": "secret-1"}]}, form_gone=True)
    assert "secret" not in f"{logins!r} {logins} {made!r} {made}"
