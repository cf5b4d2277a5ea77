"""Prompts as chains: what is shared, what is said differently, and what is journaled once."""

from quintet.messages.prompts import Prompt, assistant, system, user


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


def test_what_a_call_brought_along_is_not_brought_again() -> None:
    opening = Prompt(system("Act."), user("Hello."))
    called = opening.extend(assistant("Hi."), user("Go on."))
    beside = opening.extend(assistant("Well."), user("Stop."))
    assert called.new_nodes() == (opening.node, called.node)
    called.journaled = True
    assert called.new_nodes() == ()
    assert opening.journaled
    assert beside.new_nodes() == (beside.node,)


def test_what_grows_from_a_called_prompt_is_new() -> None:
    called = Prompt(system("Act."), user("Hello."))
    called.journaled = True
    grown = called.extend(assistant("Hi."), user("Go on."))
    assert not grown.journaled
    assert grown.new_nodes() == (grown.node,)
