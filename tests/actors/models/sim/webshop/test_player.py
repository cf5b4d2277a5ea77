import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quintet.messages.prompts import Prompt, system, user
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.models.sim.model import Simulated, strong, weak
from quintet.models.sim.webshop.player import WebshopPlayer
from quintet.plugins.prompts import find_prompts
from tests.actors.environments.webshop.demonstration_shop import customer
from tests.actors.models.sim.answers import said, steps_in
from tests.actors.models.sim.webshop.playing import BARE, Game

TEA = "i need 100 count of peppermint tea bags that are individually wrapped, and price lower than 20.00 dollars"
SOCKS = "find me women's wool hiking socks with color: plum, and size: large, and price lower than 20.00 dollars"
FORMS = find_prompts(AutoPlan, "webshop").text("execute.formalizer")


def test_it_reads_what_titles_do_not_tell_then_chooses_and_buys() -> None:
    game = Game(customer(TEA))
    assert game.play(strong()) == [
        "search[100 count peppermint tea bags individually wrapped]",
        "click[b0tea5n3hc]",
        "click[features]",
        "click[< prev]",
        "click[peppermint]",
        "click[100 count]",
        "click[buy now]",
    ]


def test_options_are_chosen_by_name() -> None:
    assert Game(customer(SOCKS)).play(strong())[-3:] == ["click[plum]", "click[large]", "click[buy now]"]


def test_a_product_that_is_too_expensive_is_not_opened() -> None:
    actions = Game(customer("i want wool hiking socks in large, and price lower than 20.00 dollars")).play(strong())
    assert "click[b0sck6w1gb]" not in actions
    assert actions[-1] == "click[buy now]"


def test_where_nothing_fits_it_looks_on_and_buys_the_best() -> None:
    game = Game(customer("i need caffeine free peppermint tea in a glass jar, and price lower than 20.00 dollars"))
    actions = game.play(strong())
    opened = [action for action in actions if action.startswith("click[b0")]
    assert len(set(opened)) > 1
    assert opened[0] == opened[-1] == "click[b0tea5n3hc]"
    assert game.done
    assert len(actions) <= 15


def test_without_a_word_about_it_weak_chooses_no_options() -> None:
    taught = (
        f"{BARE}\n\nA plan for tasks of this kind:\n\n1. Before you buy it, choose the options that the goal names."
    )
    bought = [Game(customer(SOCKS), shown).play(weak()) for shown in (BARE, taught)]
    assert [[a for a in actions if a in ("click[plum]", "click[large]")] for actions in bought] == [
        [],
        ["click[plum]", "click[large]"],
    ]


@pytest.mark.parametrize("model", [strong(), weak()])
def test_the_parts_of_a_plan_do_the_task(model: Simulated) -> None:
    game = Game(
        customer("i need individually wrapped peppermint tea bags in 50 count, and price lower than 20.00 dollars")
    )
    search, shortlist, buy = steps_in(game.plan(model))
    assert game.play(model, search)[-1] == "task completed"
    handed = f"The page that is open now:\n{game.state.observation}"
    assert game.play(model, shortlist, handed=handed) == ["task failed"]
    first, *_ = steps_in(game.plan(model, shortlist, handed=handed))
    assert first.endswith(
        "[B0TEA5N3HC] against individually wrapped peppermint tea bags, price lower than 20.00 dollars"
    )
    assert game.play(model, first, handed=handed) == [
        "click[b0tea5n3hc]",
        "click[features]",
        "click[< prev]",
        "task completed",
    ]
    handed = f"The page that is open now:\n{game.state.observation}\n\nThe product that was found: [B0TEA5N3HC]"
    assert game.play(model, buy, handed=handed) == ["click[peppermint]", "click[50 count]", "click[buy now]"]
    assert game.done


def test_a_product_that_does_not_match_fails() -> None:
    game = Game(customer("tea"))
    game.state.step("search[peppermint tea]")
    handed = f"The page that is open now:\n{game.state.observation}"
    actions = game.play(strong(), "match the product [B0TEA1V8KZ] against peppermint tea bags", handed=handed)
    assert actions[0] == "click[b0tea1v8kz]"
    assert actions[-1] == "task failed"
    assert "click[features]" in actions


@pytest.mark.parametrize(
    ("raw", "action"),
    [
        ("search[red shoes]", "search[red shoes]"),
        ("I will search for red shoes.", "search[red shoes]"),
        ("click on the Buy Now button", "click[buy now]"),
        ("buy it", "click[buy now]"),
        ("open the product B012345678", "click[b012345678]"),
        ("choose the option dark blue", "click[dark blue]"),
        ("read its features", "click[features]"),
        ("go back", "click[< prev]"),
        ("go to the next page", "click[next >]"),
        ("back to search", "click[back to search]"),
        ("sing a song", "sing a song"),
    ],
)
def test_an_action_is_put_in_a_form_that_is_listed(raw: str, action: str) -> None:
    assert WebshopPlayer().formalize(raw, FORMS) == action


PIECES = st.sampled_from(
    [
        "[Back to Search]",
        "[< Prev]",
        "[Buy Now]",
        "Price: $5",
        "[B012345678]",
        "$1",
        "size [s]",
        " [SEP] ",
        "and",
        "with",
    ]
)


@settings(max_examples=50)
@given(st.one_of(st.text(), st.lists(PIECES | st.text(max_size=5)).map(" ".join)))
def test_any_text_is_read_without_an_error(text: str) -> None:
    player, task = WebshopPlayer(), f"WebShop\n[Search]\n\n{text}\n\nGoal: {text}."
    assert player.read_task(task) is None or isinstance(said(strong(), Prompt(system(BARE), user(task))), str)
    player.formalize(text, FORMS)
    player.topic(text)
    list(player.hear(text))


def test_a_goal_of_ten_thousand_characters_is_answered() -> None:
    for goal in ("and " * 2500, "a " * 5000, "with " + "a" * 10_000):
        task = f"WebShop\n[Search]\n\nGoal: {goal}."
        assert said(strong(), Prompt(system(BARE), user(task))).rpartition("Action: ")[2].startswith("search[")


def test_instructions_that_list_no_such_actions_are_of_another_world() -> None:
    assert WebshopPlayer().formalize("search for shoes", "Rewrite it.\n- get <count> <item>") is None


def test_other_actions_are_named_than_those_that_were_tried() -> None:
    tried = ["search[socks]"]
    for _ in range(3):
        listed = "\n".join(f"- {action}" for action in tried)
        task = f"WebShop\n[Search]\n\nGoal: {SOCKS}.\n\nTried already:\n{listed}\nChoose another one."
        tried.append(said(strong(), Prompt(system(BARE), user(task))).rpartition("Action: ")[2])
    assert len(set(tried)) == 4
    assert all(action.startswith("search[") for action in tried)
