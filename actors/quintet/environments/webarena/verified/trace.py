"""What a session's window asked servers for, in the words of a HAR, as far as the package's evaluators look at it."""

import asyncio
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Request, Response

_LARGEST: Final = 2**20
"""Bytes of an answer that are kept."""
_NO_ANSWER: Final = -1
"""The status of a request without an answer, as Playwright's own HAR has it."""


class NetworkTrace:
    """Keeps the requests of a context, from now on, in the order in which they began.

    Of answers it keeps status, headers, cookies, and content if that is JSON: nothing else is looked at. The content of
    an uploaded file is not in it.
    """

    def __init__(self, context: "BrowserContext") -> None:
        self._entries: dict[Request, dict[str, Any]] = {}
        self._reading: set[asyncio.Task[None]] = set()
        context.on("request", self._begun)
        context.on("requestfinished", self._ended)
        context.on("requestfailed", self._ended)

    async def entries(self) -> tuple[Mapping[str, Any], ...]:
        """Those so far; one that is still on its way has no answer."""
        while self._reading:
            await asyncio.gather(*self._reading)
        return tuple(self._entries.values())

    def _begun(self, request: "Request") -> None:
        if request.url.startswith("http"):
            self._entries[request] = _entry(request)

    def _ended(self, request: "Request") -> None:
        if request in self._entries:
            reading = asyncio.get_running_loop().create_task(self._read(request))
            self._reading.add(reading)
            reading.add_done_callback(self._reading.discard)

    async def _read(self, request: "Request") -> None:
        from playwright.async_api import Error

        entry = self._entries[request]
        try:
            # Only the browser's network service knows `Sec-Fetch-User` and `Accept`, by which pages are told apart.
            entry["request"]["headers"] = await request.headers_array()
            if response := await request.response():
                entry["response"] = await _answer(response)
        except Error:
            return  # its tab is closed: what was known when it began stays


def _entry(request: "Request") -> dict[str, Any]:
    headers = [{"name": name, "value": value} for name, value in request.headers.items()]
    sent: dict[str, Any] = {"url": request.url, "method": request.method, "headers": headers}
    if body := request.post_data_buffer:
        kind = request.headers.get("content-type", "")
        sent["postData"] = {"mimeType": kind, "text": body.decode(errors="replace")}
    return {"request": sent, "response": {"status": _NO_ANSWER, "headers": [], "cookies": [], "redirectURL": ""}}


async def _answer(response: "Response") -> dict[str, Any]:
    headers = [{"name": each["name"], "value": each["value"]} for each in await response.headers_array()]
    kind = response.headers.get("content-type", "")
    found: dict[str, Any] = {
        "status": response.status,
        "headers": headers,
        "cookies": [
            pair for each in headers if each["name"].lower() == "set-cookie" for pair in _cookies(each["value"])
        ],
        "redirectURL": response.headers.get("location", ""),
    }
    if "application/json" in kind:
        body = await response.body()
        if len(body) <= _LARGEST:
            found["content"] = {"mimeType": kind, "text": body.decode(errors="replace")}
    return found


def _cookies(header: str) -> list[dict[str, str]]:
    try:
        return [{"name": name, "value": each.value} for name, each in SimpleCookie(header).items()]
    except CookieError:
        return []
