"""A prompt about a question: the goal and its forms, and what was done before."""

import pytest

from quintet.models.sim.hotpotqa.task import Aim, read_reading_goal, read_reading_step, read_reading_task

OPENING = "Interact with Wikipedia using search[], lookup[], and finish[]."


def test_the_last_goal_or_else_the_last_question_is_meant() -> None:
    goal = read_reading_task(
        f'Goal: answer the question "Who wrote Orn?".\n\n{OPENING}\n\nGoal: find out: who wrote Tarn?.'
    )
    assert goal is not None
    assert (goal.aim, goal.wording, goal.question.text) == ("fact", "find out: who wrote Tarn?", "who wrote Tarn?")
    asked = read_reading_task(f"{OPENING}\nQuestion: Who wrote Orn?")
    assert asked is not None
    assert read_reading_task("Question: Who wrote Orn?") is None
    assert (asked.aim, asked.question.names) == ("answer", ("Orn",))


@pytest.mark.parametrize(
    ("text", "aim", "name"),
    [
        ('answer the question "Who wrote "Orn"?"', "answer", ""),
        ("find out: who wrote the novel Tarn House?", "fact", ""),
        ("find the page of Tarn House (novel)", "page", "Tarn House (novel)"),
    ],
)
def test_goals(text: str, aim: Aim, name: str) -> None:
    goal = read_reading_goal(text)
    assert goal is not None
    assert (goal.aim, goal.name, goal.wording) == (aim, name, text)


@pytest.mark.parametrize("text", ["put a mug in desk", "find and take a mug", "craft 1 stick", "search for a lamp", ""])
def test_what_is_no_goal_of_this_world(text: str) -> None:
    assert read_reading_goal(text) is None
    assert read_reading_task(f"{OPENING}\n\nGoal: {text}.") is None


@pytest.mark.parametrize("text", ["search for Tarn House, and read who wrote it", "Open the page of Tarn House."])
def test_a_step_in_other_words_names_a_page(text: str) -> None:
    step = read_reading_step(text)
    assert step is not None
    assert (step.aim, step.name) == ("page", "Tarn House")


def test_what_was_done_before_a_part_is_known() -> None:
    last = (
        "The last action that was carried out: search[Tarn House]\nIt was answered: Tarn House is a novel. It is old."
    )
    task = read_reading_task(f"{OPENING}\n\n{last}\n\nGoal: find out: who wrote Tarn House?.")
    assert task is not None
    assert task.last is not None
    assert (task.last.action, task.last.observation) == ("search[Tarn House]", "Tarn House is a novel. It is old.")
