"""Reads the token ids of prompts: of one that extends another, only those that are new."""

from collections import OrderedDict
from typing import Final

import msgspec

from quintet.messages.prompts import Prompt, PromptAddress
from quintet.ports.tokens import pack_ids

_REMEMBERED: Final = 1024
"""Prompts. Reading one anew takes as long as half of everything else that a call does."""

_ids = msgspec.json.Decoder(list[int])


class PromptIds:
    """The ids of the prompts that an endpoint was sent last, as it wrote them and packed."""

    def __init__(self) -> None:
        self._known: OrderedDict[PromptAddress, tuple[bytes, bytes]] = OrderedDict()

    def read(self, prompt: Prompt, text: bytes) -> bytes:
        """The packed ids of a prompt.

        Args:
            text: the ids as a list in valid JSON.

        Raises:
            msgspec.DecodeError: it is no list of whole numbers.
            OverflowError: a number is out of range.
        """
        link: Prompt | None = prompt
        while link is not None and link.node.address not in self._known:
            link = link.parent
        begins, packed = (b"", b"") if link is None else self._known[link.node.address]
        rest = text[len(begins) :] if link is not None and text.startswith(begins) else b""
        if rest[:1] == b",":
            packed += pack_ids(_ids.decode(b"[" + rest[1:]))
        elif rest != b"]":
            packed = pack_ids(_ids.decode(text))
        self._known[prompt.node.address] = text.rstrip()[:-1], packed
        self._known.move_to_end(prompt.node.address)
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return packed
