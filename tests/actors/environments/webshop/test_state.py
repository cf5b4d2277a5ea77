"""Sessions: pages in both texts, what can be done on each, and what a purchase earns."""

from typing import Any

import pytest

from quintet.environments.webshop.goals.instructions import Goal, WantedOption
from quintet.environments.webshop.reward.score import nouns_by_words
from quintet.environments.webshop.state import ShoppingTask, WebShopState
from quintet.environments.webshop.storefront import Storefront
from tests.actors.environments.webshop.stock import LAMPS, lamps

WANTED = Goal(
    asin="B0LAMP0002",
    instruction="i want a dimmable lamp with a usb port in white, and price lower than 40.00 dollars",
    attributes=("usb port",),
    options=(WantedOption("white"),),
    price_limit=40.0,
    title=LAMPS[1].title,
    category="home",
    query="things",
    product_category="Home › Things",
)
OPENING = f"WebShop\nInstruction:\n{WANTED.instruction}\n[Search]"
RESULTS = """[Back to Search]
Page 1 (Total results: 3)
[Next >]
[B0LAMP0003]
Heron Dimmable Desk Lamp
$10.0
[B0LAMP0002]
Heron Dimmable Desk Lamp with USB Port
$29.99 to $35.5"""
ITEM = """[Back to Search]
[< Prev]
color [black][white]
size [small][large]
Heron Dimmable Desk Lamp with USB Port
Price: $29.99 to $35.5
Rating: N.A.
[Description]
[Features]
[Reviews]
[Buy Now]"""
TO_THE_LAMP = ("search[Dimmable Lamp]", "click[B0LAMP0002]")


def shopping(goal: Goal = WANTED, **options: Any) -> ShoppingTask:
    """The task of a goal, two products a page."""
    given: dict[str, Any] = {"form": "client", "clicks": "line", "max_steps": None} | options
    front = Storefront(lamps(), 2, released=given["form"] == "gym")
    return ShoppingTask(goal=goal, front=front, nouns=nouns_by_words, **given)


def after(*actions: str, **options: Any) -> WebShopState:
    """The state after actions, all of which are carried out."""
    state = WebShopState(shopping(**options))
    for action in actions:
        assert not state.step(action).rejected, action
    return state


def test_the_opening_is_the_search_page_and_the_setting_leaves_the_instruction_out() -> None:
    opening = after().opening
    assert (opening.observation, opening.setting, opening.goal) == (OPENING, "WebShop\n[Search]", WANTED.instruction)
    assert after().observation == OPENING == after(*TO_THE_LAMP, "click[back to search]").observation


def test_results_are_listed_a_page_at_a_time() -> None:
    assert after("search[dimmable lamp]").observation == RESULTS
    assert after("search[of the]").observation == "[Back to Search]\nPage 1 (Total results: 0)"
    last = "[Back to Search]\nPage 2 (Total results: 3)\n[< Prev]\n[B0LAMP0001]\nTallow Desk Lamp, Brass Finish\n$10.0"
    assert after("search[dimmable lamp]", "click[next >]").observation == last
    assert after("search[dimmable lamp]", "click[Next >]", "click[< Prev]").observation == RESULTS
    assert after("search[dimmable lamp]", "click[next>]", "click[[< Prev]]").observation == RESULTS


def test_a_product_has_its_options_and_further_pages() -> None:
    assert after(*TO_THE_LAMP).observation == ITEM
    top = "[Back to Search]\n[< Prev]\n"
    assert after(*TO_THE_LAMP, "click[description]").observation == f"{top}A lamp for reading."
    assert after(*TO_THE_LAMP, "click[features]").observation == f"{top}Five levels of light"
    assert after(*TO_THE_LAMP, "click[reviews]").observation == f"{top}No reviews found"
    assert after("search[brass]", "click[b0lamp0001]", "click[features]").observation == (
        f"{top}Warm light\nThree years of warranty"
    )


def test_previous_leads_from_a_page_about_the_product_to_it_and_from_it_to_the_results() -> None:
    assert after(*TO_THE_LAMP, "click[reviews]", "click[< prev]").observation == ITEM
    second = after("search[dimmable lamp]", "click[next >]")
    product = after("search[dimmable lamp]", "click[next >]", "click[b0lamp0001]", "click[< prev]")
    assert product.observation == second.observation


def test_a_choice_is_answered_by_a_line_and_marked_when_the_page_is_shown_again() -> None:
    chosen = after(*TO_THE_LAMP, "click[White]")
    assert chosen.observation == "You have clicked white."
    chosen.step("click[features]")
    assert chosen.step("click[< prev]").observation == ITEM.replace("[white]", "[[white]]")
    again = after(*TO_THE_LAMP, "click[white]", "click[< prev]", "click[b0lamp0002]")
    assert again.observation == ITEM  # choices are forgotten when the product is left


def test_or_by_the_page_and_a_line_for_each_choice() -> None:
    chosen = after(*TO_THE_LAMP, "click[white]", "click[large]", "click[black]", clicks="page")
    page = ITEM.replace("[black]", "[[black]]").replace("[large]", "[[large]]")
    assert chosen.observation == f"{page}\nYou have clicked large.\nYou have clicked black."


def test_the_gyms_text_joins_parts_and_repeats_the_instruction() -> None:
    said = f"Instruction: [SEP] {WANTED.instruction} [SEP] "
    assert after(form="gym").opening.setting == "WebShop [SEP] Search"
    assert after(form="gym").observation == f"WebShop [SEP] {said}Search"
    page = after(*TO_THE_LAMP, "click[white]", form="gym").observation
    assert page == (
        f"{said}Back to Search [SEP] < Prev [SEP] color [SEP] black [SEP] white [SEP] size [SEP] small [SEP] large "
        "[SEP] Heron Dimmable Desk Lamp with USB Port [SEP] Price: $29.99 to $35.5 [SEP] Rating: N.A. [SEP] "
        "Description [SEP] Features [SEP] Reviews [SEP] Buy Now"
    )


def test_the_gyms_texts_are_those_that_beautiful_soup_finds_in_the_released_pages() -> None:
    mug = "search[saucer]", "click[b0mugs0002]"
    top = f"Instruction: [SEP] {WANTED.instruction} [SEP] Back to Search [SEP] < Prev"
    assert after(*mug[:1], form="gym").observation.endswith("Next > [SEP] B0MUGS0002 [SEP] Mug & Saucer [SEP] $10.0")
    assert after(*mug, form="gym").observation.startswith(f"{top} [SEP] Maker's mark [SEP] none [SEP] | with [SEP] <3 ")
    assert after(*mug, "click[description]", form="gym").observation == top
    assert after(*mug, "click[features]", form="gym").observation == f"{top} [SEP]  [SEP] Dishwasher safe"


def test_the_gyms_last_page_has_the_purchase_and_every_hidden_label() -> None:
    bought = after("search[saucer]", "click[b0mugs0002]", "click[ | with]", "click[<3]", "click[buy now]", form="gym")
    before, found, score = bought.observation.partition(" [SEP] Your score (min 0.0, max 1.0) [SEP] ")
    assert before.split(" [SEP] ") == [
        *("Thank you for shopping with us!", "Your code:", "None", "(Paste it in your MTurk interface.)"),
        *("Purchased", "asin", "B0MUGS0002", "options", r'{"Maker\u0027s mark": "\u003c3"}'),
        *("attrs", "None", "category", "None", "query", "None", "product category", "None"),
        *("Target", "asin", "options", "attrs", "price upper", "instuction text", "category", "product category"),
        *("query", "Goal", "None", "Reward"),
    ]
    assert found
    assert score == f"{bought.reward} [SEP] Reward Details [SEP] None"


@pytest.mark.parametrize("form", ["client", "gym"])
def test_an_impossible_action_leaves_the_page_as_it_is(form: str) -> None:
    for actions in ((), TO_THE_LAMP[:1], TO_THE_LAMP, (*TO_THE_LAMP, "click[reviews]")):
        state = after(*actions, form=form)
        before = state.observation, state.snapshot()
        for impossible in ("click[nothing]", "click[search]", "click[]", "search[]", "click[b0mugs0001]", "hello", ""):
            outcome = state.step(impossible)
            assert (outcome.rejected, outcome.done) == (True, False)
            assert outcome.observation == ("Invalid action!" if form == "client" else before[0])
        assert (state.observation, state.snapshot()) == before


def test_the_client_searches_on_the_search_page_only_and_the_gym_on_every_page() -> None:
    for actions in (TO_THE_LAMP[:1], TO_THE_LAMP, (*TO_THE_LAMP, "click[reviews]")):
        assert after(*actions).step("search[mug]").rejected
        assert "B0MUGS0001" in after(*actions, "search[mug]", form="gym").observation


def test_the_gyms_results_always_lead_on_and_its_reviews_are_empty() -> None:
    said = f"Instruction: [SEP] {WANTED.instruction} [SEP] Back to Search [SEP] "
    past = after("search[dimmable lamp]", "click[next >]", "click[next >]", form="gym").observation
    assert past == f"{said}Page 3 (Total results: 3) [SEP] < Prev [SEP] Next >"
    assert after("search[of the]", form="gym").observation == f"{said}Page 1 (Total results: 0) [SEP] Next >"
    assert after(*TO_THE_LAMP, "click[reviews]", form="gym").observation == f"{said}< Prev"
    assert after("search[dimmable lamp]", form="gym").step("click[next>]").rejected


def test_the_gym_keeps_blanks_before_an_action_and_ends_it_at_its_last_bracket() -> None:
    for action in (" search[mug]", "search [mug]", "search[a][mug]", "search[mu\ng]"):
        assert after(form="gym").step(action).rejected, action
    for action in ("search[mug] ", "search[mug] and read"):
        assert after(action, form="gym").position == after("search[mug]", form="gym").position
    assert after("search[ Mug ]", form="gym").position.query == " mug "
    for action in (" search[mug]\n", "search [mug]"):
        assert after(action).position == after("search[mug]").position


def test_a_purchase_is_scored_and_ends_the_session_and_another_earns_a_part() -> None:
    outcome = after(*TO_THE_LAMP, "click[white]").step("click[buy now]")
    assert outcome.observation == "Your score (min 0.0, max 1.0): 1.0"
    assert (outcome.reward, outcome.done, outcome.rejected, outcome.tells_reward) == (1.0, True, False, True)
    assert outcome.figures == {"type": 1.0, "attributes": 1.0, "options": 1.0, "price": 1.0}
    state = after("search[heron lamp]", "click[b0lamp0003]")
    outcome = state.step("click[buy now]")
    assert outcome.figures == {"type": 1.0, "attributes": 0.0, "options": 0.0, "price": 1.0}
    assert outcome.done
    assert outcome.reward == pytest.approx(1 / 3)
    late = state.step("click[back to search]")
    assert (late.reward, late.done, late.rejected, late.tells_reward) == (outcome.reward, True, True, True)
    assert state.observation == f"Your score (min 0.0, max 1.0): {outcome.reward}"
    assert state.expert() == state.naive() == ()


def test_a_limit_of_actions_ends_the_session_with_nothing_earned_and_counts_rejected_ones() -> None:
    state = after("search[lamp]", max_steps=3)
    assert not state.step("nonsense").done
    last = state.step("click[b0lamp0002]")
    assert (last.done, last.reward, last.rejected) == (True, 0.0, False)
    assert state.step("click[buy now]").rejected
    bought = after(*TO_THE_LAMP, max_steps=3)
    assert bought.step("click[buy now]").reward == pytest.approx(2 / 3)


def test_a_value_of_two_options_belongs_to_the_last_and_a_button_comes_before_a_value() -> None:
    from quintet.environments.webshop.pages import Button, OptionRow, buttons

    parts = (OptionRow("fit", ("small", "Reviews"), None), OptionRow("size", ("small",), None), Button("Reviews"))
    assert buttons(parts) == {"small": "size", "reviews": ""}


@pytest.mark.parametrize("query", ["\ud800", "\0", "é" * 5_000, "]", "[", "lamp]\n[", "a" * 10_000])
def test_any_words_can_be_searched_for(query: str) -> None:
    state = after(f"search[{query}]")
    restored = WebShopState(shopping())
    restored.load(state.snapshot())
    assert restored.observation == state.observation
