"""The address of an endpoint: which one it is, and whether it may be used and shown."""

import os
from ipaddress import ip_address
from typing import Final

from httpx2 import URL, InvalidURL

from quintet.errors import UsageError

_VARIABLE = "OPENAI_BASE_URL"
OPENAI: Final = "https://api.openai.com/v1"


def resolve_url(url: str | None) -> str:
    """The base address of an endpoint, without a slash at its end.

    Args:
        url: None for that of the environment variable OPENAI_BASE_URL, or else OpenAI's own.

    Raises:
        UsageError: it is not an HTTP address, or holds parts that may not be shown. The text does not quote it.
    """
    if url is not None:
        return checked_address(url, "model.url")
    return checked_address(os.environ.get(_VARIABLE) or OPENAI, _VARIABLE)


def is_on_this_machine(url: str) -> bool:
    """Whether an address is a loopback one, which no proxy reaches."""
    return is_loopback(URL(url).host)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, as only its own programs name it."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def checked_address(url: str, where: str) -> str:
    """An address that may be used and written down, without a slash at its end.

    Args:
        where: the setting that it is from, for errors.

    Raises:
        UsageError: as `resolve_url`.
    """
    if wrong := _wrong(url):
        raise UsageError(f"{where}: expected http(s)://HOST[:PORT][/PATH], got {wrong}")
    return url.rstrip("/")


def _wrong(url: str) -> str | None:
    try:
        parsed = URL(url)
    except InvalidURL:  # its text may quote a password
        return "something else"
    if parsed.scheme not in ("http", "https") or not parsed.host:
        return "another scheme, or no host"
    if parsed.userinfo:
        return "a user name or a password in it; a key is read from an environment variable that another setting names"
    if "?" in url or "#" in url:
        return "a query or a fragment in it"
    if parsed.port is not None and not 0 < parsed.port < 2**16:
        return f"port {parsed.port}"
    return None
