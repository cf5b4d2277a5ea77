"""PromptReader: what a prompt said, from the nodes of records alone."""

from hypothesis import given
from hypothesis import strategies as st

from quintet.export.prompt_reader import PromptReader
from quintet.messages.prompts import ChatMessage, Prompt, PromptAddress, assistant, system, user

_messages = st.lists(
    st.builds(ChatMessage, role=st.sampled_from(["user", "assistant"]), content=st.sampled_from("abc"))
)


@given(st.lists(_messages.filter(bool), min_size=1, max_size=5))
def test_a_conversation_is_read_as_it_was_said(turns: list[list[ChatMessage]]) -> None:
    reader, prompt = PromptReader(), Prompt(system("You craft."))
    for turn in turns:
        known = prompt.node.address
        prompt = prompt.extend(*turn)
        reader.add(prompt.nodes_since({known}) if turn is not turns[0] else prompt.nodes_since(()))
    said = [each.message for each in reader.read(prompt.node.address)]
    assert said == [system("You craft."), *(message for turn in turns for message in turn)]


def test_the_messages_used_last_are_remembered() -> None:
    reader = PromptReader(bound=3)
    shared = Prompt(system("You craft."))
    first, second = shared.extend(user("first")), shared.extend(user("second"))
    reader.add(first.nodes_since(()))
    reader.add(second.nodes_since(()))
    reader.read(second.node.address)
    third = second.extend(assistant("third"))
    reader.add(third.nodes_since({second.node.address}))
    assert [each.message.content for each in reader.read(third.node.address)] == [
        "You craft.",
        "second",
        "third",
    ]
    assert reader.read(first.node.address) == []
    assert reader.read(PromptAddress("unknown")) == []
