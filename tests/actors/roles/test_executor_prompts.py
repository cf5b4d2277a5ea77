"""The executor's prompts: what is kept of them, and that it changes nothing."""

from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.execution import Decide, Turn
from quintet.messages.parts import Inventory
from quintet.roles.executor import ExecutorPrompts

TEXTS = {"decide": "Act.", "decide.candidates": "Name {n} actions."}
TURNS = tuple(Turn(completion=f"Action: {number}", observation=f"Done: {number}") for number in range(40))


def asked(*history: Turn, goal: str = "tea") -> Decide:
    return Decide(setting="A kitchen.", goal=goal, history=history)


def test_a_longer_history_extends_the_prompt_of_the_shorter_one() -> None:
    prompts = ExecutorPrompts(TEXTS)
    shorter = prompts.conversation(asked(*TURNS[:30]))
    assert prompts.conversation(asked(*TURNS[:30])) is shorter
    assert prompts.conversation(asked(*TURNS[:31])).parent is shorter


def test_siblings_share_what_comes_before_them() -> None:
    prompts = ExecutorPrompts(TEXTS)
    one, other = (prompts.conversation(asked(*TURNS[:5], turn)) for turn in TURNS[5:7])
    assert one is not other
    assert one.parent is other.parent


def test_other_openings_share_nothing() -> None:
    prompts = ExecutorPrompts(TEXTS)
    one = prompts.conversation(asked(*TURNS[:2]))
    other = prompts.conversation(asked(*TURNS[:2], goal="coffee"))
    with_part = prompts.opening(Decide(setting="A kitchen.", goal="tea", parts=(Inventory(text="A cup."),)))
    assert len({one.messages()[1], other.messages()[1], with_part.messages()[1]}) == 3


@given(st.lists(st.lists(st.sampled_from(TURNS[:3]), max_size=6), max_size=12), st.integers(0, 6_000))
def test_whatever_is_kept_the_prompts_are_the_same(histories: list[list[Turn]], memory: int) -> None:
    prompts = ExecutorPrompts(TEXTS, memory=memory)
    for history in histories:
        fresh = ExecutorPrompts(TEXTS, memory=0).question(asked(*history))
        kept = prompts.question(asked(*history))
        assert (kept.node.address, kept.messages()) == (fresh.node.address, fresh.messages())


def test_the_oldest_prompts_are_given_up_when_memory_is_full() -> None:
    prompts = ExecutorPrompts(TEXTS, memory=5_000)
    first = prompts.conversation(asked(TURNS[0]))
    assert prompts.conversation(asked(TURNS[0])) is first
    for turn in TURNS:
        prompts.conversation(asked(turn, turn))
    again = prompts.conversation(asked(TURNS[0]))
    assert again is not first
    assert again.node == first.node
