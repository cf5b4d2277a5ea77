import pytest

from quintet.models.sim.webshop.pages import ItemPage, SearchPage
from quintet.models.sim.webshop.task import Purpose, read_shop_goal, read_shop_task

GOAL = "i need red shoes in size 7, and price lower than 40.00 dollars"
ITEM = "[Back to Search]\n[< Prev]\nsize [6][7]\nRed Shoes\nPrice: $30.0\nRating: N.A.\n[Features]\n[Buy Now]"


def test_a_task_is_the_setting_and_a_goal() -> None:
    task = read_shop_task(f"WebShop\n[Search]\n\nGoal: {GOAL}.")
    assert task is not None
    assert (task.wording, task.goal.purpose, task.goal.wanted.limit) == (GOAL, "shop", 40)
    assert task.page == SearchPage()


def test_an_instruction_on_the_page_is_the_goal_where_none_is_given() -> None:
    task = read_shop_task(f"WebShop\nInstruction:\n{GOAL}\n[Search]")
    assert task is not None
    assert task.wording == GOAL


def test_the_last_page_and_the_product_that_are_handed_on_are_read() -> None:
    handed = f"The page that is open now:\n{ITEM}\n\nThe product that was found: [B012345678]"
    task = read_shop_task(f"WebShop\n[Search]\n\n{handed}\n\nGoal: buy it with {GOAL}.")
    assert task is not None
    assert isinstance(task.page, ItemPage)
    assert (task.page.title, task.found, task.goal.purpose) == ("Red Shoes", "B012345678", "buy")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Goal: craft beehive.",
        "WebShop\n[Search]",
        "You are in the middle of a room.\n\nGoal: put some egg in fridge.",
    ],
)
def test_other_texts_are_no_task(text: str) -> None:
    assert read_shop_task(text) is None


@pytest.mark.parametrize(
    ("said", "purpose", "product", "words"),
    [
        ("search for red shoes", "search", "", ("red", "sho")),
        ("Shortlist products from the page that match red shoes", "shortlist", "", ("red", "sho")),
        ("match the product [B012345678] against red shoes", "match", "B012345678", ("red", "sho")),
        ("match product B012345678 against the criteria: red shoes", "match", "B012345678", ("red", "sho")),
        ("buy the product [B012345678] with red shoes", "buy", "B012345678", ("red", "sho")),
        ("buy it with red shoes.", "buy", "", ("red", "sho")),
        ("buy it", "buy", "", ()),
        ("find the product that matches red shoes", "find", "", ("red", "sho")),
    ],
)
def test_parts_of_shopping_are_goals(said: str, purpose: Purpose, product: str, words: tuple[str, ...]) -> None:
    part = read_shop_goal(said)
    assert part is not None
    assert (part.purpose, part.product, part.wanted.words) == (purpose, product, words)


@pytest.mark.parametrize("said", ["i need red shoes", "find me red shoes", "buy me red shoes", "choose the color", ""])
def test_whole_tasks_and_other_texts_are_no_parts(said: str) -> None:
    assert read_shop_goal(said) is None
