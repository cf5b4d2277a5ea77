from collections.abc import Sequence

import pytest

from quintet.messages.planning import Lesson, RevisePlan
from quintet.messages.prompts import assistant, system, user
from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.hindsight import has_lessons, learn_habits, read_job, read_lessons, unexplained
from quintet.models.sim.mind import Mind
from quintet.models.sim.model import STRONG
from quintet.ports.model import Sampling

BEFORE = (system("Look back.\n\nThe plan that was followed:\n\n1. Go."), user("Goal: x."), assistant("Action: a"))


def test_a_job_ends_where_its_result_stands() -> None:
    job = read_job((*BEFORE, user("It is done.\n\nThe job succeeded.\n\nSum up.")))
    assert job is not None
    assert job.messages == (*BEFORE, user("It is done."))
    assert (job.plan, job.succeeded, job.question) == ("1. Go.", True, "Sum up.")


@pytest.mark.parametrize(
    "result", ["The job failed: its turns were used up.", "The job failed.\nIt had 35 turns.", "Result: the job failed"]
)
def test_a_result_may_say_why(result: str) -> None:
    job = read_job((*BEFORE, user(f"It is done.\n\n{result}\n\nSum up.\n\nBe short.")))
    assert job is not None
    assert job.messages == (*BEFORE, user("It is done."))
    assert (job.succeeded, job.question) == (False, "Sum up.\n\nBe short.")


@pytest.mark.parametrize(
    ("result", "succeeded"), [("The job failed: nothing succeeded.", False), ("the job succeeded", True)]
)
def test_a_lesson_s_result_may_say_why(result: str, succeeded: bool) -> None:
    text = f"Current plan:\n\n1. a\n\nJob 1\n\nGoal: x.\n\nResult: {result}"
    (lesson,) = read_lessons(text, Misreading(0)).lessons
    assert lesson.succeeded == succeeded


def test_what_was_said_since_is_not_part_of_the_job() -> None:
    since = (assistant("The job succeeded."), user("Name flaws."))
    job = read_job((*BEFORE, user("It is done.\n\nThe job failed.\n\nSum up."), *since))
    assert job is not None
    assert (job.messages, job.succeeded, job.question) == ((*BEFORE, user("It is done.")), False, "Name flaws.")


def test_a_job_without_a_step_or_a_plan_can_be_looked_back_on() -> None:
    job = read_job((system("Look back."), user("Goal: x.\n\nThe job failed.\n\nSum up.")))
    assert job is not None
    assert (job.messages[-1], job.plan) == (user("Goal: x."), "")


def test_a_conversation_without_a_result_is_no_look_back() -> None:
    assert read_job((*BEFORE, user("The job is hard."))) is None


LESSONS = (
    "Current plan:\n\n(none yet)\n\nJob 1\n\nA room.\n\nGoal: x.\n\nResult: The job failed.\n\nSummary: 1. a\n2. b"
    "\n\nFlaws: - a: no.\n\nSuggested revision: Do c.\n\nJob 2\n\nGoal: y.\n\nResult: The job succeeded."
)


def test_lessons_are_read_part_by_part() -> None:
    assert has_lessons(LESSONS)
    room = "A room.\n\nGoal: x."
    first = Lesson(opening=room, succeeded=False, summary="1. a\n2. b", flaws="- a: no.", revision="Do c.")
    second = Lesson(opening="Goal: y.", succeeded=True)
    assert read_lessons(LESSONS, Misreading(0)) == RevisePlan(plan="", lessons=(first, second))


def test_a_lesson_that_is_misread_teaches_nothing() -> None:
    first = read_lessons(LESSONS, Misreading(1)).lessons[0]
    assert first == Lesson(opening="A room.\n\nGoal: x.", succeeded=True)


def test_the_plan_so_far_is_read_whole() -> None:
    text = "Current plan:\n\n1. a\n\n2. none of b\n\nJob 1\n\nGoal: x."
    assert read_lessons(text, Misreading(0)).plan == "1. a\n\n2. none of b"


def test_only_a_failure_without_flaws_and_revision_is_unexplained() -> None:
    assert unexplained(Lesson(opening="", succeeded=False, summary="s"))
    assert not unexplained(Lesson(opening="", succeeded=True, summary="s"))
    assert not unexplained(Lesson(opening="", succeeded=False, summary="s", flaws="There is no flaw."))


HABITS = ("Look.", "Wait.", "Ask.")


def _learn(plan: str, lesson: Lesson) -> Sequence[str] | None:
    mind = Mind(STRONG, Chance((), Sampling()), Misreading(0))
    return learn_habits(HABITS, plan, [lesson], lambda text, habit: habit in text, mind)


def test_habits_of_a_plan_stay_and_those_of_revisions_are_added_in_their_order() -> None:
    assert _learn("Wait.", Lesson(opening="", succeeded=True, revision="Look.")) == ["Look.", "Wait."]


def test_without_news_a_plan_keeps_its_habits_and_without_a_plan_there_is_still_one_to_write() -> None:
    assert _learn("Wait.", Lesson(opening="", succeeded=True)) is None
    assert _learn("", Lesson(opening="", succeeded=True)) == []


def test_an_unexplained_failure_changes_one_habit() -> None:
    learnt = _learn("Wait.", Lesson(opening="", succeeded=False))
    assert learnt is not None
    assert len({*learnt} ^ {"Wait."}) == 1
