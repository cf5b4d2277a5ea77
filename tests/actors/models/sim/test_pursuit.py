"""What a prompt shows of a plan, of what was done and of notes is taken off its message."""

from hypothesis import given
from hypothesis import strategies as st

from quintet.models.sim.pursuit import NO_PURSUIT, PastAction, Pursuit, describe, read_pursuit

TASK = "You are in a kitchen.\n\nThere is more."
PLAN = "The plan for this task:\n1. take an egg\n2. heat it\n3. heat it"
NOW = "The step to do now: 3. heat it"
DONE = "What was done so far:\n- The action is to look: a desk\n- (undone) The action is to wait."
NOTES = "Notes that were taken:\n- the egg is on the desk"
GOAL = "Goal: put a hot egg in fridge."

words = st.text("abc :;.()\n-", max_size=40)


def test_every_paragraph_is_taken_off_and_the_rest_stays() -> None:
    rest, found = read_pursuit("\n\n".join([TASK, PLAN, NOW, DONE, NOTES, GOAL]))
    assert rest == f"{TASK}\n\n{GOAL}"
    assert found == Pursuit(
        steps=("take an egg", "heat it", "heat it"),
        done=("The action is to look: a desk", "(undone) The action is to wait."),
        notes=("the egg is on the desk",),
        current=3,
    )
    assert (found.step, found.times) == ("heat it", 2)
    assert list(found.deeds()) == [PastAction("look", "a desk", undone=False), PastAction("wait", "", undone=True)]


def test_a_plan_that_failed_is_no_plan_to_follow() -> None:
    failed = "This plan for the goal has failed:\n1. take an egg\nMake another plan."
    rest, found = read_pursuit(f"{TASK}\n\n{GOAL}\n\n{failed}")
    assert rest == f"{TASK}\n\n{GOAL}"
    assert (found.failed, found.steps, found.step) == (("take an egg",), (), None)


def test_a_step_beyond_the_plan_is_none() -> None:
    _, found = read_pursuit(f"{PLAN}\n\nThe step to do now: 4. rest")
    assert found.step is None


def test_a_message_that_shows_nothing_of_it_stays_as_it_is() -> None:
    message = f"{TASK}\n\nWhat you see:\n\n1. Observation: a desk\n \n\n{GOAL}"
    assert read_pursuit(message) == (message, NO_PURSUIT)


@given(st.lists(words, max_size=5))
def test_any_message_is_read(paragraphs: list[str]) -> None:
    message = "\n\n".join(paragraphs)
    rest, _ = read_pursuit(message)
    assert len(rest) <= len(message)
    assert read_pursuit(rest)[1] == NO_PURSUIT or rest != message


@given(
    st.from_regex(r"[a-z]+( [a-z0-9]+){0,3}", fullmatch=True),
    st.lists(st.from_regex(r"[A-Z][a-z0-9]*( [a-z0-9,]+){0,5}", fullmatch=True), max_size=4),
)
def test_a_description_tells_the_action_and_the_answer(action: str, sentences: list[str]) -> None:
    answer = "".join(f"{sentence}.\n" for sentence in sentences)
    for undone in (False, True):
        said = ("(undone) " if undone else "") + describe(action, answer)
        assert "\n" not in said
        (deed,) = Pursuit(done=(said,)).deeds()
        assert deed == PastAction(action, " ".join(answer.split()), undone=undone)
