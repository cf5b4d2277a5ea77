"""Anthropic's interface on loopback, with a cache of prefixes that counts tokens as theirs does."""

import hashlib
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, NamedTuple

import msgspec

LEAST_CACHED: Final = 1024
"""Tokens: a shorter prefix is not cached."""
_LOOKED_BACK: Final = 20
"""Blocks before a mark where what was cached is looked for."""
_CHARACTERS: Final = 4
"""Of a token."""


class _Block(NamedTuple):
    tokens: int
    """Of the prompt up to its end."""
    prefix: str
    """The hash of that, whatever blocks it is cut into."""
    marked: bool


class PrefixCache:
    """What was cached: it lasts as long as this object."""

    def __init__(self) -> None:
        self._written = set[str]()

    def usage(self, body: dict[str, Any]) -> dict[str, int]:
        """The tokens of a request's prompt: read from the cache, written to it, and others."""
        blocks = list(_blocks(body))
        marks = [place for place, block in enumerate(blocks) if block.marked and block.tokens >= LEAST_CACHED]
        looked = {place for mark in marks for place in range(max(mark - _LOOKED_BACK, 0), mark + 1)}
        read = max((blocks[place].tokens for place in looked if blocks[place].prefix in self._written), default=0)
        written = max((blocks[mark].tokens for mark in marks), default=0)
        self._written.update(blocks[mark].prefix for mark in marks)
        return {
            "input_tokens": blocks[-1].tokens - max(read, written),
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": max(written - read, 0),
        }


def _blocks(body: dict[str, Any]) -> Iterator[_Block]:
    digest, characters = hashlib.sha256(), 0
    instructions = [{"role": "system", "content": body["system"]}] if "system" in body else []
    for message in (*instructions, *body["messages"]):
        content = message["content"]
        digest.update(f"\0{message['role']}\0".encode())
        for block in [{"text": content}] if isinstance(content, str) else content:
            assert block["text"].strip(), f"no block may be without a word: {block}"
            digest.update(block["text"].encode())
            characters += len(block["text"])
            yield _Block(characters // _CHARACTERS, digest.hexdigest(), "cache_control" in block)


@contextmanager
def caching_server(answers: Sequence[str]) -> Generator[str, None, None]:
    """The address of a server that gives the answers in the order of the calls."""
    cache, left = PrefixCache(), iter(answers)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = msgspec.json.decode(self.rfile.read(int(self.headers["content-length"])))
            content = [{"type": "text", "text": next(left)}]
            usage = {**cache.usage(body), "output_tokens": 20}
            message = {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": body["model"],
                "content": content,
            }
            answer = msgspec.json.encode({**message, "stop_reason": "end_turn", "stop_sequence": None, "usage": usage})
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
