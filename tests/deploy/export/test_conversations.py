"""Conversations: what a prompt said, from the nodes of records alone."""

from hypothesis import given
from hypothesis import strategies as st

from quintet.export.conversations import Conversations
from quintet.messages.prompts import ChatMessage, Prompt, PromptAddress, assistant, system, user

_messages = st.lists(
    st.builds(ChatMessage, role=st.sampled_from(["user", "assistant"]), content=st.sampled_from("abc"))
)


@given(st.lists(_messages.filter(bool), min_size=1, max_size=5))
def test_a_conversation_is_read_as_it_was_said(turns: list[list[ChatMessage]]) -> None:
    conversations, prompt = Conversations(), Prompt(system("You craft."))
    for turn in turns:
        known = prompt.node.address
        prompt = prompt.extend(*turn)
        conversations.add(prompt.nodes_since({known}) if turn is not turns[0] else prompt.nodes_since(()))
    said = [each.message for each in conversations.read(prompt.node.address)]
    assert said == [system("You craft."), *(message for turn in turns for message in turn)]


def test_the_messages_used_last_are_remembered() -> None:
    conversations = Conversations(bound=3)
    shared = Prompt(system("You craft."))
    first, second = shared.extend(user("first")), shared.extend(user("second"))
    conversations.add(first.nodes_since(()))
    conversations.add(second.nodes_since(()))
    conversations.read(second.node.address)
    third = second.extend(assistant("third"))
    conversations.add(third.nodes_since({second.node.address}))
    assert [each.message.content for each in conversations.read(third.node.address)] == [
        "You craft.",
        "second",
        "third",
    ]
    assert conversations.read(first.node.address) == []
    assert conversations.read(PromptAddress("unknown")) == []
