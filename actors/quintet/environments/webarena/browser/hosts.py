"""Which hosts a window may send requests to."""

from collections.abc import Collection
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}


class AllowedHosts:
    """Hosts, each with a port or with all of its ports.

    Args:
        hosts: `shop.example:7770`, or `shop.example` for all ports; `[::1]:7770`.
    """

    def __init__(self, hosts: Collection[str]) -> None:
        self._hosts = frozenset(host.lower() for host in hosts)

    def allow(self, url: str) -> bool:
        """Whether an address may be loaded: one of these hosts, by http or https, or an empty page."""
        if url == "about:blank":
            return True
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme)
        except ValueError:
            return False
        host = f"[{host}]" if ":" in host else host
        return parts.scheme in _PORTS and (host in self._hosts or f"{host}:{port}" in self._hosts)

    @property
    def bypass(self) -> str:
        """The list of hosts that a browser asks without its proxy."""
        # Else, where `localhost` is among them, every address of this machine and of its links would be asked.
        return ",".join(("<-loopback>", *sorted(self._hosts)))


def host_of(url: str) -> str:
    """The host of an address, or the address if it has none."""
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url
