"""Where a server is, what opens it, and how long and how much it may answer."""

from typing import Any

import aiohttp
import msgspec
from msgspec import Struct

from quintet.errors import UsageError, WorldFault, one_line
from quintet.models.endpoint.address import checked_address
from quintet.models.endpoint.key import Key

_LARGEST_LIST = 64 * 2**20
"""Bytes of what a server says of itself over HTTP: its tasks may be many."""


class NotOffered(Exception):
    """The server has no such thing."""


class ServerAddress(Struct, frozen=True, kw_only=True):
    """An OpenEnv server."""

    url: str
    """As OpenEnv's `base_url`, without a slash at the end."""
    key: Key
    seconds: float
    """For an answer."""
    largest: int
    """Bytes of a frame."""

    @classmethod
    def of(cls, url: str, key: str | None, seconds: float, largest: int) -> "ServerAddress":
        """Read an address; a `UsageError` if it is none, or holds a user or a query."""
        url = checked_address(url, "environment.address")
        if seconds <= 0 or largest <= 0:
            raise UsageError(f"seconds, frame_bytes: expected above 0, got {seconds} and {largest} (openenv)")
        token = Key(key, optional=key is None, where="environment.key")
        return cls(url=url, key=token, seconds=seconds, largest=largest)

    def client(self) -> aiohttp.ClientSession:
        """What requests are sent with."""
        headers = {} if self.key.variable is None else {"Authorization": f"Bearer {self.key.reveal()}"}
        return aiohttp.ClientSession(headers=headers, timeout=aiohttp.ClientTimeout(total=self.seconds))

    async def fetch(self, http: aiohttp.ClientSession, path: str, body: object = None) -> Any:
        """The JSON at a path: of a GET, or of a POST with a body.

        Raises:
            NotOffered: there is nothing.
            UsageError: it cannot be reached, or answers something else.
        """
        try:
            async with http.request("GET" if body is None else "POST", self.url + path, json=body) as answer:
                if answer.status in (404, 405, 501):
                    raise NotOffered
                answer.raise_for_status()
                read = bytearray()
                async for part in answer.content.iter_any():
                    read += part
                    if len(read) > _LARGEST_LIST:
                        raise UsageError(self._of_openenv(path, f"more than {_LARGEST_LIST:,} bytes"))
                return msgspec.json.decode(read)
        except (aiohttp.ClientError, TimeoutError, OSError, msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise UsageError(self._of_openenv(path, f"{type(error).__name__}: {one_line(error)}")) from error

    def fault(self, text: str) -> WorldFault:
        """A fault of the server."""
        return WorldFault(f"openenv:{self.url}: {self.shown(text)}")

    def shown(self, text: str) -> str:
        """What a server says, as it may be shown: without the key, which it could repeat."""
        return self.key.redacted(text)

    def _of_openenv(self, path: str, got: str) -> str:
        return f"environment openenv:{self.url}: expected an OpenEnv server's {path}, got {self.shown(got)}"
