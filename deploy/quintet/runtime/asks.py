"""The table of open asks: what this host has asked and waits for."""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from quintet.errors import Fault
from quintet.messages.paths import Path
from quintet.ports.transport import HostName


@dataclass(frozen=True)
class OpenAsk:
    """A request under way."""

    to: HostName
    path: Path
    incarnation: int
    body: asyncio.Future[msgspec.Raw]
    """The reply, encoded."""

    def fail(self, fault: Fault) -> None:
        """End it, unless it has ended."""
        if not self.body.done():
            self.body.set_exception(fault)


class OpenAsks:
    """Open asks by number. A number is never used twice, so whatever arrives for one that has ended changes nothing."""

    def __init__(self) -> None:
        self._open: dict[int, OpenAsk] = {}
        self._numbers = itertools.count(1)

    def __len__(self) -> int:
        return len(self._open)

    def next_number(self) -> int:
        """A number for an ask that is about to be sent."""
        return next(self._numbers)

    def open(self, number: int, to: HostName, path: Path, incarnation: int) -> OpenAsk:
        """Wait for the answer to an ask that is sent."""
        ask = OpenAsk(to, path, incarnation, asyncio.get_running_loop().create_future())
        self._open[number] = ask
        return ask

    def close(self, number: int) -> None:
        """Its asker has what it wanted, or no longer waits."""
        del self._open[number]

    def answer(self, number: int, body: msgspec.Raw) -> None:
        """The reply arrived."""
        ask = self._open.get(number)
        if ask is not None and not ask.body.done():
            ask.body.set_result(body)

    def fail(self, number: int, fault: Fault) -> None:
        """The ask ended in a fault."""
        ask = self._open.get(number)
        if ask is not None:
            ask.fail(fault)

    def fail_where(self, concerned: Callable[[OpenAsk], bool], fault: Callable[[OpenAsk], Fault]) -> None:
        """End every ask that is concerned."""
        for ask in self._open.values():
            if concerned(ask):
                ask.fail(fault(ask))
