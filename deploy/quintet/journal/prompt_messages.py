"""The messages of prompts: a tree, in which each names the one that it follows."""

from collections.abc import Container
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta

from quintet.journal.cells import Count, Row, RowNumber
from quintet.journal.codes import MESSAGE_ROLES
from quintet.messages.prompts import ChatMessage, PromptNode, address_of

MESSAGES: Final = """
SELECT message.id, message.back, message.role, message.text, text.text
FROM (
    WITH RECURSIVE chain(id) AS (
        SELECT prompt FROM _calls WHERE id BETWEEN ? AND ?
        UNION SELECT _messages.id - _messages.back FROM chain JOIN _messages USING (id) WHERE _messages.back > 0
    ) SELECT id FROM chain
) AS chain JOIN _messages AS message USING (id) LEFT JOIN _texts AS text ON text.id = message.text
ORDER BY message.id
"""
"""The messages of all prompts of an episode's calls, each after the one that it follows."""


class MessageRow(NamedTuple):
    """A message of a prompt."""

    number: RowNumber
    back: Count
    role: Annotated[int, Meta(ge=0, lt=len(MESSAGE_ROLES))]
    text: Count | None
    content: str | None


class PromptMessages:
    """Messages of prompts, by number. Add each after the one that it follows."""

    def __init__(self) -> None:
        self.nodes: dict[int, PromptNode] = {}
        self.parents: dict[int, int] = {}
        self._taken: set[int] = set()

    def add(self, row: Row) -> MessageRow:
        """Add a row of `MESSAGES`."""
        found = msgspec.convert(row, MessageRow)
        if found.text is not None and found.content is None:
            raise msgspec.ValidationError(f"expected text {found.text}, got none")
        message = ChatMessage(role=MESSAGE_ROLES[found.role], content=found.content or "")
        above = found.number - found.back
        if found.back and above not in self.nodes:
            raise msgspec.ValidationError(f"expected message {above} before message {found.number}, got none")
        parent = self.nodes[above].address if found.back else None
        address = address_of(parent, message)
        self.nodes[found.number] = PromptNode(address=address, parent=parent, appended=(message,))
        self.parents[found.number] = above if found.back else 0
        return found

    def conversation(self, number: int) -> tuple[ChatMessage, ...]:
        """The messages up to this one, oldest first."""
        return tuple(message for each in self._since(number, ()) for message in self.nodes[each].appended)

    def take(self, number: int) -> PromptNode:
        """A prompt with those of its messages that were not taken before, and its last one."""
        new = self._since(number, self._taken) or [number]
        self._taken.update(new)
        appended = tuple(message for each in new for message in self.nodes[each].appended)
        return PromptNode(address=self.nodes[number].address, parent=self.nodes[new[0]].parent, appended=appended)

    def _since(self, number: int, known: Container[int]) -> list[int]:
        found: list[int] = []
        while number and number not in known:
            found.append(number)
            number = self.parents[number]
        return found[::-1]
