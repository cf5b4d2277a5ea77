import pytest

from quintet.messages.parts import Demonstrations, History, Inventory, NotesTaken, TaskPlan, TaskSteps
from quintet.messages.prompts import assistant, system, user
from quintet.roles.conversations import Conversations, ExamplesShown
from quintet.roles.turn_text import as_sentence


@pytest.mark.parametrize(
    ("goal", "line"),
    [
        ("serve supper", "Goal: serve supper."),
        ("Who made it?", "Goal: Who made it?"),
        ('answer the question "Who made it?"', 'Goal: answer the question "Who made it?"'),
        ("Star it. Then stop.", "Goal: Star it. Then stop."),
    ],
)
def test_a_goal_ends_with_one_sign(goal: str, line: str) -> None:
    assert f"Goal: {as_sentence(goal)}" == line


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


def test_an_example_with_an_empty_observation_keeps_messages_in_turns() -> None:
    shown = "Goal: rest.\nThought: Now.\nAction: lie\nObservation:\nThought: Done.\nAction: rest\n\n"
    assert Conversations(examples="turns").opening("Act.", "", "jam", [Demonstrations(text=shown)]).messages() == (
        system("Act."),
        user("Goal: rest."),
        assistant("Thought: Now.\nAction: lie"),
        user("(nothing)"),
        assistant("Thought: Done.\nAction: rest"),
        user("Goal: jam."),
    )


def test_no_two_messages_of_one_role_follow_each_other_where_examples_end_with_an_answer() -> None:
    [_, _, _, last] = (
        Conversations(examples="turns")
        .opening("Act.", "A kitchen.", "jam", [Demonstrations(text="Goal: rest.\nAction: rest\nObservation: Rested.")])
        .messages()
    )
    assert last == user("Rested.\n\nA kitchen.\n\nGoal: jam.")


@pytest.mark.parametrize("examples", ["text", "turns"])
def test_what_the_prompts_of_all_tasks_begin_with_is_kept_once(examples: ExamplesShown) -> None:
    conversations, parts = Conversations(examples=examples), [Demonstrations(text=EXAMPLES)]
    jam, tea = (conversations.opening("Act.", "A kitchen.", goal, parts) for goal in ("jam", "tea"))
    assert jam.parent is not None
    assert jam.parent is tea.parent
    assert jam.node.appended != tea.node.appended


def test_what_changes_while_a_goal_is_pursued_stands_below_it_and_the_step_last() -> None:
    parts = TaskSteps(steps=("look", "stir"), current=2), Inventory(text="A pan."), History(texts=("I looked.",))
    prompt = Conversations().opening("Act.", "A kitchen.", "jam", [*parts, NotesTaken(texts=("hot",))])
    assert prompt.messages()[1] == user(
        "A kitchen.\n\nA pan.\n\nGoal: jam.\n\nThe plan for this task:\n1. look\n2. stir\n\n"
        "What was done so far:\n- I looked.\n\nNotes that were taken:\n- hot\n\nThe step to do now: 2. stir"
    )
