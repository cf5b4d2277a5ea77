"""Prompts as chains: what is shared, what is said differently, and which nodes are new."""

from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user


def test_a_conversation_reworded_differs_in_its_last_message_alone() -> None:
    prompt = Prompt(system("Act."), user("Hello.")).extend(assistant("Hi."), user("Go on."))
    reworded = prompt.reworded("Stop.")
    assert reworded.messages() == (*prompt.messages()[:-1], user("Stop."))
    assert reworded.node.parent == prompt.node.parent
    assert reworded.node.address != prompt.node.address
    assert prompt.messages()[-1] == user("Go on.")


def test_a_prompt_reworded_as_it_was_is_the_same() -> None:
    prompt = Prompt(system("Act."), user("Hello."))
    assert prompt.reworded("Hello.").node == prompt.node


def test_nodes_since_a_known_prompt_are_those_grown_from_it() -> None:
    opening = Prompt(system("Act."), user("Hello."))
    called = opening.extend(assistant("Hi."), user("Go on."))
    beside = opening.extend(assistant("Well."), user("Stop."))
    assert called.nodes_since(()) == (opening.node, called.node)
    assert called.nodes_since({called.node.address}) == ()
    assert beside.nodes_since({called.node.address, opening.node.address}) == (beside.node,)


def test_a_prompt_built_again_is_known_by_its_address() -> None:
    known = {Prompt(system("Act."), user("Hello.")).node.address}
    again = Prompt(system("Act."), user("Hello."))
    assert again.nodes_since(known) == ()
    grown = again.extend(assistant("Hi."), user("Go on."))
    assert grown.nodes_since(known) == (grown.node,)


def test_a_total_counts_every_message_once_however_the_prompt_was_built() -> None:
    counted: list[str] = []

    def length(message: ChatMessage) -> int:
        counted.append(message.content)
        return len(message.content)

    prompt = Prompt(system("Act."), user("Hello."))
    assert prompt.total(length) == 10
    grown = prompt.extend(assistant("Hi.")).extend(user("Go on."))
    assert grown.total(length) == grown.total(length) == 19
    assert counted == ["Act.", "Hello.", "Hi.", "Go on."]
    assert grown.reworded("Stop.").total(length) == 18
    assert Prompt(*grown.messages()).total(len_of) == grown.total(len_of) == 19


def len_of(message: ChatMessage) -> int:
    return len(message.content)


def test_all_of_a_prompt_lasts_unless_it_is_said() -> None:
    prompt = Prompt(system("Be short."), user("Hello."))
    assert (prompt.lasting, Prompt().lasting, prompt.reworded("Stop.").lasting) == (6, 0, 5)
    assert prompt.reworded("Hello. Why?", lasting=prompt.lasting).lasting == 6
