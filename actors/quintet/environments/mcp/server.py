"""The server that a run names, by a command or an address, and the secrets that it is given."""

import os
import shlex
import shutil
from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from quintet.errors import UsageError
from quintet.models.endpoint.key import HeaderValue, SecretVariable

if TYPE_CHECKING:
    from quintet.environments.mcp.connection import ServerConnection

_INHERITED: Final = ("HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER")
"""The variables that every server process has of ours. It is given no other that is not named."""
_SHORTEST: Final = 8
"""Characters of a secret that is taken out of a server's texts; a shorter one is a dummy, and part of any word."""


class CallLimits(NamedTuple):
    """How long a server may take, and how much of what it answers is kept."""

    seconds: float = 30.0
    """For each answer, by the clock."""
    start_seconds: float = 60.0
    """To start, and to list its tools."""
    shown: int = 8_000
    """Characters of an answer, and of a tool's description."""
    listed: int = 200_000
    """Characters of the descriptions of all tools; a server with longer ones is refused."""


_USUAL: Final = CallLimits()


class ToolServer:
    """A server of the Model Context Protocol: which it is, not yet connected.

    Args:
        named: a command, with its words, whose standard input and output are its transport; or an address, which
            begins with `http://` or `https://`.
        variables: names of environment variables that the process of a command is given beside a few harmless ones.
        headers: by name the headers of every request to an address; each is in the environment variable named here.

    Raises:
        UsageError: it is neither, is given what it cannot take, or a variable is not set. No text has a secret.
    """

    def __init__(self, named: str, *, variables: Iterable[str] = (), headers: Mapping[str, str] | None = None) -> None:
        self.address = named if named.startswith(("http://", "https://")) else ""
        """Empty: it is a command."""
        self.words = [] if self.address else _words(named)
        self._variables = [SecretVariable(each, False, where="environment.variables") for each in variables]
        self._headers = {
            name: HeaderValue(each, False, where="environment.headers") for name, each in (headers or {}).items()
        }
        if self.address:
            _check_address(named)
        if self.address and self._variables:
            raise UsageError("environment.variables: expected a command that is given them, got an address")
        if self.words and self._headers:
            raise UsageError("environment.headers: expected an address that is sent them, got a command")

    def __str__(self) -> str:
        """As errors name it: without the words of the command behind the program, and the query of the address."""
        return f"mcp:{self.address.partition('?')[0] or Path(self.words[0]).name}"

    @property
    def environment(self) -> dict[str, str]:
        """The variables of its process."""
        inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        return inherited | {str(key.variable): key.reveal() for key in self._variables}

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request to it."""
        return {name: key.reveal() for name, key in self._headers.items()}

    def redacted(self, text: str) -> str:
        """A text of the server's as it may be journaled and shown: without the secrets that it was given."""
        for key in (*self._variables, *self._headers.values()):
            if len(key.reveal()) >= _SHORTEST:
                text = key.redacted(text)
        return text

    def connected(self, limits: CallLimits = _USUAL) -> "AbstractAsyncContextManager[ServerConnection]":
        """A connection to it, as the `session` of a `ToolWorld`; its process is started if it is a command.

        Raises:
            WorldFault: when it is entered; see `ServerConnection`.
        """
        from quintet.environments.mcp.connection import ServerConnection  # imports the protocol's package

        return ServerConnection(self, limits).opened()

    def lacking(self) -> str:
        """What this machine lacks to start it; empty: nothing."""
        if self.address or shutil.which(self.words[0]) is not None:
            return ""
        return f"environment.server: expected a program on the PATH, got {self.words[0]!r}"


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(
            f"environment.server: expected a command, as a shell reads it, got one with {error}"
        ) from error
    if not words:
        raise UsageError("environment.server: expected a command or an address, got nothing")
    return words


def _check_address(address: str) -> None:
    try:
        parts = urlsplit(address)
        found = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"environment.server: expected an address, got one with {error}") from error
    if not found[0]:
        raise UsageError("environment.server: expected an address with a host, got none")
    if parts.username is not None or parts.password is not None:
        expected = "an address without a password, which is written down; name a variable by environment.headers"
        raise UsageError(f"environment.server: expected {expected}, got one with it (not shown)")
