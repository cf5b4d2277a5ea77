"""Prompts about a task: what is kept of them, and that it changes nothing."""

from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.execution import Turn
from quintet.messages.parts import Demonstrations, Inventory, TaskPlan
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.roles.conversations import Conversations

TURNS = tuple(Turn(completion=f"Action: {number}", observation=f"Done: {number}") for number in range(40))


def after(conversations: Conversations, *turns: Turn, goal: str = "tea") -> Prompt:
    return conversations.after(conversations.opening("Act.", "A kitchen.", goal), turns)


def test_a_longer_history_extends_the_prompt_of_the_shorter_one_and_siblings_share_it() -> None:
    conversations = Conversations()
    shorter = after(conversations, *TURNS[:30])
    assert after(conversations, *TURNS[:30]) is shorter
    one, other = (after(conversations, *TURNS[:30], turn) for turn in TURNS[30:32])
    assert one is not other
    assert one.parent is other.parent is shorter


def test_other_openings_share_nothing() -> None:
    conversations = Conversations()
    one, other = after(conversations, *TURNS[:2]), after(conversations, *TURNS[:2], goal="coffee")
    with_part = conversations.opening("Act.", "A kitchen.", "tea", (Inventory(text="A cup."),))
    assert len({one.messages()[1], other.messages()[1], with_part.messages()[1]}) == 3


@given(st.lists(st.lists(st.sampled_from(TURNS[:3]), max_size=6), max_size=12), st.integers(0, 6_000))
def test_whatever_is_kept_the_prompts_are_the_same(histories: list[list[Turn]], memory: int) -> None:
    conversations = Conversations(memory=memory)
    for history in histories:
        fresh, kept = after(Conversations(memory=0), *history), after(conversations, *history)
        assert (kept.node.address, kept.messages()) == (fresh.node.address, fresh.messages())


def test_the_oldest_prompts_are_given_up_when_memory_is_full() -> None:
    conversations = Conversations(memory=5_000)
    first = after(conversations, TURNS[0])
    assert after(conversations, TURNS[0]) is first
    for turn in TURNS:
        after(conversations, turn, turn)
    again = after(conversations, TURNS[0])
    assert again is not first
    assert again.node == first.node


EXAMPLES = """This is how.

A shop.

Goal: have tea.
Thought: Tea!
Action: get tea
Observation: A page.

[1] tea
Thought: I have it.
Action: task completed

Goal: have salt.
Action: get salt
Observation: You have salt."""


def test_examples_are_turns_before_the_task_where_a_model_is_shown_them_so() -> None:
    parts = Demonstrations(text=EXAMPLES), TaskPlan(text="Hurry."), Demonstrations(text="Goal: rest.\nAction: rest")
    plan = "Act.\n\nA plan for tasks of this kind:\n\nHurry."
    assert Conversations(examples="turns").opening("Act.", "A kitchen.", "jam", parts).messages() == (
        system(plan),
        user("This is how.\n\nA shop.\n\nGoal: have tea."),
        assistant("Thought: Tea!\nAction: get tea"),
        user("A page.\n\n[1] tea"),
        assistant("Thought: I have it.\nAction: task completed"),
        user("Goal: have salt."),
        assistant("Action: get salt"),
        user("You have salt.\n\nGoal: rest."),
        assistant("Action: rest"),
        user("A kitchen.\n\nGoal: jam."),
    )


def test_no_two_messages_of_one_role_follow_each_other_where_examples_end_with_an_answer() -> None:
    [_, _, _, last] = (
        Conversations(examples="turns")
        .opening("Act.", "A kitchen.", "jam", [Demonstrations(text="Goal: rest.\nAction: rest\nObservation: Rested.")])
        .messages()
    )
    assert last == user("Rested.\n\nA kitchen.\n\nGoal: jam.")
