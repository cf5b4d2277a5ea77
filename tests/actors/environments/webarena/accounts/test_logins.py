import asyncio
from pathlib import Path

import pytest

from quintet.environments.webarena.accounts.log_in import LoggedIn, SiteLogins
from quintet.environments.webarena.accounts.sites_file import Secret, SiteAccount, SitesFile, read_sites_file
from quintet.environments.webarena.addresses import SiteName
from quintet.errors import UsageError, WorldFault

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


async def test_cookies_show_themselves_nowhere() -> None:
    logins = SiteLogins(SITES, Forms().log_in)
    await logins.state(["shopping"])
    made = LoggedIn(state={"cookies": [{"value": "secret-1"}]}, form_gone=True)
    assert "secret" not in f"{logins!r} {logins} {made!r} {made}"


SHOP = """
[shopping]
address = "http://shop.example:7770/"
username = "emma@example.org"
password_variable = "SHOP_PASSWORD"

[wikipedia]
address = "http://wiki.example:8888/wiki"
"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHOP_PASSWORD", "hunter2")
    (tmp_path / "password").write_text("hunter3\r\nsecond line\n", encoding="utf-8")
    return tmp_path / "sites.toml"


def test_addresses_and_accounts_are_read_and_a_password_when_it_is_needed(
    write: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write.write_text(SHOP, encoding="utf-8")
    found = read_sites_file(write)
    assert found.addresses == {"shopping": "http://shop.example:7770", "wikipedia": "http://wiki.example:8888/wiki"}
    assert list(found.accounts) == ["shopping"]
    account = found.accounts["shopping"]
    assert (account.username, account.password.reveal()) == ("emma@example.org", "hunter2")
    assert "hunter2" not in repr(found)
    monkeypatch.setenv("SHOP_PASSWORD", "changed")
    assert account.password.reveal() == "changed"


def test_a_password_file_lies_beside_the_file_that_names_it(write: Path) -> None:
    write.write_text('[gitlab]\naddress = "http://git.example"\nusername = "byte"\npassword_file = "password"')
    assert read_sites_file(write).accounts["gitlab"].password.reveal() == "hunter3"


@pytest.mark.parametrize(("content", "got"), [(b"\n", "an empty one"), (b"\xff\xfe", "bytes that are not UTF-8")])
def test_a_password_file_that_has_none_is_named_and_its_content_is_not_shown(
    content: bytes, got: str, tmp_path: Path
) -> None:
    (tmp_path / "password").write_bytes(content)
    with pytest.raises(UsageError, match=got) as caught:
        Secret(file=tmp_path / "password").reveal()
    assert str(tmp_path / "password") in str(caught.value)
    assert caught.value.__cause__ is caught.value.__context__ is None


_AT = '[shopping]\naddress = "http://x.example"\n'


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "sites: expected a table such as [shopping], got none"),
        ("[shop", "sites: expected TOML, got "),
        ('[shop]\naddress = "http://x.example"', "sites: expected one of shopping, shopping_admin, "),
        ('shopping = "http://x.example"', "shopping: Expected `object`, got `str`"),
        ("[shopping]", "shopping: Object missing required field `address`"),
        (_AT + 'password = "hunter2"', "shopping: Object contains unknown field"),
        *(
            (f'[shopping]\naddress = "{address}"', "shopping.address: expected an address such as http://")
            for address in ("x.example", "http://x.example:port", "ftp://x.example")
        ),
        ('[shopping]\naddress = "http://me:hunter2@x.example"', "got one with a user's name or a password in it"),
        (_AT + 'username = "me"', "shopping: expected a username with password_"),
        (_AT + 'password_variable = "SHOP_PASSWORD"', "shopping.username: "),
        (_AT + 'username = "me"\npassword_variable = "A"\npassword_file = "b"', "one of the two, got both"),
        (_AT + 'username = "me"\npassword_variable = "NOT_SET"', "with the password, got none ($NOT_SET)"),
        (_AT + 'username = "me"\npassword_file = "nowhere"', "shopping.password: expected a file whose first line"),
        (
            _AT.replace("shopping", "map") + 'username = "me"\npassword_variable = "SHOP_PASSWORD"',
            "map.username: expected none, since nobody logs in there",
        ),
    ],
)
def test_what_is_wrong_is_named_with_file_and_key_and_no_password(text: str, error: str, write: Path) -> None:
    write.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_sites_file(write)
    assert error in str(caught.value)
    assert str(caught.value).endswith(f"({write})")
    assert "hunter2" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^sites: expected a file, got No such file or directory \(.*nowhere.toml\)$"):
        read_sites_file(tmp_path / "nowhere.toml")
