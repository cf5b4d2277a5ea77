"""The sites' addresses: where they are, and the public ones under which models see them."""

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias
from urllib.parse import quote, unquote, urlsplit

from quintet.errors import UsageError

SiteName: TypeAlias = Literal["shopping", "shopping_admin", "reddit", "gitlab", "map", "wikipedia", "homepage"]
"""The sites of the official schema. Ours are `shopping` (the shop), `reddit` (the forum) and `gitlab` (the tracker)."""

PUBLIC_ADDRESSES: Final[Mapping[SiteName, str]] = {
    "shopping": "http://onestopmarket.com",
    "shopping_admin": "http://luma.com/admin",
    "reddit": "http://reddit.com",
    "gitlab": "http://gitlab.com",
    "map": "http://openstreetmap.org",
    "wikipedia": "http://wikipedia.org",
    "homepage": "http://homepage.com",
}
"""What models see, whatever address a site has."""

ALL_OF: Final = " |AND| "
"""Between the addresses of a task's first tabs."""
_START = r"(?<![\w.@-])"
_END = r"(?![\w@%~+=$&*-]|[.:]\w)"
"""An address ends where its host or path does: `http://reddit.com.evil.org` is not on reddit.com."""
_ENCODED_END = r"(?=%2F|%3F|%23|%26|[^\w%.~+$*@-]|$)"


class SiteAddresses:
    """The addresses of a session's sites, mapped both ways.

    Args:
        sites: Where each site is: `http://localhost:7770`, or with a path, `http://localhost:7780/admin`.

    Raises:
        UsageError: an address is not one of http or https, or two sites have the same.

    Source: the released URL mapping. Differs: whole hosts and paths only; http and https alike; also without a scheme
    and percent-encoded, as in another address's query; all pages of a host that is one site's alone are that site's.
    """

    def __init__(self, sites: Mapping[SiteName, str]) -> None:
        self.bases: Final[Mapping[SiteName, str]] = {name: _base(name, address) for name, address in sites.items()}
        """The sites' real addresses, without a slash at the end."""
        if len(set(self.bases.values())) < len(self.bases):
            raise UsageError(f"sites: expected an address for each, got one for two ({', '.join(sorted(sites))})")
        self.hosts: Final = frozenset(host for name, base in self.bases.items() for host in _hosts(name, base))
        """The sites' hosts with their ports. The map's is without: it asks its own for tiles and routes at others."""
        ends: Mapping[SiteName, tuple[str, str]] = {name: _ends(name, self.bases) for name in self.bases}
        self._real = _Prefixes({real: name for name, (_, real) in ends.items()})
        self._public = _Prefixes({public: name for name, (public, _) in ends.items()})
        self._ends = ends

    def expand(self, text: str) -> str:
        """Replace placeholders, `__SHOPPING__`, by addresses; a site that is not here keeps its public one."""
        for name, public in PUBLIC_ADDRESSES.items():
            text = text.replace(f"__{name.upper()}__", self.bases.get(name, public))
        return text

    def starts(self, start_url: str) -> tuple[str, ...]:
        """The real addresses of a task's `start_url`, one for each tab."""
        return tuple(self.expand(part) for part in start_url.split(ALL_OF))

    def real(self, url: str) -> str | None:
        """The address that the browser loads for a public one, or for a real one; None: it is on none of the sites."""
        # Browsers drop these characters wherever they stand: a host could go on behind one.
        found = self._find(re.sub(r"[\t\r\n]", "", url).strip())
        return self._ends[found[0]][1] + found[1] if found else None

    def shown(self, text: str) -> str:
        """A text as models see it, with public addresses instead of real ones."""
        return self._real.replace(text, {name: public for name, (public, _) in self._ends.items()})

    def site_of(self, url: str) -> SiteName | None:
        """The site of a real or a public address."""
        found = self._find(url)
        return found[0] if found else None

    def _find(self, url: str) -> tuple[SiteName, str] | None:
        return self._real.find(url) or self._public.find(url)


class _Prefixes:
    """Addresses to find at the start of a URL, or anywhere in a text; the longest comes first."""

    def __init__(self, sites: Mapping[str, SiteName]) -> None:
        self._sites: Mapping[str, SiteName] = {_bare(address): site for address, site in sites.items()}
        bare = sorted(self._sites, key=len, reverse=True)
        plain = "|".join(map(re.escape, bare)) or "(?!)"
        encoded = "|".join(re.escape(quote(each, safe="")) for each in bare) or "(?!)"
        self._anywhere = re.compile(
            f"{_START}(?:(https?://)?({plain}){_END}|https?%3A%2F%2F({encoded}){_ENCODED_END})", re.IGNORECASE
        )
        self._at_start = re.compile(rf"(?:https?://)?({plain})(?=[/\\?#]|$)", re.IGNORECASE)

    def find(self, url: str) -> tuple[SiteName, str] | None:
        """The site, and the rest of the URL behind its address."""
        found = self._at_start.match(url)
        return (self._sites[found[1].lower()], url[found.end() :]) if found else None

    def replace(self, text: str, addresses: Mapping[SiteName, str]) -> str:
        def replacement(found: re.Match[str]) -> str:
            address = addresses[self._sites[(found[2] or unquote(found[3])).lower()]]
            if found[2] is None:
                return quote(address, safe="")
            return address if found[1] else _bare(address)

        return self._anywhere.sub(replacement, text)


def _base(name: SiteName, address: str) -> str:
    try:
        parts = urlsplit(address.strip())
        usable = parts.scheme in ("http", "https") and parts.hostname and not parts.query and parts.username is None
        port = parts.port
    except ValueError as error:
        raise _unusable(name, address) from error
    if not usable:
        raise _unusable(name, address)
    netloc = parts.netloc.lower()
    if port == {"http": 80, "https": 443}[parts.scheme]:
        netloc = netloc.removesuffix(f":{port}")
    return f"{parts.scheme}://{netloc}{parts.path.rstrip('/')}"


def _unusable(name: SiteName, address: str) -> UsageError:
    return UsageError(f"sites: expected http://HOST, with a port or path if need be, got {address!r} (site {name})")


def _ends(name: SiteName, bases: Mapping[SiteName, str]) -> tuple[str, str]:
    """The public and the real address to exchange: of the whole hosts, where that maps both ways."""
    public, real = urlsplit(PUBLIC_ADDRESSES[name]), urlsplit(bases[name])
    alone = sum(urlsplit(base).netloc == real.netloc for base in bases.values()) == 1
    if alone and public.path == real.path:
        return f"{public.scheme}://{public.netloc}", f"{real.scheme}://{real.netloc}"
    return public.geturl(), real.geturl()


def _hosts(name: SiteName, address: str) -> tuple[str, ...]:
    netloc = urlsplit(address).netloc
    host, colon, port = netloc.rpartition(":")
    if not (colon and port.isdigit()):
        return (netloc,) if name == "map" else (f"{netloc}:80", f"{netloc}:443")
    return (host,) if name == "map" else (netloc,)


def _bare(address: str) -> str:
    return address.partition("://")[2]
