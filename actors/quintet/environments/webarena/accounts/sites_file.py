"""A user's sites: how one logs in to them, and the file that says where they are and as whom: TOML, read strictly."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias, get_args
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from quintet.environments.webarena.addresses import SiteName
from quintet.errors import UsageError
from quintet.plugins.files import read_limited

FoundBy: TypeAlias = tuple[Literal["label", "placeholder", "test id", "button"], str]
"""How a field or a button is found."""


class LoginForm(NamedTuple):
    """A site's login form."""

    path: str
    """From the site's address on."""
    name: FoundBy
    secret: FoundBy
    button: FoundBy


LOGIN_FORMS: Final[Mapping[SiteName, LoginForm]] = {
    "shopping": LoginForm("/customer/account/login/", ("label", "Email"), ("label", "Password"), ("button", "Sign In")),
    "shopping_admin": LoginForm("", ("placeholder", "user name"), ("placeholder", "password"), ("button", "Sign in")),
    "reddit": LoginForm("/login", ("label", "Username"), ("label", "Password"), ("button", "Log in")),
    "gitlab": LoginForm(
        "/users/sign_in", ("test id", "username-field"), ("test id", "password-field"), ("test id", "sign-in-button")
    ),
}
"""By site. Nobody logs in to the others."""


_LARGEST = 2**20
"""Bytes of a file of sites."""
_LONGEST = 4096


class Secret(Struct, frozen=True, kw_only=True):
    """Where a password is found. It is read when it is needed, and neither shown nor kept."""

    variable: str = ""
    """An environment variable that holds it; or"""
    file: Path | None = None
    """a file whose first line it is."""

    def reveal(self) -> str:
        """The password itself; a `UsageError` if it is not there, or empty."""
        expected, got, source = "an environment variable with the password", "none", f"${self.variable}"
        found = os.environ.get(self.variable, "")
        if self.file is not None:
            expected, got, source = "a file whose first line is the password", "an empty one", str(self.file)
            try:
                with self.file.open(encoding="utf-8") as lines:
                    found = lines.readline(_LONGEST).strip("\r\n")
            except (OSError, UnicodeDecodeError) as error:  # whose own text may have some of it
                got = str(error.strerror) if isinstance(error, OSError) else "bytes that are not UTF-8"
        if not found:
            raise UsageError(f"password: expected {expected}, got {got} ({source})")
        return found


class SiteAccount(Struct, frozen=True, kw_only=True):
    """Who logs in to a site."""

    username: str
    password: Secret


class SitesFile(Struct, frozen=True, kw_only=True):
    """What the file says."""

    path: Path
    addresses: Mapping[SiteName, str]
    accounts: Mapping[SiteName, SiteAccount]
    """Sites that nobody logs in to have none."""


class _Table(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[shopping]` in the file."""

    address: str
    username: str | None = None
    password_variable: str | None = None
    password_file: str | None = None


def read_sites_file(path: Path) -> SitesFile:
    """Read addresses and accounts. Passwords are looked for, and not kept.

    Args:
        path: of a TOML file with a table a site, named as in tasks: `[shopping]`, `[shopping_admin]`, `[reddit]`,
            `[gitlab]`, `[map]`, `[wikipedia]`, `[homepage]`.

    Raises:
        UsageError: the file cannot be read, or a key is wrong; it names file and key, and shows no value of a password.
    """
    try:
        tables = tomllib.loads(read_limited(path, _LARGEST).decode())
    except OSError as error:
        raise UsageError(f"sites: expected a file, got {error.strerror} ({path})") from error
    except ValueError as error:
        raise UsageError(f"sites: expected TOML, got {error} ({path})") from error
    addresses: dict[SiteName, str] = {}
    accounts: dict[SiteName, SiteAccount] = {}
    names: Mapping[str, SiteName] = {name: name for name in get_args(SiteName)}
    for given, values in tables.items():
        if given not in names:
            raise UsageError(f"sites: expected one of {', '.join(names)}, got {given!r} ({path})")
        name = names[given]
        try:
            table = msgspec.convert(values, _Table)
        except msgspec.ValidationError as error:  # its text names fields and types, and shows no value
            raise UsageError(f"{name}: {error} ({path})") from error
        addresses[name] = _address(table.address, name, path)
        if (account := _account(table, name, path)) is not None:
            accounts[name] = account
    if not addresses:
        raise UsageError(f"sites: expected a table such as [shopping], got none ({path})")
    return SitesFile(path=path, addresses=addresses, accounts=accounts)


def _address(address: str, name: SiteName, path: Path) -> str:
    expected = f"{name}.address: expected an address such as http://shop.example:7770"
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port  # a port that is no number raises
    except ValueError:
        raise UsageError(f"{expected}, got {address!r} ({path})") from None
    if "@" in parts.netloc:
        raise UsageError(f"{expected}, got one with a user's name or a password in it ({path})")
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise UsageError(f"{expected}, got {address!r} ({path})")
    return address.rstrip("/")


def _account(table: _Table, name: SiteName, path: Path) -> SiteAccount | None:
    passwords = [table.password_variable, table.password_file]
    given = [each for each in passwords if each is not None]
    if table.username is None:
        if given:
            raise UsageError(f"{name}.username: expected one beside the password, got none ({path})")
        return None
    if name not in LOGIN_FORMS:
        raise UsageError(f"{name}.username: expected none, since nobody logs in there, got one ({path})")
    if len(given) != 1 or not given[0] or not table.username:
        expected = f"{name}: expected a username with password_variable or password_file, one of the two"
        raise UsageError(f"{expected}, got {'both' if len(given) == 2 else 'neither or an empty text'} ({path})")
    if table.password_variable is not None:
        secret = Secret(variable=table.password_variable)
    else:
        secret = Secret(file=path.parent / given[0])  # relative to the file that names it
    try:
        secret.reveal()
    except UsageError as error:
        raise UsageError(f"{name}.{error} ({path})") from None
    return SiteAccount(username=table.username, password=secret)
