import pytest

from quintet.messages.planning import Lesson
from quintet.messages.prompts import ChatMessage, assistant, user
from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.mind import Mind
from quintet.models.sim.model import STRONG, WEAK
from quintet.models.sim.transcript import Reading
from quintet.models.sim.webshop.hindsight import CHOOSE
from quintet.models.sim.webshop.player import WebshopPlayer
from quintet.models.sim.webshop.shopping import says_to_choose
from quintet.models.sim.webshop.task import ShopTask
from quintet.ports.model import Sampling
from tests.actors.environments.webshop.demonstration_shop import customer

PLAYER = WebshopPlayer()
MIND = Mind(WEAK, Chance((), Sampling()), Misreading(0.0))
SOCKS = "i need women's wool hiking socks in plum, and price lower than 20.00 dollars"
BUYING = ("search[wool hiking socks]", "click[b0sck3d7pf]", "click[buy now]")


def job(goal: str, *actions: str, blank: bool = False) -> Reading[ShopTask]:
    """A job of these actions, as it is looked back on."""
    state = customer(goal)
    messages: list[ChatMessage] = [user(f"{state.opening.setting}\n\nGoal: {goal}.")]
    for action in actions:
        said = state.step(action).observation
        messages += [assistant(f"Action: {action}"), user("" if blank else said)]
    reading = PLAYER.read(messages)
    assert reading is not None
    return reading


def test_a_purchase_without_an_option_is_a_flaw_and_a_revision_mends_it() -> None:
    reading = job(SOCKS, *BUYING)
    assert "- click[buy now]: the goal asks for plum, and the option color was not chosen." in [
        *PLAYER.find_flaws(reading, "")
    ]
    assert CHOOSE in [*PLAYER.suggest(reading, "", WEAK)]


def test_too_high_a_price_and_missing_words_are_flaws() -> None:
    reading = job("i need wool hiking socks with silk, and price lower than 10.00 dollars", *BUYING)
    flaws = "\n".join(PLAYER.find_flaws(reading, ""))
    assert "costs more than the goal allows" in flaws
    assert "shows nothing of: silk" in flaws
    assert len([*PLAYER.suggest(reading, "", STRONG)]) == 2


def test_what_was_refused_is_told_as_it_was_answered() -> None:
    reading = job(SOCKS, "click[red]")
    assert [*PLAYER.find_flaws(reading, "")] == ["- click[red]: Invalid action!"]
    assert [*PLAYER.summarize(reading.steps)] == []


def test_nothing_bought_is_a_flaw() -> None:
    assert [*PLAYER.find_flaws(job(SOCKS, BUYING[0]), "")] == ["- No product was bought."]


def test_blanked_observations_show_no_flaw() -> None:
    reading = job(SOCKS, *BUYING, blank=True)
    assert [*PLAYER.find_flaws(reading, "")] == [*PLAYER.suggest(reading, "", WEAK)] == []


def test_what_was_bought_in_vain_is_not_bought_again() -> None:
    goal, search, opened = "i need sweet herbal peppermint tea", "search[peppermint tea]", "click[b0tea5n3hc]"
    left = [*PLAYER.left_to_do(job(goal, search, opened, "click[peppermint]", "click[buy now]"), MIND)]
    assert left[0] == "Next time: do not buy [B0TEA5N3HC], which does not fit."
    again = job(goal, search)
    assert PLAYER.decide(again, MIND, "").action == opened
    assert PLAYER.decide(again, MIND, "\n".join(left)).action != opened


def test_a_product_is_not_to_blame_for_an_option_that_was_not_chosen() -> None:
    assert not any("do not buy" in line for line in PLAYER.left_to_do(job(SOCKS, *BUYING), MIND))


def rewritten(plan: str, revision: str, flaws: str = "", *, succeeded: bool = False) -> list[str] | None:
    task = PLAYER.read_task(f"WebShop\n[Search]\n\nGoal: {SOCKS}.")
    assert task is not None
    lesson = Lesson(opening="", succeeded=succeeded, flaws=flaws, revision=revision)
    lines = PLAYER.rewrite_plan(plan, [(task, lesson)], "", MIND)
    return None if lines is None else list(lines)


def test_a_plan_takes_over_what_was_suggested_and_keeps_it() -> None:
    plan = rewritten("", CHOOSE)
    assert plan is not None
    assert says_to_choose(plan)
    assert plan.index(CHOOSE) < plan.index("Buy it: click[buy now].")
    assert rewritten("\n".join(plan), "", succeeded=True) is None
    assert not says_to_choose(rewritten("", "", succeeded=True) or [])


def test_without_a_reason_one_habit_is_changed_at_a_guess() -> None:
    before = rewritten("", "", succeeded=True)
    after = rewritten("\n".join(before or ()), "")
    assert before is not None
    assert after is not None
    assert len(set(before) ^ set(after)) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (CHOOSE, True),
        ("Choose the options that the goal names, then buy.", True),
        ("Action: click[red]\nObservation: You have clicked red.", True),
        ("color [[red]][blue]", True),
        ("Do not choose an option before you buy.", False),
        ("Action: click[buy now]\nObservation: You have clicked buy now.", False),
        ("You choose the next action. You are given one goal.", False),
        ("color [red][blue]", False),
    ],
)
def test_a_sentence_or_an_example_says_to_choose(text: str, says: bool) -> None:
    assert says_to_choose([text]) == says
