import pytest

from quintet.messages.prompts import assistant, system, user
from quintet.models.sim.hindsight import Lesson, Lessons, read_job, read_lessons, tells_of_lessons

BEFORE = (system("Look back.\n\nThe plan that was followed:\n\n1. Go."), user("Goal: x."), assistant("Action: a"))


def test_a_job_ends_where_its_result_is_told() -> None:
    found = read_job((*BEFORE, user("It is done.\n\nThe job succeeded.\n\nSum up.")))
    assert found is not None
    job, asked = found
    assert job.messages == (*BEFORE, user("It is done."))
    assert (job.plan, job.succeeded, asked.strip()) == ("1. Go.", True, "Sum up.")


@pytest.mark.parametrize(
    "result", ["The job failed: its turns were used up.", "The job failed.\nIt had 35 turns.", "Result: the job failed"]
)
def test_a_result_may_say_why(result: str) -> None:
    found = read_job((*BEFORE, user(f"It is done.\n\n{result}\n\nSum up.\n\nBe short.")))
    assert found is not None
    job, asked = found
    assert job.messages == (*BEFORE, user("It is done."))
    assert (job.succeeded, asked) == (False, "Sum up.\n\nBe short.")


@pytest.mark.parametrize(
    ("result", "succeeded"), [("The job failed: nothing succeeded.", False), ("the job succeeded", True)]
)
def test_a_lesson_s_result_may_say_why(result: str, succeeded: bool) -> None:
    (job,) = read_lessons(f"Current plan:\n\n1. a\n\nJob 1\n\nGoal: x.\n\nResult: {result}").jobs
    assert job.succeeded == succeeded


def test_what_was_said_since_is_not_part_of_the_job() -> None:
    since = (assistant("The job succeeded."), user("Name flaws."))
    found = read_job((*BEFORE, user("It is done.\n\nThe job failed.\n\nSum up."), *since))
    assert found is not None
    assert (found[0].messages, found[0].succeeded, found[1]) == ((*BEFORE, user("It is done.")), False, "Name flaws.")


def test_a_job_without_a_step_or_a_plan_can_be_looked_back_on() -> None:
    found = read_job((system("Look back."), user("Goal: x.\n\nThe job failed.\n\nSum up.")))
    assert found is not None
    assert (found[0].messages[-1], found[0].plan) == (user("Goal: x."), "")


def test_a_conversation_that_tells_no_result_is_no_look_back() -> None:
    assert read_job((*BEFORE, user("The job is hard."))) is None


def test_lessons_are_read_part_by_part() -> None:
    told = (
        "Current plan:\n\n(none yet)\n\nJob 1\n\nA room.\n\nGoal: x.\n\nResult: The job failed.\n\nSummary: 1. a\n2. b"
        "\n\nFlaws: - a: no.\n\nSuggested revision: Do c.\n\nJob 2\n\nGoal: y.\n\nResult: The job succeeded."
    )
    assert tells_of_lessons(told)
    first = Lesson("A room.\n\nGoal: x.", succeeded=False, summary="1. a\n2. b", flaws="- a: no.", revision="Do c.")
    second = Lesson("Goal: y.", succeeded=True, summary="", flaws="", revision="")
    assert read_lessons(told) == Lessons("", (first, second))


def test_the_plan_so_far_is_read_whole() -> None:
    assert read_lessons("Current plan:\n\n1. a\n\n2. none of b\n\nJob 1\n\nGoal: x.").plan == "1. a\n\n2. none of b"


def test_only_a_failure_that_nobody_accounts_for_is_unexplained() -> None:
    failed = Lesson("", succeeded=False, summary="s", flaws="", revision="")
    assert failed.unexplained
    assert not Lesson("", succeeded=True, summary="s", flaws="", revision="").unexplained
    assert not Lesson("", succeeded=False, summary="s", flaws="There is no flaw.", revision="").unexplained
