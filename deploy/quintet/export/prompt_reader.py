"""Puts the messages of prompts back together, from the nodes that records carry."""

from collections.abc import Iterable
from typing import NamedTuple

from quintet.messages.prompts import ChatMessage, PromptAddress, PromptNode, address_of

_REMEMBERED = 2**16


class Said(NamedTuple):
    """A message, and the address of the conversation that it ends."""

    address: PromptAddress
    message: ChatMessage


class PromptReader:
    """The conversations of a run's calls, by address.

    Only the messages used last are remembered, so that a long run can be followed.
    """

    def __init__(self, bound: int = _REMEMBERED) -> None:
        self._bound = bound
        self._known: dict[PromptAddress, tuple[PromptAddress | None, ChatMessage]] = {}
        """Each message after the one before it; least recently used first."""

    def add(self, nodes: Iterable[PromptNode]) -> None:
        """Add the nodes of a call's record."""
        for node in nodes:
            above = node.parent
            for message in node.appended:
                address = address_of(above, message)
                self._use(address, (above, message))
                above = address

    def _use(self, address: PromptAddress, entry: tuple[PromptAddress | None, ChatMessage]) -> None:
        self._known.pop(address, None)
        self._known[address] = entry
        if len(self._known) > self._bound:
            del self._known[next(iter(self._known))]

    def read(self, address: PromptAddress) -> list[Said]:
        """The conversation up to a message, oldest first; without the beginning that was never added."""
        found: list[Said] = []
        above: PromptAddress | None = address
        while above is not None and above in self._known:
            entry = self._known[above]
            found.append(Said(above, entry[1]))
            self._use(above, entry)
            above = entry[0]
        return found[::-1]
