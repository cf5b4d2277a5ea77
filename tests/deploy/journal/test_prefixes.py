"""Shares of prompts that extend earlier ones, counted by hand."""

from quintet.journal.prefixes import PrefixShare, Prompted, prefix_shares, total_share
from quintet.messages.prompts import ChatMessage, assistant, system, user


def asked(*messages: ChatMessage, model: str = "m", phase: str = "execute") -> Prompted:
    return Prompted(model, phase, messages)


def test_the_first_prompt_extends_none_and_the_same_again_extends_it_whole() -> None:
    prompt = asked(system("1234"), user("567890"))
    assert prefix_shares([prompt]) == {"execute": PrefixShare(10, 0)}
    assert prefix_shares([prompt, prompt]) == {"execute": PrefixShare(20, 10)}


def test_a_longer_conversation_extends_the_one_before_also_within_its_last_message() -> None:
    first = asked(system("1234"), user("Goal. Question?"))
    second = asked(system("1234"), user("Goal. "), assistant("abc"), user("seen"))
    assert prefix_shares([first, second]) == {"execute": PrefixShare(19 + 17, 4 + 6)}


def test_nothing_is_extended_behind_the_first_difference() -> None:
    first = asked(system("1234"), user("abcd"), assistant("same"))
    second = asked(system("1234"), user("abXX"), assistant("same"))
    assert prefix_shares([first, second]) == {"execute": PrefixShare(24, 4 + 2)}


def test_the_message_with_the_most_in_common_counts_whichever_came_between() -> None:
    texts = ("abcdef", "zz", "a", "abcxyz", "abd")
    said = [asked(user(text)) for text in texts]
    assert prefix_shares([*said, asked(user("abcdxx"))])["execute"].extending == 0 + 0 + 1 + 3 + 2 + 4


def test_another_model_or_role_extends_nothing_and_another_phase_does() -> None:
    said = user("12345678")
    shares = prefix_shares(
        [asked(said), asked(said, model="other"), asked(system("12345678")), asked(said, phase="values")]
    )
    assert shares == {"execute": PrefixShare(24, 0), "values": PrefixShare(8, 8)}
    assert total_share(shares.values()) == PrefixShare(32, 8)
    assert (total_share(shares.values()).share, PrefixShare().share) == (0.25, 0.0)
