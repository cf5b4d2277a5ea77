import pytest

from quintet.messages.prompts import ChatMessage, assistant, user
from quintet.models.sim.draws import Chance, Misreading
from quintet.models.sim.mind import Mind
from quintet.models.sim.model import STRONG, WEAK
from quintet.models.sim.transcript import Exchange, Reading
from quintet.models.sim.webshop.picture import shop_after
from quintet.models.sim.webshop.player import WebshopPlayer
from quintet.models.sim.webshop.task import ShopTask
from quintet.ports.model import Sampling
from tests.actors.environments.webshop.demonstration_shop import customer

PLAYER = WebshopPlayer()
MIND = Mind(STRONG, Chance((), Sampling()), Misreading(0.0))
GOAL = "i need 100 count of individually wrapped peppermint tea bags, and price lower than 20.00 dollars"
WAY = (
    "search[peppermint tea bags]",
    "click[b0tea7q6jm]",
    "click[features]",
    "click[< prev]",
    "click[< prev]",
    "click[b0tea5n3hc]",
    "click[features]",
    "click[< prev]",
    "click[peppermint]",
    "click[100 count]",
    "click[buy now]",
)


def played(*actions: str) -> Reading[ShopTask]:
    state = customer(GOAL)
    messages: list[ChatMessage] = [user(f"{state.opening.setting}\n\nGoal: {GOAL}.")]
    for action in actions:
        messages += [assistant(f"Action: {action}"), user(state.step(action).observation)]
    reading = PLAYER.read(messages)
    assert reading is not None
    return reading


@pytest.mark.parametrize("done", range(1, len(WAY)))
def test_a_summary_tells_all_that_the_next_action_depends_on(done: int) -> None:
    reading = played(*WAY[:done])
    *before, last = reading.steps
    summary = " ".join([*PLAYER.sum_up(reading.task, before), f"My last action was: {last.action}."])
    opening = f"{reading.texts[-1]}\n\nObservation: {last.observation}\nSummary: {summary}"
    told = PLAYER.read([user(opening)])
    assert told is not None
    decided, again = PLAYER.decide(reading, MIND, ""), PLAYER.decide(told, MIND, "")
    assert again.action == decided.action
    whole, heard = (shop_after(each.task.page, "", (*(each.past or ()), *each.steps)) for each in (reading, told))
    assert (heard.chosen, heard.queries, heard.actions) == (whole.chosen, whole.queries, whole.actions)
    assert {key: each.texts for key, each in heard.products.items()} == {
        key: each.texts for key, each in whole.products.items()
    }


def test_a_sentence_of_anything_else_says_nothing() -> None:
    for said in ("I like tea.", "I saw the page.", "I opened it.", ""):
        assert [*PLAYER.hear(said)] == []


def test_subgoals_are_searching_finding_choosing_and_buying() -> None:
    reading = played(*WAY[:9])
    assert [*PLAYER.subgoals(reading, MIND)] == [
        ("search for products", True),
        ("find a product that fits", True),
        ("choose peppermint", True),
        ("choose 100 count", False),
        ("buy it", False),
    ]


@pytest.mark.parametrize(
    ("text", "area", "kind"),
    [
        ("i need red running shoes, and price lower than 40.00 dollars", "clothing", "sho"),
        ("find me a desk lamp, and price lower than 40.00 dollars", "home", "desk"),
        ("find me a gizmo, and price lower than 40.00 dollars", "other things", "thing"),
        ("WebShop [Search]", "searching", "search"),
        ("You have clicked red.", "choosing and buying", "option"),
        ("Invalid action!", "refusals", "refusal"),
    ],
)
def test_goals_are_about_products_and_observations_about_pages(text: str, area: str, kind: str) -> None:
    assert PLAYER.topic(text) == (area, kind)


@pytest.mark.parametrize("text", ["", "fetch 2 stick", "put a hot egg in fridge", "Nothing happens."])
def test_other_texts_are_of_another_world(text: str) -> None:
    assert PLAYER.topic(text) is None


def test_weak_knows_the_last_two_steps_only() -> None:
    steps = (Exchange("a", ""), Exchange("b", ""), Exchange("c", ""))
    assert WEAK.remembered(Reading(played(WAY[0]).task, steps, ())) == steps[1:]
