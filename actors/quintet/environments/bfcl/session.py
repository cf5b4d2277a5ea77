"""One live session of a conversation, and its expert."""

import re
from itertools import chain
from typing import Final, Self

from quintet.environments.bfcl.conversations import Conversation
from quintet.environments.bfcl.scoring import served_messages
from quintet.environments.bfcl.tools import ToolBox
from quintet.environments.described_tool import described_tool, reply_tool
from quintet.messages.tools import OfferedTool
from quintet.parsing.tool_calls import read_tool_call
from quintet.ports.world import Opening, Outcome, WorldState

REPLY: Final = "reply"
_DONE: Final = f"{REPLY}(message='Done.')"
_ASK: Final = f"{REPLY}(message='I cannot do this yet. What am I missing?')"
_REPLY_TOOL: Final = reply_tool("Answer the user, who then sends the next message, and may describe further tools.")
_SETTING: Final = """You serve a user by calls of tools, one at a time. As text, a call is in Python's syntax:
cd(folder='document').
reply(message='...') answers the user, who then sends the next message, and may describe further tools.
The tools:
{tools}"""


def _opening(conversation: Conversation) -> Opening:
    """How a conversation begins: the tools, and the user's first message on one line."""
    first = re.sub(r"\s*\n\s*", " ", conversation.messages[0])
    setting = _SETTING.format(tools="\n".join(conversation.tools[0]))
    goal = f'do what the user asks, message by message; the first one is "{first}"'
    offered = _offered(conversation, 1)
    return Opening(observation=f"{setting}\n\nUser: {first}", setting=setting, goal=goal, tools=offered)


def _offered(conversation: Conversation, messages: int) -> tuple[OfferedTool, ...]:
    """What is offered once so many messages were sent."""
    shown = chain.from_iterable(conversation.tools[:messages])
    return (*map(described_tool, shown), _REPLY_TOOL)


class BfclState(WorldState):
    """A conversation that is being held."""

    made: tuple[tuple[str, ...], ...]
    """The calls that were carried out for each message so far, as written; the last one is not replied to yet."""

    def __init__(self, conversation: Conversation) -> None:
        super().__init__(_opening(conversation))
        self._conversation = conversation
        self._tools = ToolBox(conversation)
        self.made = ((),)

    @property
    def offered(self) -> tuple[OfferedTool, ...]:
        return _offered(self._conversation, len(self.made))

    def step(self, action: str) -> Outcome:
        if self.done:
            return self.reject("The user has left.")
        try:
            call = read_tool_call(action)
            if call.tool == REPLY:
                return self._reply()
            seen = self._tools.call(call)
        except ValueError as error:
            return self.reject(f"Not called: {error}")
        *before, now = self.made
        self.made = (*before, (*now, action))
        return self.accept(seen)

    def expert(self) -> tuple[str, ...] | None:
        """The calls of the answers that were not made for their message, and the replies between them.

        None if not all messages would be served then.
        """
        if self.done:
            return ()
        *before, now = self.made
        answer, *later = self._conversation.answers[len(before) :]
        left = self._left_of(answer)
        if not all(served_messages(self._conversation, (*before, (*now, *left), *later))):
            return None
        ahead = ((answer, left), *((each, each) for each in later))
        return tuple(action for whole, calls in ahead for action in (*calls, _DONE if whole else _ASK))

    def _left_of(self, answer: tuple[str, ...]) -> tuple[str, ...]:
        """The calls of an answer to this message that were not made."""
        made = [self._tools.meaning(read_tool_call(each)) for each in self.made[-1]]
        left = list[str]()
        for call in answer:
            meaning = self._tools.meaning(read_tool_call(call))
            if meaning in made:
                made.remove(meaning)
            else:
                left.append(call)
        return tuple(left)

    def fork(self) -> Self:
        copy = super().fork()
        copy._tools = self._tools.copy()
        return copy

    def load(self, snapshot: bytes) -> None:
        """As the port has it; the calls are made again."""
        super().load(snapshot)
        for calls in self.made:
            for each in calls:
                self._tools.call(read_tool_call(each))

    def _reply(self) -> Outcome:
        messages = self._conversation.messages
        if len(self.made) < len(messages):
            self.made = (*self.made, ())
            return self.accept(f"User: {messages[len(self.made) - 1]}")
        served = served_messages(self._conversation, self.made)
        return self.accept(
            "The user has no further message.",
            float(all(served)),
            done=True,
            figures={"served": sum(served) / len(served)},
            final_answer=True,
        )
