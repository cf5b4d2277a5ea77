"""Prompts as persistent chains: a prompt is its parent plus the messages appended, known by a content address."""

from collections.abc import Callable, Container
from hashlib import blake2b
from typing import Literal, NewType

import msgspec
from msgspec import Struct
from msgspec.structs import replace

PromptAddress = NewType("PromptAddress", str)
"""32 hexadecimal digits: the hash of the whole conversation up to and including a prompt's last message. Empty for a
prompt without messages."""


class ChatMessage(Struct, frozen=True, kw_only=True):
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    content: str


class PromptNode(Struct, frozen=True, kw_only=True):
    """A prompt as the journal is offered it: only what was appended to its parent, so n turns cost O(n)."""

    address: PromptAddress
    parent: PromptAddress | None
    appended: tuple[ChatMessage, ...]


_encode = msgspec.msgpack.Encoder().encode


def address_of(parent: PromptAddress | None, *appended: ChatMessage) -> PromptAddress:
    """The address of the prompt that appends these messages to another, one by one or at once."""
    address = parent or PromptAddress("")
    for message in appended:
        digest = blake2b(_encode((address, message)), digest_size=16)
        address = PromptAddress(digest.hexdigest())
    return address


_AROUND_A_MESSAGE = 16
"""Tokens of a message's role and delimiters; endpoints are known to charge three to seven."""


def _most_tokens(message: ChatMessage) -> int:
    return len(message.content.encode()) + _AROUND_A_MESSAGE


class Prompt:
    """A conversation with a model. Grows by `extend`, which shares everything before it and never rewrites."""

    __slots__ = ("_totals", "lasting", "most_tokens", "node", "parent")

    def __init__(self, *appended: ChatMessage, parent: "Prompt | None" = None, lasting: int | None = None) -> None:
        above: PromptAddress | None = None if parent is None else parent.node.address
        self.parent = parent
        self._totals: dict[Callable[[ChatMessage], int], int] | None = None
        """None: nothing was counted."""
        self.node: PromptNode = PromptNode(address=address_of(above, *appended), parent=above, appended=appended)
        self.most_tokens: int = (0 if parent is None else parent.most_tokens) + sum(map(_most_tokens, appended))
        """An upper bound of its tokens with any tokenizer that works on bytes."""
        self.lasting: int = (len(appended[-1].content) if appended else 0) if lasting is None else lasting
        """How many characters at the beginning of its last message later prompts are to repeat: what is worth keeping
        in a cache ends there."""

    def extend(self, *appended: ChatMessage) -> "Prompt":
        """This conversation with messages added."""
        return Prompt(*appended, parent=self)

    def reworded(self, content: str, *, lasting: int | None = None) -> "Prompt":
        """This conversation with another text as its last message. Both versions of its last node are kept.

        Args:
            lasting: how much of the text later prompts are to repeat; None: all of it.
        """
        *before, last = self.node.appended
        return Prompt(*before, replace(last, content=content), parent=self.parent, lasting=lasting)

    def total(self, count: Callable[[ChatMessage], int]) -> int:
        """The sum of `count` over all messages. A longer prompt grown from it counts only what is new.

        Args:
            count: a function of the message alone; one object for all calls, or nothing is found again.
        """
        links: list[Prompt] = []
        link: Prompt | None = self
        while link is not None and (link._totals is None or count not in link._totals):
            links.append(link)
            link = link.parent
        total = 0 if link is None or link._totals is None else link._totals[count]
        for link in reversed(links):
            total += sum(map(count, link.node.appended))
            link._totals = {**(link._totals or {}), count: total}
        return total

    def messages(self) -> tuple[ChatMessage, ...]:
        """The whole conversation, oldest first."""
        return tuple(message for node in self.nodes_since(()) for message in node.appended)

    def nodes_since(self, known: Container[PromptAddress]) -> tuple[PromptNode, ...]:
        """The nodes after the last one whose address is known, oldest first."""
        nodes: list[PromptNode] = []
        link: Prompt | None = self
        while link is not None and link.node.address not in known:
            nodes.append(link.node)
            link = link.parent
        return tuple(reversed(nodes))


def system(content: str) -> ChatMessage:
    """An instruction to the model."""
    return ChatMessage(role="system", content=content)


def user(content: str) -> ChatMessage:
    """A message to the model."""
    return ChatMessage(role="user", content=content)


def assistant(content: str) -> ChatMessage:
    """A message from the model."""
    return ChatMessage(role="assistant", content=content)
