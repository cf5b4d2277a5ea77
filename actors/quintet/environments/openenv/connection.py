"""One session on a server: a web socket on which each message has one answer."""

import asyncio
from collections.abc import Mapping
from typing import Any

import aiohttp
import msgspec
from msgspec import Struct

from quintet.environments.openenv.address import ServerAddress
from quintet.errors import WorldFault, one_line

_CLOSE_SECONDS = 2.0


class Frame(Struct, frozen=True):
    """What a server sends."""

    type: str
    data: dict[str, Any] = {}


class ServerError(Exception):
    """The server's own error, which left the session as it was: it did not take the message."""


_REFUSED = ("VALIDATION_ERROR", "EXECUTION_ERROR")

_CLOSED = (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSING, aiohttp.WSMsgType.CLOSED)
_TOO_BIG = aiohttp.WSCloseCode.MESSAGE_TOO_BIG

_decode = msgspec.json.Decoder(Frame).decode


class SessionConnection:
    """A session. One message at a time; whatever goes wrong with it is a `WorldFault`, and it is over.

    A frame that answers no message, or is too large, ends it too: the next answer would be another's.
    """

    def __init__(
        self, address: ServerAddress, http: aiohttp.ClientSession, socket: aiohttp.ClientWebSocketResponse
    ) -> None:
        self._address = address
        self._http = http
        self._socket = socket
        self._asked: asyncio.Future[Frame] | None = None
        self._fault: str = ""
        """Why it is over; empty: it is not."""
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, address: ServerAddress, session_id: str | None = None) -> "SessionConnection":
        """A new session, or the one of that id."""
        http = address.client()
        try:
            async with asyncio.timeout(address.seconds):
                taken = {} if session_id is None else {"session_id": session_id}
                socket = await http.ws_connect(f"{address.url}/ws", params=taken, max_msg_size=address.largest)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            await http.close()
            raise address.fault(f"expected a session, got {type(error).__name__}: {one_line(error)}") from error
        except BaseException:
            await http.close()
            raise
        return cls(address, http, socket)

    async def ask(self, kind: str, data: Mapping[str, Any] | None = None, *, answer: str) -> dict[str, Any]:
        """The data of the answer to a message.

        Args:
            answer: the type of frame that it has.

        Raises:
            ServerError: the server refuses the message, and the session goes on.
            WorldFault: the session is over.
        """
        message = {"type": kind} if data is None else {"type": kind, "data": data}
        self._check()
        self._asked = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(self._address.seconds):
                await self._socket.send_str(msgspec.json.encode(message).decode())
                frame = await self._asked
        except TimeoutError as error:
            self._fault = f"expected an answer to {kind} within {self._address.seconds:g} s, got none"
            raise self._address.fault(self._fault) from error
        except (aiohttp.ClientError, OSError) as error:
            self._fault = f"expected to send {kind}, got {type(error).__name__}: {one_line(error)}"
            raise self._address.fault(self._fault) from error
        except asyncio.CancelledError:
            self._fault = f"{kind} was given up"
            raise
        finally:
            self._asked = None
        if frame.type == "error":
            code, said = frame.data.get("code"), str(frame.data.get("message", "no reason"))
            if code in _REFUSED:
                raise ServerError(self._address.shown(said))
            raise self._over(f"expected an answer to {kind}, got {code}: {said}")
        if frame.type != answer:
            raise self._over(f"expected a frame of type {answer}, got {frame.type!r:.100}")
        return frame.data

    async def close(self) -> None:
        """End it; a server that does not answer is left."""
        self._fault = self._fault or "it was closed"
        self._reader.cancel()
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._socket.send_str('{"type":"close"}')
                await self._socket.close()
        except (aiohttp.ClientError, TimeoutError, OSError):
            pass  # it is gone
        finally:
            await self._http.close()

    def _check(self) -> None:
        if self._fault:
            raise self._address.fault(f"expected an open session, got one that is over: {self._fault}")

    def _over(self, fault: str) -> WorldFault:
        self._fault = fault
        return self._address.fault(fault)

    async def _read(self) -> None:
        """Answer the pending message with each frame; a frame without one ends the session."""
        why = ""
        while not why:
            message = await self._socket.receive()
            if message.type in _CLOSED:
                why = "the server closed the connection" + (f": {message.extra!r}" if message.extra else "")
            elif getattr(message.data, "code", None) == _TOO_BIG:  # of a `WebSocketError`
                why = f"expected a frame of at most {self._address.largest:,} bytes, got a larger one"
            elif self._asked is None or self._asked.done():
                why = f"the server sent what nobody asked for: {message.data!r:.300}"
            else:
                try:
                    self._asked.set_result(_decode(message.data))
                except (msgspec.DecodeError, UnicodeError, RecursionError, TypeError) as error:
                    why = f"expected a frame of JSON, got {message.data!r:.100}: {one_line(error)}"
        self._fault = self._fault or why
        if self._asked is not None and not self._asked.done():
            self._asked.set_exception(self._address.fault(why))
