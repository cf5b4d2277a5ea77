"""Asks: a request and its reply through envelope, codec, mailbox and deadline, on one host."""

import asyncio
from collections.abc import Iterator
from functools import partial

import msgspec

from benchmarks.measuring import Figure, rate
from quintet.journal.writer import SqliteJournal
from quintet.messages.environment import Close, Closed, Session
from quintet.messages.paths import child, episode_path
from quintet.messages.wire import decode_reply, encode
from quintet.ports.transport import DRIVER, Address
from quintet.runtime.host import Host
from quintet.runtime.local import Loopback

_ASKS = 20_000
_EPISODE = episode_path("task", 0, 0)
_REQUEST = Close(session=Session(id="task/0/0/1", host="here"))


class _Answerer:
    async def receive(self, request: Close) -> Closed:
        return Closed()


def _asks(callers: int) -> int:
    async def run() -> int:
        host = Host(DRIVER, Loopback(DRIVER), SqliteJournal(":memory:"))
        host.spawn("answerer", _Answerer())
        address = Address(host=DRIVER, role="answerer")

        async def call(caller: int) -> None:
            path = child(_EPISODE, caller)
            for _ in range(_ASKS // callers):
                await host.ask(address, _REQUEST, path=path, incarnation=1, seconds=60.0)

        await asyncio.gather(*(call(caller) for caller in range(callers)))
        await host.close()
        return _ASKS // callers * callers

    return asyncio.run(run())


def _codec() -> int:
    for _ in range(_ASKS):
        msgspec.msgpack.decode(encode(_REQUEST), type=Close)
        decode_reply(Close, msgspec.Raw(encode(Closed())))
    return _ASKS


def figures() -> Iterator[Figure]:
    """Asks per second, compared with the codec alone."""
    codec = rate(_codec)
    for callers in (1000, 1):
        found = rate(partial(_asks, callers))
        yield Figure(f"asks, {callers} callers", found, "/s", f"1/{codec / found:.0f} of the codec alone")
