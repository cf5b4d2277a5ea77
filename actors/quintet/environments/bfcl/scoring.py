"""Which messages of a conversation were served, by the package's checks."""

from collections.abc import Sequence

from quintet.environments.bfcl.conversations import Conversation
from quintet.environments.bfcl.package import checker
from quintet.environments.bfcl.tools import ToolBox
from quintet.parsing.tool_calls import read_tool_call


def served_messages(conversation: Conversation, made: Sequence[Sequence[str]]) -> tuple[bool, ...]:
    """Compare the calls that were made for each message with its answer, both carried out anew.

    A message is served if a call was made for it, all that can be changed then is as the answer leaves it, and what the
    answer's calls returned was returned by calls so far. What an earlier message left otherwise mostly stays so.

    Args:
        conversation: that was held.
        made: the calls for each message, as they were carried out.

    Returns:
        One for each message whose answer has calls; no other is checked.
    """
    checks = checker()
    ours, theirs = ToolBox(conversation), ToolBox(conversation)
    returned, served = list[str](), list[bool]()
    for number, (calls, answer) in enumerate(zip(made, conversation.answers, strict=True)):
        returned += [ours.call(read_tool_call(each)) for each in calls]
        expected = [theirs.call(read_tool_call(each)) for each in answer]
        if answer:
            served.append(
                bool(calls)
                and checks.state_checker(ours.apis, theirs.apis)["valid"]
                and checks.response_checker(returned, expected, number)["valid"]
            )
    return tuple(served)
