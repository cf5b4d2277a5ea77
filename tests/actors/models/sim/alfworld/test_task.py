from quintet.messages.prompts import assistant, system, user
from quintet.models.sim.alfworld.goal import Goal
from quintet.models.sim.alfworld.task import Step, read_prompt

ROOM = "You are in the middle of a room. Looking quickly around you, you see a desk 1, a drawer 2, and a drawer 1."
EXAMPLE = (
    f"{ROOM.replace('desk', 'bed')}\n\nThe last action that was carried out: take cup 1 from bed 1\n\nGoal: clean cup."
)


def test_a_prompt_is_room_goal_last_action_and_steps() -> None:
    read = read_prompt(
        [
            system(f"Act.\n\n{EXAMPLE}"),
            user(
                f"{ROOM}\n\nThe last action that was carried out: Take pen 1 from desk 1.\n\n"
                "Goal: put the pen in/on the drawer."
            ),
            assistant("Thought: I go.\nAction: go to drawer 1"),
            user("Observation: You arrive at drawer 1. The drawer 1 is closed."),
        ]
    )
    assert read is not None
    assert read.task.room == ("desk 1", "drawer 2", "drawer 1")
    assert read.task.goal == Goal("pen", target=read.task.goal.target)
    assert read.task.wording == "put the pen in/on the drawer"
    assert read.task.last_action == "Take pen 1 from desk 1."
    assert read.steps == (Step("go to drawer 1", "You arrive at drawer 1. The drawer 1 is closed."),)
    assert len(read.texts) == 2


def test_what_was_done_last_in_an_example_is_not_the_task_s() -> None:
    read = read_prompt([user(f"{EXAMPLE}\n\n{ROOM}\n\nGoal: find and take a pen.")])
    assert read is not None
    assert (read.task.last_action, read.task.kinds()) == ("", frozenset({"desk", "drawer"}))


def test_the_last_action_is_read_with_its_answer_as_far_as_the_paragraph_goes() -> None:
    said = "take pen 1 from desk 1\nIt was answered: You pick up the pen 1 from the desk 1."
    read = read_prompt(
        [user(f"{ROOM}\n\nThe last action that was carried out: {said}\n\nGoal: put the pen in drawer.")]
    )
    assert read is not None
    assert read.task.last_action == said


def test_a_prompt_without_a_room_or_a_goal_is_not_read() -> None:
    assert read_prompt([]) is None
    assert read_prompt([user(ROOM)]) is None
    assert read_prompt([user("Goal: put a pen in drawer.")]) is None
    assert read_prompt([user(f"{ROOM}\n\nGoal: craft beehive.")]) is None
    assert read_prompt([system(f"{ROOM}\n\nGoal: put a pen in drawer.")]) is None
