import pytest

from quintet.models.sim.webarena.listing import items_on
from quintet.models.sim.webarena.ordering import in_wrong_order, is_sorter, meant_item, sorts
from quintet.models.sim.webarena.page import BrowsedNode, BrowsedPage, read_web_page
from quintet.models.sim.webarena.ranks import WebRank, read_rank
from tests.actors.models.sim.webarena.recorded_pages import page_read

_SHOP = """Tab 0 (current): Kettles

[1] RootWebArea 'Kettles'
	[2] link 'Home'
	[3] main ''
		[4] heading 'Kettles'
		[5] heading 'Iron Kettle'
			[6] link 'Iron Kettle'
		[7] StaticText '4 reviews'
		[8] StaticText '$52.00'
		[9] heading 'Tin Kettle'
			[10] link 'Tin Kettle'
		[11] StaticText '11 reviews'
		[12] StaticText '$8.50'
		[13] navigation 'Pages'
			[14] link 'Next'
URL: http://onestopmarket.com/kettles"""


def shop() -> BrowsedPage:
    page = read_web_page(_SHOP)
    assert page is not None
    return page


def rank(text: str) -> WebRank:
    read = read_rank(text)
    assert read is not None
    return read


def test_products_and_rows_are_things_of_a_list_with_a_link() -> None:
    listed = [item.link.name for item in items_on(shop()) if item.link is not None]
    assert listed == ["Iron Kettle", "Tin Kettle"]
    orders = [item.link.name for item in items_on(page_read("orders")) if item.link is not None]
    assert len(orders) == 10
    assert all(name.startswith("View Order") for name in orders)


@pytest.mark.parametrize(
    ("asked", "thing"),
    [
        ("the cheapest kettle", "Tin Kettle"),
        ("the most expensive kettle", "Iron Kettle"),
        ("the kettle with the most reviews", "Tin Kettle"),
    ],
)
def test_a_superlative_means_the_thing_with_the_most_or_least_of_it(asked: str, thing: str) -> None:
    item = meant_item(shop(), rank(asked))
    assert item is not None
    assert item.link is not None
    assert item.link.name == thing


def test_a_list_that_falls_is_in_the_wrong_order_for_what_is_least() -> None:
    assert in_wrong_order(shop(), rank("the cheapest kettle"))
    assert not in_wrong_order(shop(), rank("the dearest kettle"))


@pytest.mark.parametrize(
    ("name", "asked", "puts"),
    [
        ("By Price", "the cheapest mug", True),
        ("By Rating", "the cheapest mug", False),
        ("New", "the newest post", True),
        ("Oldest", "the newest post", False),
        ("Top", "the top post", True),
        ("New issue", "the newest issue", False),
    ],
)
def test_what_sorts_by_the_compared_is_known_by_its_words(name: str, asked: str, puts: bool) -> None:
    assert sorts(BrowsedNode(1, "link", name, {}, 0), rank(asked)) == puts


@pytest.mark.parametrize(("name", "only"), [("By Price", True), ("Most commented", True), ("My Orders", False)])
def test_what_only_sorts_leads_nowhere(name: str, only: bool) -> None:
    assert is_sorter(BrowsedNode(1, "link", name, {}, 0)) == only
