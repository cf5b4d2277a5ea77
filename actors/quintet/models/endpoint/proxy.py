"""The proxy by which an endpoint is reached: the one that the environment names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.request import getproxies, proxy_bypass

from aiohttp import encode_basic_auth
from httpx2 import URL, InvalidURL

from quintet.errors import UsageError
from quintet.models.endpoint.address import is_on_this_machine


@dataclass(frozen=True)
class Proxy:
    """A proxy, with its password apart from its address: the HTTP client quotes addresses in its errors."""

    url: str
    """Without a user and a password."""
    headers: Mapping[str, str] = field(repr=False)
    """What the proxy alone is told: its password, if it has one."""


def proxy_for(url: str) -> Proxy | None:
    """The proxy that the environment names for an address; None for this machine.

    Raises:
        UsageError: what is named is no HTTP proxy. The text does not quote it.
    """
    address, proxies = URL(url), getproxies()
    named = proxies.get(address.scheme) or proxies.get("all")
    if named is None or is_on_this_machine(url) or proxy_bypass(address.host):
        return None
    proxy = _parsed(named if "://" in named else f"http://{named}")
    if proxy is None:
        raise UsageError(
            f"the environment's proxy for {address.scheme}: expected http(s)://[USER:PASSWORD@]HOST[:PORT], "
            "got something else (not shown: it may hold a password)"
        )
    return proxy


def _parsed(named: str) -> Proxy | None:
    try:
        proxy = URL(named)
        headers = {"Proxy-Authorization": encode_basic_auth(proxy.username, proxy.password)} if proxy.userinfo else {}
    except (InvalidURL, ValueError):  # the first quotes parts of what it got; the second: a colon in the user's name
        return None
    if proxy.scheme not in ("http", "https") or not proxy.host:
        return None
    return Proxy(str(proxy.copy_with(userinfo=b"")), headers)
