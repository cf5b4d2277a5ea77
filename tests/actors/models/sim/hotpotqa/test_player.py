"""The player's answers to each request, on a few pages of its own."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user
from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.hotpotqa.player import HotpotqaPlayer
from quintet.models.sim.hotpotqa.task import ReadingTask
from quintet.models.sim.mind import Mind
from quintet.models.sim.model import STRONG, WEAK, strong
from quintet.models.sim.transcript import Exchange, Reading
from quintet.ports.model import Sampling
from tests.actors.models.sim.answers import action_in, said
from tests.actors.models.sim.hotpotqa.playing import INSTRUCTIONS

PLAYER = HotpotqaPlayer()
GOAL = 'answer the question "In which town was the director of The Kite born?"'
KITE = "The Kite is a 1998 drama film directed by Ada Lorn. It was shot near Tessel."
LORN = "Ada Lorn (born 2 March 1950) is a film director. She was born in Orn, a port. She keeps bees."
FORMS = "These are the actions:\n- search[<name>]\n- lookup[<words>]\n- finish[<answer>]"


def mind(rate: float = 0.0, skill: str = "strong") -> Mind:
    return Mind(STRONG if skill == "strong" else WEAK, Chance((), Sampling()), Misreading(rate))


def reading(*steps: tuple[str, str], goal: str = GOAL) -> Reading[ReadingTask]:
    task = PLAYER.read_task(f"Goal: {goal}.")
    assert task is not None
    return Reading(task, tuple(PLAYER.read_exchange(f"Action: {one}", other) for one, other in steps), ())


READ_KITE, READ_LORN = ("search[The Kite]", KITE), ("search[Ada Lorn]", LORN)


def action(*steps: tuple[str, str], goal: str = GOAL, rate: float = 0.0) -> str:
    return PLAYER.decide(reading(*steps, goal=goal), mind(rate), "").action


def test_it_opens_the_page_of_the_name_then_of_what_it_names_then_answers() -> None:
    assert action() == "search[The Kite]"
    assert action(READ_KITE) == "search[Ada Lorn]"
    assert action(READ_KITE, READ_LORN) == "finish[Orn]"


def test_a_similar_title_is_opened_where_the_name_has_no_page() -> None:
    refused = "Could not find The Kite. Similar: ['The Kite Runner', 'Kite (bird)', 'The Kite (film)']."
    assert action(("search[The Kite]", refused)) in ("search[The Kite (film)]", "search[Kite (bird)]")


def test_a_page_that_goes_on_is_looked_into() -> None:
    long = "Ada Lorn is a film director. She keeps bees. She has a house. She has a boat. She has a dog."
    assert action(READ_KITE, ("search[Ada Lorn]", long)) == "lookup[born]"
    found = ("lookup[born]", "(Result 1 / 1) She was born in Orn, a port.")
    assert action(READ_KITE, ("search[Ada Lorn]", long), found) == "finish[Orn]"


def test_a_part_of_a_question_ends_with_a_claim_and_no_answer() -> None:
    part = "find out: who is the director of The Kite?"
    assert action(goal=part) == "search[The Kite]"
    assert action(READ_KITE, goal=part) == "task completed"
    assert action(READ_KITE, goal="find the page of The Kite") == "task completed"
    assert action(("search[Orn]", "Could not find Orn. Similar: []."), goal="find the page of Orn") == "task failed"


def test_another_action_is_chosen_instead_of_one_that_was_tried() -> None:
    tried = {"finish[Orn]"}
    other = PLAYER.decide(reading(READ_KITE, READ_LORN), mind(), "", tried).action
    assert other not in tried


def test_a_question_is_planned_by_what_it_says_of_a_name() -> None:
    plan = PLAYER.decompose(reading(), mind())
    assert list(plan.steps) == ["find out: who is the director of The Kite?", GOAL]
    pair = PLAYER.decompose(reading(goal='answer the question "Who is older, Ada Lorn or Piet Orn?"'), mind())
    assert list(pair.steps[:2]) == ["find the page of Ada Lorn", "find the page of Piet Orn"]
    either = PLAYER.decompose(reading(goal="find the page of The Kite (film)"), mind())
    assert (list(either.steps), either.any_one) == (
        ["find the page of The Kite (film)", "find the page of The Kite"],
        True,
    )


@pytest.mark.parametrize(
    ("said_so", "form"),
    [
        ("search for Ada Lorn", "search[Ada Lorn]"),
        ("I will look up bees on the page", "lookup[bees]"),
        ('finish with the answer "Orn"', "finish[Orn]"),
        ("search[Ada Lorn]", "search[Ada Lorn]"),
        ("hum a tune", "hum a tune"),
    ],
)
def test_an_action_in_other_words_is_given_its_form(said_so: str, form: str) -> None:
    assert PLAYER.formalize(said_so, FORMS) == form
    assert PLAYER.formalize(said_so, "You act in a household.") is None


def test_progress_grows_to_the_answer_and_judges_it_by_what_was_read() -> None:
    steps = [READ_KITE, READ_LORN, ("finish[Orn]", "The task has ended.")]
    shares = [PLAYER.progress(reading(*steps[:number]), mind()) for number in range(4)]
    assert shares == sorted(shares)
    assert (shares[0], shares[3]) == (0.0, 1.0)
    wrong = ("finish[Tessel]", "The task has ended.")
    assert PLAYER.progress(reading(READ_KITE, READ_LORN, wrong), mind()) == 0.0
    assert PLAYER.progress(reading(*steps), mind(rate=1.0)) == 0.0


def test_a_summary_is_read_back_as_if_the_pages_had_been_seen() -> None:
    steps = [READ_KITE, ("search[Lorn]", "Could not find Lorn. Similar: ['Ada Lorn', 'Lorn (town)']."), READ_LORN]
    seen = reading(*steps)
    told = list(PLAYER.sum_up(seen.task, seen.steps))
    assert "On the page of Ada Lorn I read: She was born in Orn, a port." in told
    heard = tuple(step for sentence in told for step in PLAYER.hear(sentence))
    again = Reading(seen.task, (), (), past=heard)
    assert PLAYER.decide(again, mind(skill="weak"), "").action.startswith("finish[")
    assert PLAYER.decide(again, mind(), "").action == "finish[Orn]"


def test_a_title_with_initials_is_read_back_too() -> None:
    seen = reading(("search[J. R. Lorn]", "J. R. Lorn was a director. He was born in Orn."))
    (*_, told) = PLAYER.sum_up(seen.task, seen.steps)
    assert [step.action for part in re.split(r"(?<=[.!]) ", told) for step in PLAYER.hear(part)] == ["search[J.R.Lorn]"]


@given(st.text(max_size=80))
def test_any_text_is_answered_in_every_part(text: str) -> None:
    PLAYER.topic(text)
    PLAYER.topic(f"It is a {text}.")
    PLAYER.shorten(GOAL, text)
    PLAYER.formalize(text, FORMS)
    list(PLAYER.hear(text))
    PLAYER.decompose(reading(goal=f'answer the question "{text} Orn?"'.replace("\n", " ").replace("\r", " ")), mind())
    action(("search[Orn]", text), goal='answer the question "Who wrote Orn?"')


def test_the_parts_of_a_question_are_its_pages_and_its_answer() -> None:
    parts = dict(PLAYER.subgoals(reading(READ_KITE), mind()))
    assert parts == {
        "find the page of The Kite": True,
        "find out: In which town was the director of The Kite born?": False,
        GOAL: False,
    }


def test_what_serves_a_step_opens_a_page_that_matters() -> None:
    nothing = Exchange("", "")
    for step, serves in (
        (READ_KITE, True),
        (("search[Kite]", "Could not find Kite. Similar: []."), False),
        (("search[Bees]", "Bees are insects."), False),
    ):
        done = PLAYER.read_exchange(f"Action: {step[0]}", step[1])
        assert PLAYER.serves(reading(), nothing, done, mind()) == serves, step


def test_a_long_page_is_shortened_to_what_matters() -> None:
    assert PLAYER.shorten(GOAL, LORN) == "Ada Lorn (born 2 March 1950) is a film director. She was born in Orn, a port."
    assert PLAYER.shorten("put a mug in desk", LORN) is None


def test_a_plan_is_learnt_from_answers_that_were_sentences() -> None:
    question = f"{INSTRUCTIONS.splitlines()[0]}\n\nWrite the summary, the flaws and a suggested revision."
    job = (
        *(turn for one, other in (READ_KITE, READ_LORN) for turn in (assistant(f"Action: {one}"), user(other))),
        assistant("Action: finish[She was born in Orn, a port.]"),
        user("The task has ended.\n\nThe job failed: the answer was wrong.\n\nSuggest a revision of what was wrong."),
    )
    prompt = Prompt(system(question), user(f"Goal: {GOAL}."), *job)
    assert "no sentence around it" in said(strong(), prompt)


def lesson(number: int, revision: str) -> str:
    return (
        f"Job {number}\nInteract with Wikipedia using search[], lookup[], and finish[].\nGoal: {GOAL}.\n"
        f"Result: The job failed.\nSummary: 1. search[The Kite]\nSuggested revision: {revision}"
    )


def test_a_plan_takes_on_what_is_suggested_and_else_stays() -> None:
    def update(plan: str, revision: str) -> str:
        shown = f"Current plan:\n{plan}\n\n{lesson(1, revision)}\n\nNow rewrite the plan."
        return said(strong(), Prompt(system(f"You write the plan.\n\n{FORMS}"), user(shown)))

    first = update("(none yet)", "Answer in few words, and no sentence around it.")
    assert "Answer in few words" in first
    assert update(first.removeprefix("Plan:\n"), "Nothing in the plan has to change.") == first


def test_fallible_opens_other_pages_and_takes_other_sentences() -> None:
    film = f"{KITE} It won a prize at the Lind Festival. Piet Hollow wrote the director's lines."
    goals = [
        f'answer the question "In which town was the director of The Kite born, {number}?"' for number in range(40)
    ]
    read = {action(("search[The Kite]", film), goal=goal, rate=0.5) for goal in goals}
    assert "search[Ada Lorn]" in read
    assert len(read) > 1
    right = action(READ_KITE, READ_LORN)
    given = [action(READ_KITE, READ_LORN, goal=goal, rate=0.3) for goal in goals]
    assert 0 < sum(each != right for each in given) < len(given)
    assert {action(READ_KITE, READ_LORN, goal=goal) for goal in goals} == {right}


def test_a_prompt_of_another_world_is_not_answered() -> None:
    prompt: tuple[ChatMessage, ...] = (system(INSTRUCTIONS), user("Goal: put a mug in desk."))
    assert PLAYER.read(prompt) is None
    assert action_in(said(strong(), Prompt(system(INSTRUCTIONS), user(f"Goal: {GOAL}.")))) == "search[The Kite]"
